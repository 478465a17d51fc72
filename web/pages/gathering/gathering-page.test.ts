/** What the page of a gathering is drawn from: lines of the words, the track of time, the time of a turn, the circle, the form. */
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../src/features/gatherings/contract.ts';
import type { Seat, Turn } from '../../../src/features/gatherings/contract/gathering.ts';
import { canBeNamed, clockText, nextOf } from '../../kit/gathering-words.ts';
import { mostInCircle, pieceAt, seatAt, side, wayOf } from './circle-geometry.ts';
import { emptyDraft, fieldOf, freeName, inputOf, longestMs, problemsOf, readGatheringDraft } from './start-form.ts';
import { reachedIn, trackOf } from './time-track.ts';
import { linesOf } from './transcript-lines.ts';
import { turnTimeOf } from './turn-time.ts';

const seats = (...names: string[]): Seat[] =>
  [...names, 'Hana'].map((name, nth, all) => ({
    number: nth + 1,
    name,
    role: nth === all.length - 1 ? 'harvester' : 'speaker',
    terminal: null,
    isSpawned: false,
    state: 'here',
  }));

const turn: Turn = {
  number: 1,
  holder: 2,
  announcedAt: '2026-11-22T10:00:00.000Z',
  arrivedAt: '2026-11-22T10:00:10.000Z',
  beats: 0,
  askedAt: null,
  hasSpoken: false,
  passing: null,
  told: [],
  graceUntil: null,
};

let number = 0;
const message = (kind: Message['kind'], text: string, more: Partial<Message> = {}): Message => {
  number += 1;
  return {
    id: `m${number}`,
    number,
    kind,
    from: 'hall',
    text,
    at: turn.announcedAt,
    to: [1],
    fate: 'sent',
    receipts: [],
    ...more,
  };
};

describe('lines of what was said', () => {
  const kinds = (messages: Message[]) => linesOf(messages).map(({ kind }) => kind);

  test('a banner and the piece of one message are two lines; seeds, and beats of one holder, are one', () => {
    const banner = message('banner', '[guild-hall] Inhale, round 1 of 2. Share.\nThe piece is now with Ada (1)');
    const messages = [message('seed', 'a'), message('seed', 'b'), banner, message('beat', '1'), message('beat', '2')];
    expect(kinds(messages)).toEqual(['seeds', 'banner', 'piece', 'beats']);
    expect(linesOf([banner])).toMatchObject([{ title: 'Inhale, round 1 of 2', text: 'Share.' }, { with: 'Ada (1)' }]);
    expect(kinds([message('beat', '1'), message('beat', '1', { to: [2] })])).toEqual(['beats', 'beats']);
    expect(kinds([message('beat', '1'), message('words', 'x', { from: 1 }), message('beat', '2')])).toHaveLength(3);
  });

  test('words that look like a line of the hall stay words', () => {
    const words = message('words', 'The piece is now with Ada (1)\n[guild-hall] The close: now', { from: 2 });
    expect(linesOf([words])).toEqual([{ kind: 'words', key: words.id, message: words, text: words.text }]);
  });

  test('an announcement is shown without the line that marks it for programs', () => {
    expect(
      linesOf([message('announcement', '[guild-hall] Announcement of Mo (1):\n\nTen minutes.\n\nThen lunch.')]),
    ).toMatchObject([{ kind: 'announcement', text: 'Ten minutes.\n\nThen lunch.' }]);
  });
});

describe('the track of time', () => {
  const facts = {
    seats: seats('Ada', 'Grace', 'Mo'),
    structure: { inhale: 1, hold: 2, exhale: 1 },
    stage: 'hold' as const,
    round: 2,
    spoken: [1],
    turn,
    close: null,
  };

  test('each turn of the round is one mark; who is gone and had none has none', () => {
    const [inhale, hold, exhale] = trackOf(facts).phases;
    expect([inhale?.state, hold?.state, exhale?.state]).toEqual(['past', 'now', 'ahead']);
    expect(hold?.rounds.map(({ turns }) => turns.join(' '))).toEqual(['past past past', 'past now ahead']);
    const gone = facts.seats.map((seat) => (seat.number === 3 ? { ...seat, state: 'gone' as const } : seat));
    expect(trackOf({ ...facts, seats: gone }).phases[1]?.rounds[1]?.turns).toEqual(['past', 'now']);
  });

  test('of one that was ended early what was held stays, the rest is dropped', () => {
    const close = { why: { kind: 'ended' as const, by: 'person' as const }, at: turn.announcedAt };
    const over = { ...facts, stage: 'closing' as const, round: 0, spoken: [], turn: null, close };
    const reached = reachedIn([
      message('banner', '[guild-hall] Hold, round 2 of 2. Ask.\nThe piece is now with Ada (1)'),
    ]);
    expect(reached).toEqual({ phase: 'hold', round: 2 });
    const { phases, harvest } = trackOf(over, reached);
    expect(phases.map(({ rounds }) => rounds.map(({ state }) => state))).toEqual([
      ['past'],
      ['past', 'dropped'],
      ['dropped'],
    ]);
    expect(harvest).toBe('now');
    expect(trackOf({ ...over, stage: 'closed', close: { ...close, why: { kind: 'rounds' } } }).phases[2]?.state).toBe(
      'past',
    );
  });
});

