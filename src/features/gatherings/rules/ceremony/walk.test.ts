/** Gatherings by dice: whatever members do, die, miss or say twice, the circle is kept. Judged by what was told. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Circle,
  put,
  sampleCircle,
  sendOut,
  wait,
  waitForClock,
  words,
} from '../../../../../test/help/ceremony.ts';
import { gatheringSchema, type Notice, type Structure } from '../../contract/gathering.ts';
import { dueOf } from './due.ts';
import { countsAsTurn, type Input, step } from './machine.ts';
import { livingSpeakers } from './piece.ts';

const everybody = ['Ada', 'Ben', 'Cyd', 'Dan', 'Eve', 'Fay'];

/** What can happen; `value` chooses among members, names, whether. */
const kinds = [
  'arrive',
  'say',
  'pass',
  'name',
  'tool',
  'clock',
  'busy',
  'stranger',
  'early',
  'kept',
  'keptPass',
  'announce',
  'wait',
  'crash',
  'gone',
  'restart',
  'restartLess',
  'end',
] as const;
type Kind = (typeof kinds)[number];

interface Throw {
  readonly kind: string;
  readonly value: number;
}

const deadly = ['gone', 'restart', 'restartLess', 'end'];
/** Some fall more often. */
const often = ['arrive', 'say', 'pass', 'pass', 'pass', 'name', 'name', 'clock', 'clock', 'clock'];
const gentle = [...often, ...kinds.filter((kind) => !deadly.includes(kind))];

function throwsOf(among: readonly string[]) {
  return fc.array(fc.record({ kind: fc.constantFrom(...among), value: fc.nat(1000) }), { maxLength: 120 });
}

const settings = fc.record({
  speakers: fc.integer({ min: 2, max: 6 }),
  /** At which place the person sits, if at all. */
  person: fc.option(fc.nat(5), { nil: undefined }),
  structure: fc.record({
    inhale: fc.integer({ min: 1, max: 3 }),
    hold: fc.integer({ min: 1, max: 3 }),
    exhale: fc.integer({ min: 1, max: 3 }),
  }),
  beatsPerTurn: fc.integer({ min: 1, max: 4 }),
  beatIntervalSeconds: fc.constantFrom(1, 5, 60),
  graceSeconds: fc.constantFrom(0, 2, 20),
});
type Settings = typeof settings extends fc.Arbitrary<infer Some> ? Some : never;

function begin({ speakers, person, ...given }: Settings): Circle {
  const names = everybody.slice(0, speakers);
  if (person !== undefined) names[person % speakers] = 'Mo';
  return sampleCircle(names, given);
}

function pick<Some>(list: readonly Some[], value: number): Some | undefined {
  return list[value % Math.max(1, list.length)];
}

const acts: { readonly [Each in Kind]: (walk: Circle, value: number) => void } = {
  arrive: (walk) => walk.gathering.turn && give(walk, { kind: 'arrived', turn: walk.gathering.turn.number }),
  say: (walk, value) => give(walk, words(walk, `Words ${value}.`)),
  pass: (walk) => give(walk, words(walk, 'Enough.\nI pass')),
  name: (walk, value) => {
    const name = pick([...walk.gathering.seats.map((seat) => seat.name), 'Zoe', '2', 'the next speaker'], value);
    give(walk, words(walk, `I pass to ${name}.`));
  },
  tool: (walk, value) => {
    const from = walk.gathering.turn?.holder ?? 1;
    give(walk, {
      kind: 'pass',
      from,
      to: value % 2 === 0 ? null : (pick(everybody, value) ?? null),
      producing: value % 3 === 0,
    });
  },
  clock: (walk) => waitForClock(walk),
  busy: (walk) => waitForClock(walk, true),
  stranger: (walk, value) => {
    const from = pick(walk.gathering.seats, value)!.number;
    give(walk, words(walk, 'I pass to Ada.', { from, after: pick(walk.log, value)!.id }));
  },
  early: (walk, value) => give(walk, words(walk, 'I pass', { after: pick(walk.log, value)!.id })),
  kept: (walk, value) => give(walk, { kind: 'kept', id: `kept-${value}-${walk.said}`, text: 'For later.' }),
  keptPass: (walk, value) => give(walk, { kind: 'kept', id: `kept-${value}-${walk.said}`, text: 'For later. I pass.' }),
  announce: (walk, value) => give(walk, { kind: 'announce', id: `host-${value}-${walk.log.length}`, text: 'I pass' }),
  wait: (walk, value) => wait(walk, value / 10),
  gone: (walk, value) => give(walk, { kind: 'gone', number: pick(walk.gathering.seats, value)!.number }),
  restart: (walk) => give(walk, { kind: 'restarted', alive: walk.gathering.seats.map(({ number }) => number) }),
  restartLess: (walk, value) => {
    const dead = pick(walk.gathering.seats, value)!.number;
    give(walk, {
      kind: 'restarted',
      alive: walk.gathering.seats.flatMap(({ number }) => (number === dead ? [] : [number])),
    });
  },
  // Killed after the record was written, before anything went out: the next hall sends it.
  crash: (walk, value) => {
    const { turn } = walk.gathering;
    if (turn === null) return;
    walk.gathering = step(walk.gathering, { ...words(walk, `I pass to ${pick(everybody, value)}.`), at: walk.at }).next;
    walk.gathering = step(walk.gathering, { kind: 'clock', at: walk.at, producing: false, pulse: '' }).next;
    sendOut(walk);
  },
  end: (walk, value) => value % 10 === 0 && give(walk, { kind: 'ended', by: 'person' }),
};

