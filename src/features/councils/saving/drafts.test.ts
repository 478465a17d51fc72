import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readyToSave } from '../../../../test/help/council-saving.ts';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { actionItemTypes, type CouncilDrafts } from '../contract.ts';
import { knowledgeFolder, readModes } from '../knowledge.ts';
import type { RuleIo } from '../rule/io.ts';
import { sayTemplate } from '../rule/select-notes-template.ts';
import { parseDraft, printDraft, settleDrafts } from './drafts.ts';
import { parseItems, printItems } from './items.ts';
import { splitSections } from './markdown.ts';
import { printCouncilNotes } from './notes-body.ts';
import { emptySection, templateSections } from './templates.ts';

const names = ['action-items', 'memory:Ada', 'notes'];
const session = readyToSave();

describe('a draft that is shown can be given back', () => {
  test.each(names)('%s, unchanged [CNC-REV-3]', (name) => {
    const text = printDraft(session, name);
    const drafts = parseDraft(session, name, text);
    expect(drafts.actionItems).toEqual(session.drafts!.actionItems);
    expect(drafts.memory).toEqual(session.drafts!.memory);
    expect(printDraft({ ...session, drafts }, name)).toBe(text);
  });

  test('notes, unchanged, come to the same file', () => {
    const drafts = parseDraft(session, 'notes', printDraft(session, 'notes'));
    const save = { ids: null, extractions: [], memory: [] };
    expect(printCouncilNotes(session, drafts.notes, [], save)).toBe(
      printCouncilNotes(session, session.drafts!.notes, [], save),
    );
  });

  const words = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          '## A',
          '### B',
          '#### C',
          '---',
          '- x',
          '* y',
          '  z',
          'None.',
          '',
          '```',
          '~~~',
          '```js',
          'HALT condition=X',
          '\\HALT',
          'Phase: DISCUSS',
          '[round 1 /',
          '<!-- c',
          '> q',
          'plain',
          '1. n',
          '\t',
          'T: "x"',
          '# h',
          '===',
        ),
        { maxLength: 7 },
      )
      .map((lines) => lines.join('\n')),
  );
  const lists = fc.array(words, { maxLength: 4 });
  const draftsOf = fc.record({
    actionItems: fc
      .array(
        fc.record({
          type: fc.constantFrom(...actionItemTypes),
          priority: fc.constantFrom('high', 'low'),
          assignee: words,
          contextForTarget: words,
          acceptance: words,
          pins: fc.constantFrom<string[]>([], ['SP-1', 'SP-2']),
        }),
        { maxLength: 3 },
      )
      .map((items) => items.map((item, at) => ({ ...item, assignee: item.assignee || 'x', id: `draft-${at + 1}` }))),
    memory: fc
      .record({
        agent: fc.constant('Ada'),
        tags: fc.array(fc.constantFrom('a', 'b: c', 'yes', '1'), { maxLength: 2 }),
        decided: lists,
        constraints: lists,
        tracking: lists,
        sources: lists,
      })
      .map((entry) => [entry]),
    notes: fc.record({
      summary: words,
      sections: fc.dictionary(fc.constantFrom('Decision', 'Other', 'Owner'), words),
      openQuestions: lists,
      minority: words,
    }),
    by: fc.constant('facilitator' as const),
  });

  test('whatever stands in it: printed, read and printed again it is the same text [CNC-REV-3, CNC-SAV-23]', () => {
    fc.assert(
      fc.property(draftsOf, (given) => {
        const drafts: CouncilDrafts = given;
        for (const name of names) {
          const text = printDraft({ ...session, drafts }, name);
          const read = parseDraft({ ...session, drafts }, name, text);
          expect(printDraft({ ...session, drafts: read }, name)).toBe(text);
          if (name === 'action-items')
            expect(read.actionItems).toEqual(drafts.actionItems.map((item) => wellFormedItem(item)));
        }
        const titles = printCouncilNotes(session, drafts.notes, [], { ids: null, extractions: [], memory: [] }).match(
          /^## (?!Phase: ).*$/gm,
        )!;
        expect(titles.slice(0, 10)).toHaveLength(10);
      }),
      { numRuns: 400 },
    );
  });
});

