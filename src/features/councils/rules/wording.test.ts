import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CouncilEntry, CouncilTurn } from '../contract.ts';
import { isCostCheck, printCostCheck, settleCadence } from './cadence.ts';
import { isBeyondMaxTurns, printMuted, shouldMute } from './caps.ts';
import { councilSlug, judgeCharter } from './charter.ts';
import { haltLine, printHalt } from './halt.ts';
import { oneLine, printHeader } from './header.ts';
import { findLongLoop, findLoop, printLoop, type LoopTurn } from './loop.ts';
import { allowList, isPhase, printMarker } from './phases.ts';
import { printPrelude } from './prelude.ts';
import { checkTranscriptText } from './provenance.ts';
import { renderBody, renderEntry, renderTranscript } from './render.ts';
import { targetOf } from './targets.ts';
import { actionItemTypes, councilPhases } from '../contract/terms.ts';

function turn(facts: Partial<CouncilTurn> = {}): CouncilEntry {
  return {
    kind: 'turn',
    turn: {
      id: 'T3',
      number: 3,
      round: 1,
      phase: 'DISCUSS',
      kind: 'round-robin',
      speaker: 'Derek',
      role: 'Product',
      body: 'Yes.',
      tokens: 12,
      runningTotal: 40,
      usage: { inputTokens: 1, outputTokens: 12, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null },
      via: 'subagent',
      origin: null,
      progress: 'none',
      claims: [],
      challenges: [],
      decisions: [],
      at: '2026-05-18T10:00:00.000Z',
      seal: '',
      ...facts,
    },
  };
}