type Given<Some> = Some extends Input ? Omit<Some, 'at'> : never;

/** One input, and what it must not do: carry words of others, or anything twice. */
function give(walk: Circle, input: Given<Input>): void {
  const { gathering, at } = walk;
  const now = { ...input, at } as Input;
  const once = step(gathering, now).next;
  if ('id' in now && step(once, now).next !== once) throw new Error(`${now.kind} does something the second time`);
  const told = put(walk, input);
  if (now.kind !== 'words' || gathering.stage === 'closing') return;
  const person = gathering.seats.find(({ terminal }) => terminal === null)?.number;
  const isKept = now.from === person && gathering.turn?.holder !== person;
  if (!isKept) expect(told.some(({ id }) => id === now.id)).toBe(countsAsTurn(gathering, now));
}

/** Throws all dice, then lets time go by until nothing is due. */
function play(given: Settings, dice: readonly Throw[]): Circle {
  const walk = begin(given);
  for (const { kind, value } of dice) {
    acts[kind as Kind](walk, value);
    check(walk);
  }
  for (let left = 5_000; dueOf(walk.gathering) !== null; left -= 1) {
    if (left === 0) throw new Error('it does not end');
    waitForClock(walk);
    check(walk);
  }
  return walk;
}

/** One holder at most, who lives, speaks, and has not had it in this round. */
function check({ gathering }: Circle): void {
  const { turn, spoken, stage, round, structure } = gathering;
  const isOver = stage === 'closing' || stage === 'closed';
  const living = livingSpeakers(gathering).map(({ number }) => number);
  const isRight = isOver
    ? turn === null
    : round >= 1 &&
      round <= structure[stage] &&
      turn !== null &&
      living.includes(turn.holder) &&
      !spoken.includes(turn.holder) &&
      new Set(spoken).size === spoken.length;
  if (!isRight) expect(gathering).toBe('a circle with one holder');
}

interface Round {
  readonly banner: string;
  readonly holders: number[];
}

const pieceOf = /^The piece is now with .* \((\d+)\)$/;

/** As every member can tell it from what it was told. A turn that begins again after a restart is the same one. */
function roundsOf({ log }: Circle): Round[] {
  const rounds: Round[] = [];
  for (const { kind, text } of log) {
    if (kind !== 'piece') continue;
    const lines = text.split('\n');
    const banner = lines
      .map((line) => /^\[guild-hall\] ((?:Inhale|Hold|Exhale), round \d of \d)\./.exec(line)?.[1])
      .find(Boolean);
    if (banner !== undefined) rounds.push({ banner, holders: [] });
    const holder = Number(pieceOf.exec(lines.at(-1)!)![1]);
    const { holders } = rounds.at(-1)!;
    if (!text.includes('begins again')) holders.push(holder);
    else expect(holders.at(-1)).toBe(holder);
  }
  return rounds;
}

function bannersOf({ inhale, hold, exhale }: Structure): string[] {
  const each = [
    ['Inhale', inhale],
    ['Hold', hold],
    ['Exhale', exhale],
  ] as const;
  return each.flatMap(([name, count]) =>
    Array.from({ length: count }, (_, at) => `${name}, round ${at + 1} of ${count}`),
  );
}

function speakersOf(walk: Circle): number[] {
  return walk.gathering.seats.flatMap(({ role, number }) => (role === 'speaker' ? [number] : []));
}

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((one, other) => one - other);
}