const wellFormedItem = (item: CouncilDrafts['actionItems'][number]): unknown =>
  JSON.parse(JSON.stringify(item, (_key, value: unknown) => value));

describe('a text that cannot be read says where and why', () => {
  test.each([
    ['action-items', '- type: feature\n  context: x\n', /line 1: there is no field "context"/],
    ['action-items', '- type: feature\n- type: nonsense\n', /item 2 has the type "nonsense"/],
    ['action-items', '- type: "feature\n', /cannot be read at line \d/],
    ['action-items', 'just words', /it is no list/],
    ['action-items', `a: &a [x]\nb: [${'*a,'.repeat(200)}]\nitems: [*b]\n`, /cannot be read/],
    ['action-items', '- words\n', /line 1: it has no fields/],
    ['memory:Ada', '## Something else\n\n- x\n', /line 1: there is no section "Something else"/],
    ['memory:Ada', '---\ntags: [a]\n---\n\njust words\n', /line 5: there are words before its first heading/],
    ['memory:Ada', '---\ntags: [a\n---\n', /front matter is not legal YAML/],
    ['notes', '## Summary\n\nx\n\n## Charter\n\ny\n', /line 5: there is no section "Charter"/],
    ['notes', '## Summary\n\nx\n\n## Summary\n\ny\n', /line 5: there is a second section "Summary"/],
    ['notes', 'words\n\n## Summary\n', /words before a heading, at line 1/],
    ['notes', '## Decisions\n\nwords\n\n### Decision\n', /words before a heading, at line 3/],
    ['notes', '', /they have no headings/],
    ['memory:Nobody', 'x', /no draft "memory:Nobody"/],
  ])('%s: %j', (name, text, message) => {
    expect(() => parseDraft(session, name, text)).toThrow(message);
  });
});

test('what a person writes by hand is taken as it is meant', () => {
  const text =
    '## What I decided / agreed to in this meeting\n\nOne thing\n\n* Another\n  with a line\n\n## Constraints I committed to\n\nNone.\n';
  const [entry] = parseDraft(session, 'memory:Ada', text).memory;
  expect(entry).toEqual({
    agent: 'Ada',
    tags: [],
    decided: ['One thing', 'Another\nwith a line'],
    constraints: [],
    tracking: [],
    sources: [],
  });
});

test('the last word on a draft counts; one that nobody was asked about is not written [CNC-REV-1, CNC-REV-7]', () => {
  const reviews = [
    { draft: 'notes', disposition: 'accept' as const, text: null },
    { draft: 'memory:Ada', disposition: 'accept' as const, text: null },
    { draft: 'notes', disposition: 'drop' as const, text: null },
  ];
  const settled = settleDrafts(readyToSave({ reviews }));
  expect(settled.notes).toBeNull();
  expect(settled.actionItems).toEqual([]);
  expect(settled.memory.map(({ agent }) => agent)).toEqual(['Ada']);
});

