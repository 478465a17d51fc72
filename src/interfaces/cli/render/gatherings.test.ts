import { expect, test } from 'vitest';
import type { Message } from '../../../features/gatherings/contract.ts';
import {
  gatheringFactsSchema,
  type GatheringFacts,
  type GatheringStatus,
  type GatheringView,
} from '../../../features/gatherings/contract/gathering-views.ts';
import { createTerminal } from '../terminal.ts';
import { gatheringRenderers } from './gatherings.ts';

const term = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
const at = '2026-03-01T09:30:00.000Z';
const id = 'weekly-k3f9';
const show = (name: string, answer: unknown): string => gatheringRenderers[name]!(answer as never, term);

const facts: GatheringFacts = gatheringFactsSchema.parse({
  id,
  project: 'shop',
  rhythm: 'weekly',
  question: 'What wants\u001b[2J to change?',
  structure: { inhale: 1, hold: 2, exhale: 1 },
  beatsPerTurn: 3,
  beatIntervalSeconds: 60,
  graceSeconds: 20,
  extraBeats: 2,
  harvestSeconds: 300,
  startedBy: 'person',
  startedAt: at,
  seats: [
    { number: 1, name: 'Ada', role: 'speaker', terminal: 'a-1', isSpawned: false, state: 'here' },
    { number: 2, name: 'Mo', role: 'speaker', terminal: null, isSpawned: false, state: 'here' },
    { number: 3, name: 'Ben', role: 'speaker', terminal: 'b-1', isSpawned: false, state: 'gone' },
    { number: 4, name: 'Hal', role: 'harvester', terminal: 'h-1', isSpawned: false, state: 'here' },
  ],
  stage: 'hold',
  round: 2,
  spoken: [],
  turn: null,
  close: null,
  harvest: null,
  end: null,
});

const end = {
  at,
  trail: '.lore/gatherings/weekly.md',
  harvested: [{ kind: 'todo' as const, title: 'Write it', path: '.lore/todos/x.md' }],
  isWrittenByHall: true,
  commit: '0123456789abcdef',
};

const status: GatheringStatus = {
  id,
  rhythm: 'weekly',
  question: facts.question,
  stage: 'hold',
  round: 2,
  rounds: 2,
  holder: { name: 'Mo', number: 2 },
  beat: 1,
  beats: 3,
  seats: facts.seats.map(({ number, name, role, state, terminal }) => ({
    number,
    name,
    role,
    state,
    terminal,
    isPerson: terminal === null,
    hasSpoken: number === 1,
  })),
  due: null,
  you: 2,
  end: null,
};

test('the circle: phase, round, beat, who has the piece, who had it, who is gone [GTH-STATE-1]', () => {
  expect(show('gathering.status', status)).toBe(
    '● hold, round 2 of 2  What wants[2J to change?\n' +
      'weekly-k3f9 · rhythm weekly · beat 2 of 3\n' +
      '  ✓ 1 Ada  had the piece in this round\n' +
      '  ◆ 2 Mo (you)  has the piece\n' +
      '  ✗ 3 Ben  is gone\n' +
      '  · 4 Hal  harvester, listens\n' +
      'Look on: guild-hall gathering join weekly-k3f9\n',
  );
  const over: GatheringStatus = { ...status, stage: 'closed', round: 0, rounds: 0, holder: null, end };
  expect(show('gathering.status', over)).toContain(
    '✓ The trail: .lore/gatherings/weekly.md, commit 0123456789. The harvester gave none: it stands there from the record.\n' +
      '  todo: Write it  .lore/todos/x.md\n',
  );
  expect(show('gathering.status', over)).toContain('guild-hall gathering show weekly-k3f9');
});

test('what is begun, passed, ended, said', () => {
  expect(show('gathering.start', status)).toMatch(
    /^✓ The gathering has begun: weekly-k3f9\n {2}✓ 1 Ada[\s\S]+gathering join weekly-k3f9\n[\s\S]+gathering end weekly-k3f9\n$/,
  );
  expect(show('gathering.pass', { ...status, holder: { number: 1, name: 'Ada' } })).toContain(
    '✓ The piece is passed.\n',
  );
  expect(show('gathering.end', { ...status, stage: 'closing' })).toContain('◐ closing  What');
  expect(show('gathering.pass', { ...status, holder: { number: 2, name: 'Mo' } })).toMatch(/^✓ The pass is taken: /);
  const closed = show('gathering.status', { ...status, stage: 'closed', holder: null });
  expect(closed).toMatch(/ 2 Mo \(you\)\n/);
  expect(closed).toContain(' 4 Hal  harvester\n');
  expect(show('gathering.say', { fate: 'kept' })).toBe('✓ Kept: it goes out with your next turn.\n');
  expect(show('gathering.typing', { id })).toBe('');
});