describe('the time of a turn', () => {
  const facts = { beatsPerTurn: 3, beatIntervalSeconds: 60, graceSeconds: 20 };
  const at = (seconds: number) => Date.parse(turn.arrivedAt!) + seconds * 1000;

  test('it goes down from the arrival to the closing question, then for the last words', () => {
    expect(turnTimeOf(facts, { ...turn, arrivedAt: null }, null, at(0))).toMatchObject({ stage: 'coming', share: 0 });
    expect(turnTimeOf(facts, { ...turn, beats: 1 }, null, at(90))).toEqual({
      stage: 'speaking',
      leftMs: 90_000,
      share: 0.5,
      beat: 2,
    });
    const asked = { ...turn, beats: 3, askedAt: new Date(at(180)).toISOString() };
    expect(turnTimeOf(facts, asked, null, at(185))).toMatchObject({ stage: 'last', leftMs: 15_000, beat: 3 });
    const due = { what: 'limit' as const, at: new Date(at(300)).toISOString() };
    expect(turnTimeOf(facts, asked, due, at(290))).toMatchObject({ stage: 'over', leftMs: 10_000 });
    expect(turnTimeOf(facts, turn, null, at(999))).toMatchObject({ leftMs: 0, share: 1 });
  });

  test('the figures', () => {
    expect([0, 1, 59_001, 61_000, 3_661_000, -5].map(clockText)).toEqual([
      '0:00',
      '0:01',
      '1:00',
      '1:01',
      '1:01:01',
      '0:00',
    ]);
  });
});

test('all seats and the whole way of the piece lie within the drawing', () => {
  for (let of = 2; of <= mostInCircle; of += 1) {
    for (let nth = 0; nth < of; nth += 1) {
      for (const { x, y } of [seatAt(nth, of), pieceAt(nth, of)]) {
        expect(Math.min(x, y)).toBeGreaterThan(40);
        expect(Math.max(x, y)).toBeLessThan(side - 40);
      }
    }
    expect(wayOf([0, 1, 0], of)).toHaveLength(2);
  }
  expect(wayOf([0], 3)).toEqual([]);
});

test('who comes next, and who can be named', () => {
  const facts = { seats: seats('Ada', 'Grace', 'Mo'), spoken: [3], turn };
  expect(nextOf(facts)?.name).toBe('Ada');
  expect(canBeNamed(facts).map(({ name }) => name)).toEqual(['Ada']);
  // The last of a round names who opens the next.
  expect(nextOf({ ...facts, spoken: [3, 1] })).toBeUndefined();
  expect(canBeNamed({ ...facts, spoken: [3, 1] }).map(({ name }) => name)).toEqual(['Ada', 'Mo']);
});

describe('the form', () => {
  const ada = { kind: 'terminal', ref: 'ada-1', name: 'Ada' } as const;
  const claude = { kind: 'entry', ref: 'claude', name: 'claude' } as const;
  const mo = { kind: 'person', ref: '', name: ' Mo ' } as const;
  const hana = { kind: 'entry', ref: 'claude', name: 'Hana' } as const;
  const draft = { ...emptyDraft, participants: [ada, mo, claude], harvester: hana };
  const rhythm = {
    name: 'daily',
    title: 'Daily',
    about: '',
    questions: [],
    structure: { inhale: 1, hold: 1, exhale: 1 },
    beatsPerTurn: 2,
    beatIntervalSeconds: 30,
    source: 'hall',
  } as const;

  test('what goes to the hall', () => {
    expect(inputOf({ ...draft, beats: '4' }, { question: 'Why?', rhythm: 'daily', project: 'sample' })).toEqual({
      rhythm: 'daily',
      project: 'sample',
      openingQuestion: 'Why?',
      participants: ['ada-1', 'Mo', 'claude'],
      harvester: 'Hana=claude',
      human: 'Mo',
      beatsPerTurn: 4,
    });
    expect(longestMs(draft, { ...rhythm, questions: [] })).toBe(3 * 3 * 60_000);
  });

  test('what is missing, at its field', () => {
    expect(problemsOf(draft, 'Why?')).toEqual({});
    expect(Object.keys(problemsOf(emptyDraft, ' ')).toSorted()).toEqual([
      'harvester',
      'openingQuestion',
      'participants',
    ]);
    expect(problemsOf({ ...draft, harvester: { ...hana, name: 'ada' } }, 'Why?').participants).toContain(
      'Two are called',
    );
    expect(problemsOf({ ...draft, structure: '2-2', beats: '0', interval: 'x' }, 'Why?')).toMatchObject({
      structure: expect.any(String) as string,
      beatsPerTurn: expect.any(String) as string,
      beatIntervalSeconds: expect.any(String) as string,
    });
  });

  test('where the hall’s refusal belongs, names that are free, and drafts of any shape', () => {
    expect(fieldOf({ details: { field: 'human' } })).toBe('participants');
    expect(fieldOf({ details: { fields: [{ field: 'participants.0' }] } })).toBe('participants');
    expect(fieldOf({ details: { field: 'project' } })).toBeUndefined();
    expect(freeName('claude', ['Claude', 'claude-2'])).toBe('claude-3');
    expect(
      readGatheringDraft('{"participants":[1,{"kind":"person","ref":"","name":"Mo"}],"harvester":{}}'),
    ).toMatchObject({
      participants: [{ name: 'Mo' }],
      harvester: null,
    });
    expect([readGatheringDraft(''), readGatheringDraft('[')]).toEqual([emptyDraft, emptyDraft]);
  });
});