/** What the specification wants of each bias. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  'decision-record': ['Decision', 'Context', 'Alternatives considered', 'Consequences', 'Owner'],
  'opportunity-map': ['Problem space', 'Options surfaced', 'Dimensions of variation', 'Open threads'],
  'alignment-summary': ['Decisions ratified', 'Owners', 'Dissent captured', 'Follow-ups'],
  'risk-register': ['Risks', 'Notes'],
  'machine-readable-ac-list': ['AC list', 'Trace', 'Follow-ups'],
  'brainstorming-document': ['Idea clusters', 'Ranked options', 'Follow-ups'],
  'ux-design-notes': ['Personas', 'IA changes', 'Interaction flows', 'Accessibility', 'Follow-ups'],
  'architecture-decisions': ['Decisions', 'Follow-ups'],
  'sprint-adjustments': ['Story injections', 'Scope cuts', 'Priority shifts', 'Follow-ups'],
  'clarification-notes': [
    'Questions asked',
    'Expert answers',
    'Agreement and disagreement',
    'Open follow-up questions',
  ],
};

describe('the templates of the notes', () => {
  test.each(Object.entries(wanted))(
    '%s [CNC-CLO-6, CNC-CLO-7, CNC-CLO-8, CNC-CLO-9, CNC-CLO-10, CNC-CLO-11, CNC-CLO-12, CNC-CLO-13, CNC-CLO-14, CNC-CLO-15]',
    async (bias, titles) => {
      const { run } = await ruleWorld();
      const { exitCode, out } = await run('select-notes-template', '--bias', bias);
      expect([exitCode, out]).toEqual([0, [join(knowledgeFolder, `notes-template-${bias}.md`)]]);
      const text = readFileSync(out[0]!, 'utf8');
      expect(splitSections(text, 3).map(({ title }) => title)).toEqual(titles);
      expect(templateSections(bias)).toEqual(titles);
      const before = readyToSave();
      const biased = { ...before, setup: { ...before.setup, bias } };
      const notes = printCouncilNotes(biased, { ...before.drafts!.notes, sections: {} }, [], {
        ids: null,
        extractions: [],
        memory: [],
      });
      const decisions = /^## Decisions\n(.*?)^## Risks/ms.exec(notes)![1]!;
      expect(splitSections(decisions, 3).map(({ title }) => title)).toEqual([...titles, 'Decided in the discussion']);
    },
  );

  test('tables have their columns though nobody filled them; what the others ask for stands in the prompt [CNC-CLO-8, CNC-CLO-9, CNC-CLO-10, CNC-CLO-13, CNC-CLO-15]', () => {
    expect(emptySection('risk-register', 'Risks')).toContain(
      '| Risk ID | Description | Likelihood | Impact | Mitigation | Owner |',
    );
    expect(emptySection('alignment-summary', 'Owners')).toContain('| Decision | Owner |');
    const textOf = (bias: string): string => readFileSync(join(knowledgeFolder, `notes-template-${bias}.md`), 'utf8');
    for (const word of ['Given', 'When', 'Then']) expect(textOf('machine-readable-ac-list')).toContain(`**${word}**`);
    for (const word of ['Status', 'Context', 'Decision', 'Alternatives', 'Consequences'])
      expect(textOf('architecture-decisions')).toContain(`**${word}:**`);
    for (const words of ['low, medium or high', 'A mitigation is something that can be tested'])
      expect(textOf('risk-register')).toContain(words);
    for (const words of ['Never left out', 'It blocks nothing']) expect(textOf('alignment-summary')).toContain(words);
    for (const words of ['with the name of whoever gave it', 'about the explanation alone'])
      expect(textOf('clarification-notes')).toContain(words);
  });

  test('every mode has one, and nobody has two [CNC-HLP-10, CNC-CLO-5]', async () => {
    const modes = await readModes();
    const files = readdirSync(knowledgeFolder).filter((name) => name.startsWith('notes-template-'));
    expect(modes.map(({ templateRef }) => templateRef).toSorted((a, b) => a.localeCompare(b))).toEqual(
      files.toSorted((a, b) => a.localeCompare(b)),
    );
    const { run } = await ruleWorld();
    expect((await run('select-notes-template', '--bias', 'nonsense')).exitCode).toBe(3);
    expect((await run('select-notes-template')).exitCode).toBe(2);
    const said: string[] = [];
    const io = { out: () => {}, err: (line: string) => said.push(line) } as unknown as RuleIo;
    expect(await sayTemplate(io, join(knowledgeFolder, 'absent.md'))).toBe(4);
    expect(said).toHaveLength(1);
  });
});

test('where no item was drafted, that is said, and what is put below it is read', () => {
  const empty = printItems([]);
  expect(empty).toMatch(/^# No action items were drafted\. To add one, begin it with `- type:`\./);
  expect(parseItems(empty)).toEqual([]);
  expect(parseItems(`${empty}- type: feature\n  context_for_target: x\n  acceptance: y\n`)).toMatchObject([
    { type: 'feature', contextForTarget: 'x' },
  ]);
});