function checkMessages(walk: Circle): void {
  const { log, gathering, withdrawn } = walk;
  const ids = log.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const harvester = gathering.seats.at(-1)!.number;
  let holder = 0;
  let turn = 0;
  for (const notice of log) {
    if (notice.kind === 'piece') {
      holder = Number(pieceOf.exec(notice.text.split('\n').at(-1)!)![1]);
      turn += 1;
      expect(notice.id).toBe(`circle-piece-${turn}`);
    } else checkOne(notice, { holder, turn, harvester });
  }
  for (const id of withdrawn) expect(log.find((notice) => notice.id === id)?.kind).toBe('beat');
}

/** A beat is for the holder alone, and of its turn; words are the holder's, and for all others. */
function checkOne(
  notice: Notice,
  now: { readonly holder: number; readonly turn: number; readonly harvester: number },
): void {
  const { kind, id, to, from } = notice;
  if (kind === 'beat') {
    expect(id.startsWith(`circle-beat-${now.turn}-`)).toBe(true);
    expect(to).toEqual([now.holder]);
  }
  if (kind !== 'words') return;
  if (from === now.harvester) return expect(to).toEqual([]);
  expect(from).toBe(now.holder);
  expect(to).not.toContain(from);
}

describe('by dice', () => {
  const options = { numRuns: 120 };

  test('[GTH-PIECE-14] [GTH-PHASE-6] [GTH-PHASE-13] when nobody dies each speaker has one turn in each round', () => {
    fc.assert(
      fc.property(settings, throwsOf(gentle), (given, dice) => {
        const walk = play(given, dice);
        const rounds = roundsOf(walk);
        expect(rounds.map(({ banner }) => banner)).toEqual(bannersOf(given.structure));
        for (const { holders } of rounds) expect(ascending(holders)).toEqual(speakersOf(walk));
        expect(walk.gathering.close?.why).toEqual({ kind: 'rounds' });
        expect(walk.gathering.turn).toBeNull();
        checkMessages(walk);
      }),
      options,
    );
  });

  test('[GTH-PIECE-14] [GTH-PIECE-16] whoever dies, and whenever the hall does: who lives has one turn, nobody two', () => {
    fc.assert(
      fc.property(settings, throwsOf([...gentle, ...gentle, ...deadly]), (given, dice) => {
        const walk = play(given, dice);
        const { gathering } = walk;
        const rounds = roundsOf(walk);
        const living = livingSpeakers(gathering).map(({ number }) => number);
        expect(bannersOf(given.structure).slice(0, rounds.length)).toEqual(rounds.map(({ banner }) => banner));
        for (const { holders } of rounds) expect(new Set(holders).size).toBe(holders.length);
        const whole = gathering.close?.why.kind === 'rounds' ? rounds : rounds.slice(0, -1);
        for (const { holders } of whole) expect(holders).toEqual(expect.arrayContaining(living));
        expect(gathering.stage).toBe('closing');
        expect(gathering.harvest?.isCollected).toBe(true);
        expect(gatheringSchema.parse(gathering)).toEqual(gathering);
        checkMessages(walk);
      }),
      options,
    );
  });

  test('[GTH-PIECE-4] without names the order is that of the seats', () => {
    const calm = ['arrive', 'say', 'pass', 'clock', 'busy', 'early', 'announce'];
    fc.assert(
      fc.property(settings, throwsOf(calm), (given, dice) => {
        const walk = play(given, dice);
        for (const { holders } of roundsOf(walk)) expect(holders).toEqual(speakersOf(walk));
      }),
      { numRuns: 40 },
    );
  });

  test('[GTH-BEAT-5] in each turn the beats count from 1, by one where the clock is not late', () => {
    fc.assert(
      fc.property(settings, throwsOf(['arrive', 'say', 'pass', 'clock', 'busy']), (given, dice) => {
        const walk = play(given, dice);
        const beats = new Map<string, number[]>();
        for (const { kind, id } of walk.log) {
          const [, turn, beat] = /^circle-beat-(\d+)-(\d+)$/.exec(id) ?? [];
          if (kind === 'beat') beats.set(turn!, [...(beats.get(turn!) ?? []), Number(beat)]);
        }
        for (const told of beats.values()) expect(told).toEqual(told.map((_, index) => index + 1));
      }),
      { numRuns: 40 },
    );
  });
});

test('dice that do nothing let every turn run out, and the gathering ends', () => {
  const walk = play(
    {
      speakers: 3,
      person: 1,
      structure: { inhale: 2, hold: 2, exhale: 2 },
      beatsPerTurn: 3,
      beatIntervalSeconds: 60,
      graceSeconds: 20,
    },
    [],
  );
  expect(roundsOf(walk).flatMap(({ holders }) => holders)).toHaveLength(18);
  expect(walk.log.some(({ kind }) => kind === 'words')).toBe(false);
});