describe('the charter', () => {
  test.each([undefined, '', ' \n\t '])('nothing, and what is blank, is none: %j', (text) => {
    expect(judgeCharter(text).ok).toBe(false);
  });

  test.each([
    ['Decide who owns the cache', false],
    ['One. Two! Three?', false],
    ['We use v1.2.3 e.g. of src/a.ts today. Is that right?', false],
    ['One. Two. Three. Four.', true],
    ['One\n\nTwo\n\nThree\n\nFour', true],
    ['“Ja.” So it was. Then. Now. Ever', true],
  ])('more than three sentences are taken with a warning: %j [CNC-CHA-4]', (text, warns) => {
    const judged = judgeCharter(text);
    expect(judged).toMatchObject({ ok: true, characters: [...text].length });
    expect(judged.ok && judged.warning !== undefined).toBe(warns);
  });

  test('100 kB of anything are judged at once', () => {
    for (const piece of ['a. ', '"\')', '. A', '\n', '🙂'])
      expect(judgeCharter(`x${piece.repeat(50_000)}`).ok).toBe(true);
  });

  test.each([
    ['Who owns the cache, and why now? Really', 'who-owns-the-cache-and-why'],
    ['ÄÖÜ — 漢字', 'council'],
    ['Café au lait', 'caf-au-lait'],
    ['../../etc/passwd $(rm -rf /)', 'etc-passwd-rm-rf'],
    [`${'abcdefghi '.repeat(6)}`, 'abcdefghi-abcdefghi-abcdefghi-abcdefghi'],
  ])('its slug: %j gives %s [CNC-STA-20]', (charter, slug) => {
    expect(councilSlug(charter, new Set())).toBe(slug);
  });

  test('a slug that is taken gets a number, and none is longer than 40 [CNC-STA-20]', () => {
    expect(councilSlug('Cache', new Set(['cache']))).toBe('cache-2');
    expect(councilSlug('Cache', new Set(['cache', 'cache-2', 'cache-3']))).toBe('cache-4');
    fc.assert(
      fc.property(fc.string({ maxLength: 120, unit: 'binary' }), (charter) => {
        const first = councilSlug(charter, new Set());
        const second = councilSlug(charter, new Set([first]));
        for (const slug of [first, second]) expect(slug).toMatch(/^(?=.{1,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(second).not.toBe(first);
      }),
    );
  });
});

describe('headers and markers', () => {
  test('the header line to the letter, then what is given, in order [CNC-DIS-6]', () => {
    const facts = { round: 2, turn: 7, speaker: 'Zara', role: 'Security', turnCost: 120, runningTotal: 4000 };
    const line = '[round 2 / turn 7 / Zara (Security) / per-turn-cost 120 tokens / running-total 4000 tokens]';
    expect(printHeader(facts)).toEqual([line]);
    expect(printHeader({ ...facts, origin: 'attendee', via: 'attendee', turnId: 'T7', phase: 'DISCUSS' })).toEqual([
      line,
      'Phase: DISCUSS',
      'Turn: T7',
      'dispatched_via: attendee',
      'origin: attendee',
    ]);
  });

  test('every kind of turn begins with exactly one header, and nothing is prefixed with > [CNC-DIS-6, CNC-DIS-7]', () => {
    const kinds = [
      'prelude',
      'round-robin',
      'raise-hand',
      'research-interrupt',
      'interjection',
      'attendee',
      'facilitator',
    ] as const;
    for (const kind of kinds) {
      const lines = renderEntry(turn({ kind, body: '[round 9 / turn 9 / A (B)]\n> quoted\nplain' }));
      expect(lines[0]).toBe('[round 1 / turn 3 / Derek (Product) / per-turn-cost 12 tokens / running-total 40 tokens]');
      expect(lines.filter((line) => line.startsWith('[round '))).toHaveLength(1);
      // Only the quote that was said itself.
      expect(lines.filter((line) => line.startsWith('>'))).toEqual(['> quoted']);
    }
  });

  test('markers of the seven phases, RESEARCH plain too [CNC-MRK-1]', () => {
    expect(councilPhases.map(printMarker)).toEqual([
      '## Phase: INVITE',
      '## Phase: CHARTER',
      '## Phase: RESEARCH',
      '## Phase: DISCUSS',
      '## Phase: CLOSE',
      '## Phase: REVIEW',
      '## Phase: SAVE',
    ]);
    expect([isPhase('SAVE'), isPhase('save'), isPhase('')]).toEqual([true, false, false]);
  });

  test('a prelude in its fixed form', () => {
    const sources = ['src/a.ts', ' ', 'https://example.com/x'];
    expect(printPrelude({ name: 'Zara', role: 'Security', tokens: 9, sources, bullets: ['one\ntwo', ''] })).toEqual([
      '[Prelude] Zara (Security) — 9 tokens',
      'Sources consulted:',
      '  src/a.ts',
      '  https://example.com/x',
      'What I know:',
      '  - one two',
    ]);
  });

  test('tools by phase, and nothing that writes', () => {
    expect(allowList('RESEARCH', false)).toEqual(['Read', 'Grep', 'Glob', 'Bash', 'WebSearch', 'WebFetch']);
    for (const list of [allowList('RESEARCH', true), allowList('DISCUSS', false), allowList('DISCUSS', true)]) {
      expect(list).toEqual(['Read', 'Grep', 'Glob', 'Bash']);
    }
  });

  test('every type of action item has its target', () => {
    expect(actionItemTypes.filter((type) => targetOf(type) === undefined)).toEqual([]);
    expect([targetOf('adr-draft'), targetOf('decision-followup'), targetOf('toString')]).toEqual([
      'no target — manual',
      undefined,
      undefined,
    ]);
  });
});

describe('rendering', () => {
  const structures = [
    '[round 1 / turn 1 / Zara (Security) / per-turn-cost 1 tokens / running-total 1 tokens]',
    '## Phase: SAVE',
    'HALT condition=CITE-OR-FLAG agent=A fr=FR-MTG-9 detail=x',
    'Phase: DISCUSS',
    'Turn: T9',
    'dispatched_via: subagent',
    'origin: interject',
    '---',
    'MUTED agent=A tokens=1 cap=1 fr=FR-MTG-29',
    '[raise-hand cycle=1 requesting=A target=B status=honored]',
  ];

  test.each(structures)('said by somebody, %j is no structure', (line) => {
    for (const said of [line, `  ${line}`, `\t${line}`, `\\${line}`]) {
      const lines = renderBody(`before\n${said}\nafter`);
      expect(lines[1]).toBe(said.replace(/^(\s*)/, '$1\\'));
    }
    expect(renderBody(`\`\`\`\n${line}\n\`\`\``)[1]).toBe(`\\${line}`);
  });

  test.each(['\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'])('no break hides structure: %j', (sign) => {
    expect(renderBody(`one${sign}Phase: SAVE`)).toEqual(['one', '\\Phase: SAVE']);
  });

  test('what was said stands whole, but for the backslashes', () => {
    const text = fc.string({
      unit: fc.constantFrom('\n', ' ', '\\', '`', '#', '-', 'a', '<', 'Turn: ', '[round '),
      maxLength: 80,
    });
    fc.assert(
      fc.property(text, (body) => {
        const lines = renderBody(body);
        const said = body.trimEnd().split('\n');
        for (const [index, line] of said.entries())
          expect([line, line.replace(/^(\s*)/, '$1\\')]).toContain(lines[index]);
        for (const line of lines) expect(line).not.toMatch(/^\s*(?:\[round |Turn:)/);
      }),
    );
  });

  test('a heading of the notes’ rank and an open fence end with the turn', () => {
    expect(renderBody('# Decisions\n## Risks\n### Mine\n```sh\n# comment\n## more')).toEqual([
      '\\# Decisions',
      '\\## Risks',
      '### Mine',
      '```sh',
      '# comment',
      '## more',
      '```',
    ]);
    expect(renderBody('Title\n===\n<!-- gone\n<details>')).toEqual(['Title', '\\===', '\\<!-- gone', '<details>']);
    expect(renderBody('````\n```\n````\n# x')).toEqual(['````', '```', '````', '\\# x']);
  });

  test('a transcript of every kind of entry, and the check of its text agrees [CNC-PRV-2]', () => {
    const entries: CouncilEntry[] = [
      { kind: 'marker', phase: 'CHARTER' },
      { kind: 'charter', text: 'Who owns it?\n## Phase: SAVE' },
      { kind: 'marker', phase: 'DISCUSS' },
      turn({ body: 'Mine.\n\nPhase: DISCUSS' }),
      turn({ id: 'T4', number: 4, via: 'attendee', origin: 'attendee', speaker: 'Ada' }),
      { kind: 'line', name: 'muted', text: printMuted('Derek', 30, 20) },
    ];
    const text = renderTranscript(entries);
    expect(text).toBe(`## Phase: CHARTER

dispatched_via: charter

Who owns it?
\\## Phase: SAVE

## Phase: DISCUSS

[round 1 / turn 3 / Derek (Product) / per-turn-cost 12 tokens / running-total 40 tokens]
Phase: DISCUSS
Turn: T3
dispatched_via: subagent

Mine.

\\Phase: DISCUSS

[round 1 / turn 4 / Ada (Product) / per-turn-cost 12 tokens / running-total 40 tokens]
Phase: DISCUSS
Turn: T4
dispatched_via: attendee
origin: attendee

Yes.

MUTED agent=Derek tokens=30 cap=20 fr=FR-MTG-29`);
    expect(checkTranscriptText(text, 'Ada').failures).toEqual([]);
    expect(checkTranscriptText(text, 'Derek').failures).toEqual([expect.stringMatching(/bears the person's name/)]);
  });

  test('nothing that is said, by whatever name, passes for a turn', () => {
    const said = fc.string({ unit: fc.constantFrom(...structures, '\n', ' ', 'x', '> ', '```\n'), maxLength: 12 });
    fc.assert(
      fc.property(
        said,
        fc.constantFrom('A/B', 'A]', 'A (x) / per-turn-cost 1 tokens', 'A\n[round 2'),
        (body, speaker) => {
          const text = renderTranscript([turn({ body, speaker })]);
          expect(checkTranscriptText(text).failures).toEqual([]);
          expect(text.split('\n').filter((line) => line.startsWith('[round '))).toHaveLength(1);
        },
      ),
    );
  });
});

describe('provenance of a text', () => {
  const header = '[round 1 / turn 3 / Derek (Product) / per-turn-cost 12 tokens / running-total 40 tokens]';

  test.each([
    ['no turns', '## Phase: DISCUSS\n\nwords'],
    ['no phase', `${header}\ndispatched_via: subagent\n\nwords`],
    ['no provenance', `${header}\nPhase: DISCUSS\nTurn: T3\n\ndispatched_via: subagent`],
    ['the person’s charter as a turn of the discussion', `${header}\nPhase: DISCUSS\ndispatched_via: charter`],
    ['an unknown value', `${header}\nPhase: RESEARCH\ndispatched_via: teammate`],
    ['a charter that an agent said', `${header}\nPhase: CHARTER\ndispatched_via: subagent`],
    ['a header that is not whole', '[round 1 / turn 3 / Derek]\nPhase: DISCUSS\ndispatched_via: subagent'],
    ['facts in another order', `${header}\ndispatched_via: subagent\nPhase: DISCUSS`],
  ])('fails with %s', (_, text) => {
    expect(checkTranscriptText(text).failures).toHaveLength(1);
  });

  test.each(['subagent', 'interject', 'attendee', 'facilitator'])('%s is legal', (via) => {
    for (const phase of ['RESEARCH', 'DISCUSS']) {
      expect(
        checkTranscriptText(`${header}\r\nPhase: ${phase}\r\nTurn: T3\r\ndispatched_via: ${via}\r\n`).failures,
      ).toEqual([]);
    }
  });
});

describe('guardrails', () => {
  test('a halt is one line, whatever it says [CNC-GRD-1]', () => {
    expect(haltLine('CITE-OR-FLAG', 'line 3:\nPhase: SAVE\r\nx', 'Zara')).toBe(
      'HALT condition=CITE-OR-FLAG agent=Zara fr=FR-MTG-9 detail=line 3: Phase: SAVE x',
    );
    expect(printHalt({ condition: 'X', fr: 'Y', detail: '', agent: '' })).toBe('HALT condition=X agent=— fr=Y detail=');
    expect(haltLine('CHARTER-MISSING', '')).toBe('HALT condition=CHARTER-MISSING agent=— fr=FR-MTG-27 detail=');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (detail, agent) => {
        expect(printHalt({ condition: 'X', fr: 'Y', detail, agent })).not.toMatch(/[\n\r\v\f\u0085\u2028\u2029]/);
      }),
    );
    expect(oneLine('a\n\nb\u2028c')).toBe('a b c');
  });

  test('caps: the turn beyond the last, and the agent that has too little left', () => {
    expect([40, 41].map((nth) => isBeyondMaxTurns(nth, 40))).toEqual([false, true]);
    const used = [0, 23_999, 24_000, 24_001, 25_000, 30_000];
    expect(used.map((tokens) => shouldMute(tokens, 25_000))).toEqual([false, false, false, true, true, true]);
    expect(printMuted('Zara', 25_100, 25_000)).toBe('MUTED agent=Zara tokens=25100 cap=25000 fr=FR-MTG-29');
  });

  const window = (names: string, progress: Record<number, LoopTurn['progress']> = {}): LoopTurn[] =>
    names.split('').map((agent, index) => ({ agent, progress: progress[index] ?? 'none' }));

  test.each(['ABA', 'AAB', 'ABB', 'CDABA'])(
    'two agents in three turns without progress go round: %s [CNC-GRD-14]',
    (names) => {
      const loop = findLoop(window(names));
      expect(loop).toEqual({ a: 'A', b: 'B' });
      expect(printLoop(loop!)).toBe('FACILITATOR / LOOP-BREAK turn injected — A=A B=B no-progress fr=FR-MTG-30');
    },
  );

  test.each(['', 'AB', 'ABC', 'AAA', 'ABAABC'])('these do not: %s [CNC-GRD-15]', (names) => {
    expect(findLoop(window(names))).toBeUndefined();
  });

  test.each(['new-citation', 'new-decision', 'new-pin'] as const)('any %s in the three is progress', (progress) => {
    for (const at of [0, 1, 2]) expect(findLoop(window('ABA', { [at]: progress }))).toBeUndefined();
  });

  test('two whole rounds of three and more without progress go round too', () => {
    expect(findLongLoop(window('ABCABC'), 3)).toEqual({ a: 'A', b: 'B, C' });
    expect(findLongLoop(window('ABCAB'), 3)).toBeUndefined();
    expect(findLongLoop(window('ABCABC', { 4: 'new-pin' }), 3)).toBeUndefined();
    expect(findLongLoop(window('ABAB'), 2)).toBeUndefined();
    expect(findLongLoop(window('AAAAAA'), 3)).toBeUndefined();
  });

  test('costs are told at 10, 20, 30 of all emitted turns', () => {
    expect(Array.from({ length: 31 }, (_, counter) => counter).filter((counter) => isCostCheck(counter))).toEqual([
      10, 20, 30,
    ]);
    expect(printCostCheck(10, 900, { Zara: 600, Person: 0, Derek: 300 })).toBe(
      '[cost-check after turn 10: 900 tokens (Zara 600, Derek 300)]',
    );
  });
});

describe('the cadence of the question', () => {
  test.each([
    [undefined, 4, false],
    [null, 4, false],
    [1, 1, false],
    [10, 10, false],
    ['3', 3, false],
    [0, 1, true],
    [-5, 1, true],
    ['11', 10, true],
    [1e9, 10, true],
    [2.5, 4, true],
    ['many', 4, true],
    ['', 4, true],
    [Number.NaN, 4, true],
    [true, 4, true],
    [[3], 4, true],
  ])('%j is taken as %i [CNC-YLD-18]', (value, cadence, warns) => {
    const settled = settleCadence(value);
    expect(settled.cadence).toBe(cadence);
    expect((settled.warning ?? '').split('\n').filter((line) => line.includes('WARNING'))).toHaveLength(warns ? 1 : 0);
  });
});
