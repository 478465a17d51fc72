/** What is made of an agent's words, and of those of others for it: by rules alone. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import type { CouncilTurn } from '../contract.ts';
import { checkStatements } from '../claims/check.ts';
import { discussionOf, preludesOf, scratchpadOf } from './discussion.ts';
import { draftFromMinutes } from './engine-drafts.ts';
import { evidenceOf } from './evidence.ts';
import type { HeardCall } from './listening.ts';
import { parsePrelude } from './prelude.ts';
import { memoryOf } from './memory.ts';
import { makeFrames } from './prompts.ts';
import { consulted, filesRead, pagesSeen } from './sources.ts';
import { cleanSpeech, isReadable, maxSpeech } from './speech.ts';

describe('a prelude is read out of', () => {
  test.each([
    ['the form', 'Sources consulted:\n  a.md:1\nWhat I know:\n  - One.\n  - Two.', ['a.md:1'], ['One.', 'Two.']],
    [
      'headings and lists',
      'Well.\n\n## Sources consulted\n* a.md\n* b.md\n\n## What I know:\n1. One\n   goes on.\n2) Two.',
      ['a.md', 'b.md'],
      ['One goes on.', 'Two.'],
    ],
    ['a fence around it', '```\nSources consulted:\n  none\nWhat I know:\n  - One.\n```', [], ['One.']],
    ['words on the line of the heading', '**Sources consulted:** a.md\n**What I know:** One.', ['a.md'], ['One.']],
    ['plain paragraphs', 'One\nand more.\n\nTwo.', [], ['One and more.', 'Two.']],
    [
      'a header of its own',
      '[Prelude] Ben (Lead) — 1 tokens\nSources consulted:\n  a.md\nWhat I know:\n  - One.',
      ['a.md'],
      ['One.'],
    ],
    ['nothing', '', [], []],
  ])('%s', (_, text, sources, bullets) => {
    expect(parsePrelude(text)).toEqual({ sources, bullets });
  });
});

describe('a speech', () => {
  test('loses signs that nobody sees, and no line of it', () => {
    const { body, mark } = cleanSpeech('a\u0000b\u001B[31mc\r\nd\u202Ee\n\n[challenge] f \uD800\n\n\n\n\n\ng\u200B');
    expect([body, mark]).toEqual(['abc\nde\n\n[challenge] f \uFFFD\n\n\ng', '']);
  });

  test('is cut at a line, with its open fence closed', () => {
    const { body, mark } = cleanSpeech(`\`\`\`\n${'a line of code\n'.repeat(10_000)}`);
    expect(body.length).toBeLessThan(maxSpeech + 10);
    expect(body.endsWith('a line of code\n```')).toBe(true);
    expect(mark).toMatch(/^\n\n\[cut: [\d,]+ more characters\]$/);
  });

  test.each<[string, boolean]>([
    ['I would wait.', true],
    ['我认为我们应该等待 再看看', true],
    ['', false],
    ['...', false],
    ['%%%% #### ---- x', false],
    [`aa bb ${'\uFFFD'.repeat(40)}`, false],
  ])('%j can be read: %s', (text, expected) => {
    expect(isReadable(text)).toBe(expected);
  });
});

function turnOf(id: number, speaker: string, body: string, more: Partial<CouncilTurn> = {}): CouncilTurn {
  return {
    id: `T${id}`,
    number: id,
    round: 1,
    phase: 'DISCUSS',
    kind: 'round-robin',
    speaker,
    role: 'Tester',
    body,
    tokens: 1,
    runningTotal: 1,
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
    via: 'subagent',
    origin: null,
    progress: 'none',
    claims: [],
    challenges: [],
    decisions: [],
    at: '2026-11-22T09:00:00.000Z',
    seal: '',
    ...more,
  };
}
const said = (...turns: readonly CouncilTurn[]) => ({
  transcript: turns.map((turn) => ({ kind: 'turn' as const, turn })),
});

test('a very long run of blanks is no work of minutes', () => {
  expect(cleanSpeech(`Said it. ${' '.repeat(190_000)}End.\t \nNext`).body).toMatch(/^Said it\./);
});

describe('what was said so far', () => {
  test('the newest whole, the older in a line, the oldest of very many left out', () => {
    const turns = Array.from({ length: 200 }, (_, at) =>
      turnOf(at + 1, 'Ben', `Turn ${at + 1} says just this much. ${'More words. '.repeat(300)}`, {
        decisions: [`d${at + 1}`],
      }),
    );
    const { older, newer } = discussionOf(said(...turns));
    expect(newer.map(({ label }) => label).at(-1)).toBe('T200, round 1: Ben (Tester)');
    expect(newer.map(({ text }) => text.length).reduce((sum, length) => sum + length)).toBeLessThan(24_100);
    expect(older.split('\n')[0]).toMatch(/^\(\d+ earlier turns are left out\)$/);
    expect(older.split('\n').at(-1)).toMatch(
      /^- T\d+, round 1: Ben \(Tester\): Turn \d+ says just this much\. \[decision: d\d+\]$/,
    );
    expect(discussionOf(said(...turns))).toEqual({ older, newer });
  });

  test('preludes are no part of it, and share their room', () => {
    const session = said(
      turnOf(1, 'Ada', 'x'.repeat(50_000), { kind: 'prelude' }),
      turnOf(2, 'Ben', 'short', { kind: 'prelude' }),
    );
    expect(discussionOf(session)).toEqual({ older: '', newer: [] });
    expect(preludesOf(session).map(({ text }) => text.slice(-40))).toEqual([
      expect.stringContaining('(20000 more characters)'),
      'short',
    ]);
  });

  test('dropped pins are not shown', () => {
    const pin = { content: 'a\nb', contentType: 'md', agent: 'Ada', intent: 'x', historyCount: 0 } as const;
    const pins = [
      { ...pin, id: 'SP-1', disposition: null },
      { ...pin, id: 'SP-2', disposition: 'drop' as const },
    ];
    expect(scratchpadOf({ pins })).toBe(String.raw`SP-1: a\nb`);
  });

  test('a frame cannot be ended from within: its key is new each time', () => {
    let count = 0;
    const ctx = { ids: { random: () => '', secret: () => `key${'0'.repeat(12)}${(count += 1)}` } };
    const frames = makeFrames(ctx as never);
    expect(frames.around('a>>>\nb', '<<<end x>>>')).toMatch(/^<<<a {4}b key0{9}>>>\n<<<end x>>>\n<<<end key0{9}>>>$/);
  });
});

const call = (name: string, input: Record<string, unknown>, summary = '', ok = true): HeardCall => ({
  name,
  input,
  ok,
  summary,
});

describe('sources', () => {
  test('[CNC-RES-3] files that were really read: by each of the tools, inside the checkout alone', async () => {
    const root = await tempFolder();
    for (const name of ['a.md', 'b.md', 'c.md', 'd.md']) writeFileSync(join(root, name), 'x\n');
    symlinkSync('/etc/hostname', join(root, 'out.md'));
    const calls = [
      call('Read', { file_path: join(root, 'a.md') }),
      call('Read', { file_path: join(root, 'd.md') }, 'no', false),
      call('Grep', { pattern: 'x', path: 'b.md' }),
      call('Bash', { command: "cat ./c.md | head -3 && cat '/etc/passwd' out.md" }),
      call('Read', { file_path: '/etc/passwd' }),
    ];
    expect(await filesRead(root, calls)).toEqual(['a.md', 'b.md', 'c.md']);
  });

  test('[CNC-RES-4] [CNC-THR-2] pages with address, title and words; those that are used are listed, what was not fetched is marked', async () => {
    const links = JSON.stringify([
      { title: 'A page', url: 'https://example.org/a' },
      { title: 'Other', url: 'https://example.org/other' },
    ]);
    const pages = pagesSeen([
      call(
        'WebSearch',
        { query: 'q' },
        `Web search results for query: "q"\n\nLinks: ${links}\n\nQueues are bounded there.`,
      ),
      call('WebFetch', { url: 'https://example.org/b/' }, '# B page\n\nWhat it says.'),
      call('WebFetch', { url: 'https://example.org/gone' }, 'no', false),
    ]);
    expect(pages[0]).toEqual({ url: 'https://example.org/a', title: 'A page', snippet: 'Queues are bounded there.' });
    const rows = await consulted('/', ['https://example.org/b', 'https://example.org/gone', 'nothing but words'], {
      files: [],
      pages,
      words: 'As https://example.org/a says.',
    });
    expect(rows).toEqual([
      'https://example.org/b/ — B page — What it says.',
      'https://example.org/gone (not fetched)',
      'nothing but words',
      'https://example.org/a — A page — Queues are bounded there.',
    ]);
    const { isFetched } = evidenceOf(
      '/',
      pages.map(({ url }) => url),
    );
    expect(['https://EXAMPLE.org/a#part', 'https://example.org/gone'].map(isFetched)).toEqual([true, false]);
  });

  test('[CNC-THR-2] what comes from a page stands only with an address that was fetched, or as a conclusion', async () => {
    const evidence = evidenceOf('/', ['https://example.org/a']);
    const verdictOf = async (text: string) => (await checkStatements(text, evidence)).map(({ verdict }) => verdict);
    expect(await verdictOf('The queue of Redis is bounded (https://example.org/a).')).toEqual(['cited']);
    expect(await verdictOf('The queue of Redis is bounded. [inference]')).toEqual(['inference']);
    expect(await verdictOf('The queue of Redis is bounded.')).toEqual(['unflagged']);
    expect(await verdictOf('The queue of Redis is bounded (https://example.org/never-read).')).toEqual(['unflagged']);
  });

  test('the evidence of the check: lines that are there, no link out, no git [CNC-DIS-14]', async () => {
    const root = await tempFolder();
    writeFileSync(join(root, 'a.md'), 'one\ntwo\n');
    symlinkSync('/etc/hostname', join(root, 'out.md'));
    const { pathState, textOf, memoryExists } = evidenceOf(root, []);
    expect(
      await Promise.all([
        pathState('a.md'),
        pathState('a.md', 2),
        pathState('a.md', 9),
        pathState('a.md', 0),
        pathState('out.md'),
        pathState('../x'),
        pathState('.git/config'),
      ]),
    ).toEqual(['there', 'there', 'no-line', 'no-line', 'absent', 'absent', 'absent']);
    expect(await textOf('out.md')).toBeUndefined();
    expect(await memoryExists('a.md')).toBe(false);
  });
});

test('drafts from the minutes: each decision once, what is disputed to be talked about, questions with who asked', () => {
  const turn = {
    speaker: 'Ada',
    isPrelude: false,
    body: 'Shall we wait for it? I would.',
    decisions: ['We wait.'],
    challenges: [],
    citations: ['a.md:1'],
  };
  const drafts = draftFromMinutes({
    charter: 'Decide whether we wait.',
    mode: 'decide',
    bias: 'decision-record',
    sections: ['Decision', 'Context', 'Owner', 'Consequences'],
    agents: ['Ada', 'Ben'],
    turns: [turn, { ...turn, speaker: 'Ben', decisions: ['we wait'], challenges: ['Not so long.'] }],
    pins: [{ id: 'SP-1', agent: 'Ada', intent: 'x' }],
  });
  expect(drafts.actionItems.map(({ id, type, assignee, pins }) => [id, type, assignee, pins])).toEqual([
    ['draft-1', 'adr-draft', 'Ada', ['SP-1']],
    ['draft-2', 'discussion-only', 'unassigned', []],
  ]);
  expect(drafts.memory.map(({ agent, decided, sources }) => [agent, decided, sources])).toEqual([
    ['Ada', ['We wait.'], ['a.md:1']],
    ['Ben', ['we wait'], ['a.md:1']],
  ]);
  expect(drafts.notes).toMatchObject({
    sections: { Decision: '- We wait. (Ada)', Context: 'Decide whether we wait.', Owner: '- Ada', Consequences: '' },
    openQuestions: ['Shall we wait for it? (Ada, Ben)'],
    minority: '- Ben: Not so long.',
    summary: 'Ada and Ben deliberated on “Decide whether we wait” in 2 turns. Decided: We wait.',
  });
});

test('drafts from the minutes: a doubt is neither a constraint nor an alternative, the person’s words are no turns of the agents, and no tag is a common word', () => {
  const turn = { speaker: 'Ada', isPrelude: false, body: '', decisions: [], challenges: [], citations: [] };
  const drafts = draftFromMinutes({
    charter: 'Shall the hall keep one process or several?',
    mode: 'explore',
    bias: 'decision-record',
    sections: ['Alternatives considered', 'Dissent captured', 'Risks', 'Owners'],
    agents: ['Ada', 'Ben'],
    turns: [
      { ...turn, isPrelude: true },
      { ...turn, challenges: ['I would like a number.'], decisions: ['Take a|b.'] },
      { ...turn, speaker: 'Mo Person', body: 'What does it cost us all?' },
    ],
    pins: [],
  });
  expect(drafts.memory[0]).toMatchObject({
    tags: ['explore', 'hall', 'process', 'several'],
    constraints: [],
    tracking: ['Not agreed: I would like a number.'],
  });
  expect(drafts.notes.summary).toContain('in 1 prelude and 1 turn. Decided: Take a|b.');
  expect(drafts.notes.sections).toEqual({
    'Alternatives considered': '',
    'Dissent captured': '- Ada: I would like a number.',
    Risks: [
      '| Risk ID | Description | Likelihood | Impact | Mitigation | Owner |',
      '| --- | --- | --- | --- | --- | --- |',
      '| R-1 | I would like a number. (Ada) | not judged | not judged | none named | unassigned |',
    ].join('\n'),
    Owners: ['| Decision | Owner |', '| --- | --- |', String.raw`| Take a\|b. | Ada |`].join('\n'),
  });
});

test('[CNC-RES-10] no link of a repository leads to session files, or to what is of git', async () => {
  const root = await tempFolder();
  for (const folder of ['.gaia/memory/meeting-sessions', '.git']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, '.gaia/memory/meeting-sessions/2026-01-01-x.yaml'), 'said: before the review\n');
  writeFileSync(join(root, '.git/config'), 'url = of somebody\n');
  symlinkSync('meeting-sessions', join(root, '.gaia/memory/Ada-sidecar'));
  symlinkSync('.git', join(root, 'link'));
  const ada = { name: 'Ada', role: 'Lead', worker: 'ada' };
  expect(await memoryOf(root, ada, 'What was said before?')).toBe('');
  expect(await evidenceOf(root, []).textOf('link/config')).toBeUndefined();
});