test('the list, and the rhythms', () => {
  expect(show('gathering.list', { gatherings: [] })).toContain('Begin one: guild-hall gathering start');
  expect(show('gathering.list', { gatherings: [{ ...facts, messages: 3, lastAt: at }] })).toBe(
    'state   id           rhythm  last (UTC)        who                question\n' +
      '● hold  weekly-k3f9  weekly  2026-03-01 09:30  Ada, Mo, Ben, Hal  What wants[2J to change?\n',
  );
  const weekly = {
    name: 'weekly',
    title: 'Weekly',
    about: '',
    questions: [],
    structure: { inhale: 2, hold: 2, exhale: 2 },
    beatsPerTurn: 3,
    beatIntervalSeconds: 60,
    source: 'person',
  };
  const told = show('gathering.rhythms', { rhythms: [weekly], problems: ['x.md, line 2: no structure'] });
  expect(told).toContain('weekly  2-2-2   3 × 1 min  yours  Weekly\n');
  expect(told).toContain('▲ x.md, line 2: no structure\n');
});

test('as a transcript: words under their names, the hall’s lines, nothing that is private to another', () => {
  const message = (number: number, more: Partial<Message>): Message => ({
    id: `m${number}`,
    number,
    kind: 'words',
    from: 'hall',
    text: '',
    at,
    to: [1, 2],
    fate: 'sent',
    receipts: [],
    ...more,
  });
  const failed = { to: 3, receipt: { state: 'failed' as const, why: 'It is gone.' } };
  const view: GatheringView = {
    gathering: facts,
    messages: [
      message(1, { kind: 'seed', to: [1], text: 'seed of Ada' }),
      message(2, { kind: 'seed', to: [2], text: 'seed of Mo' }),
      message(3, {
        kind: 'banner',
        text: '[guild-hall] Hold, round 2 of 2. Bring friction.\nThe piece is now with Ada (1)',
      }),
      message(4, { from: 1, text: 'Two\u001b]0;x\u0007\nlines', receipts: [failed] }),
      message(5, { kind: 'beat', to: [1], text: '[Beat 1/3] for Ada' }),
      message(6, {
        kind: 'announcement',
        from: 'person',
        text: '[guild-hall] Announcement of the host\n\nTen minutes',
      }),
      message(7, { kind: 'harvest', to: [4], text: 'ask of Hal' }),
    ],
    earlier: 2,
    due: null,
    you: 2,
    kept: [],
    allowed: ['say', 'pass', 'announce', 'end'],
    cursor: 'x.1',
  };
  const shown = show('gathering.show', view);
  expect(shown).toContain('weekly-k3f9 · rhythm weekly · 1-2-1 · Ada (1) · Mo (2) · Ben (3) · Hal (4), harvester\n');
  expect(shown).toContain('… 2 earlier messages\n');
  expect(shown).toContain('\nHold, round 2 of 2. Bring friction.\n◆ The piece is now with Ada (1)\n');
  expect(shown).toContain('\nAda (1)  2026-03-01 09:30; Ben not reached: It is gone.\nTwo]0;x\nlines\n');
  expect(shown).toContain('Announcement of the host\n\nTen minutes\n');
  expect(shown).toContain('seed of Mo');
  expect(shown).not.toMatch(/seed of Ada|for Ada|ask of Hal/);
  expect(shown).toContain(
    `Next: guild-hall gathering say ${id} "…", guild-hall gathering pass ${id}, guild-hall gathering say --as-host ${id} "…", guild-hall gathering end ${id}\n`,
  );
  const over = { ...view, gathering: { ...facts, stage: 'closed' as const, end }, allowed: [], you: null };
  expect(show('gathering.join', over)).toContain('  todo: Write it  .lore/todos/x.md\n');
  expect(show('gathering.join', over)).not.toContain('seed of Mo');
});
