/** Sitting in a gathering, with a hall that says only what a test lets it say. */
import { expect, test } from 'vitest';
import type { Message } from '../../features/gatherings/contract.ts';
import {
  gatheringFactsSchema,
  type GatheringFacts,
  type GatheringView,
} from '../../features/gatherings/contract/gathering-views.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import type { FollowParts } from './follow.ts';
import { followGathering, startAndFollowGathering } from './gathering-follow.ts';
import type { LineTold } from './line-input.ts';
import type { Prompt } from './prompt.ts';
import { createTerminal } from './terminal.ts';

const id = 'weekly-k3f9';
const at = '2026-03-01T09:30:00.000Z';

const facts: GatheringFacts = gatheringFactsSchema.parse({
  id,
  project: 'shop',
  rhythm: 'weekly',
  question: 'What wants to change?',
  structure: { inhale: 1, hold: 1, exhale: 1 },
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
    { number: 3, name: 'Hal', role: 'harvester', terminal: 'h-1', isSpawned: false, state: 'here' },
  ],
  stage: 'inhale',
  round: 1,
  spoken: [],
  turn: null,
  close: null,
  harvest: null,
  end: null,
});

const turnOf = (holder: number): GatheringFacts['turn'] => ({
  number: holder,
  holder,
  announcedAt: at,
  arrivedAt: at,
  beats: 1,
  askedAt: null,
  hasSpoken: false,
  passing: null,
  told: [],
  graceUntil: null,
});

const message = (number: number, more: Partial<Message>): Message => ({
  id: `m${number}`,
  number,
  kind: 'words',
  from: 'hall',
  text: '',
  at,
  to: [1, 2, 3],
  fate: 'sent',
  receipts: [],
  ...more,
});

const words = (number: number, from: number, text: string): Message => message(number, { from, text });
const piece = (number: number, who: string): Message =>
  message(number, { kind: 'piece', text: `The piece is now with ${who}` });

function viewOf(more: Partial<GatheringView> & { facts?: Partial<GatheringFacts> } = {}): GatheringView {
  const { facts: own, ...rest } = more;
  return {
    gathering: { ...facts, ...own },
    messages: [],
    earlier: 0,
    due: null,
    you: 2,
    kept: [],
    allowed: ['say', 'announce', 'end'],
    cursor: 'e.1',
    ...rest,
  };
}

let seq = 1;
const event = (type: string, data: object): HallEvent =>
  ({
    type,
    project: 'shop',
    subject: `gathering:${id}`,
    data: { id, ...data },
    epoch: 'e',
    seq: (seq += 1),
    at,
  }) as HallEvent;
const changed = (own: Partial<GatheringFacts>): HallEvent =>
  event('gathering.changed', { gathering: { ...facts, ...own }, due: null, kept: [], allowed: [] });

const closing = {
  stage: 'closed' as const,
  turn: null,
  end: { at, trail: '.lore/gatherings/weekly.md', harvested: [], isWrittenByHall: false, commit: '0123456789abcd' },
};

interface World {
  /** What is answered when it is looked at; the last one again and again. */
  readonly views: readonly GatheringView[];
  /** What is told each time that it is followed, after which the hall goes away for `away`. */
  readonly events?: readonly (readonly (HallEvent | (() => Promise<void>))[])[];
  readonly answers?: Readonly<Record<string, unknown>>;
  readonly isTTY?: boolean;
  readonly canType?: boolean;
  readonly goesAfter?: number;
}

/** Sits there until it is over. */
function open(world: World) {
  let [out, err, follows] = ['', '', 0];
  const calls: [string, unknown][] = [];
  const asked: string[] = [];
  const views = [...world.views];
  const typing = deferred<LineTold>();
  const interrupts: (() => void)[] = [];
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      if (name === 'gathering.join') return views.length > 1 ? views.shift() : views[0];
      calls.push([name, input]);
      const answer = world.answers?.[name];
      if (answer instanceof Error) throw answer;
      return answer ?? {};
    },
    events: async function* ({ signal }) {
      const told = world.events?.[follows] ?? [];
      follows += 1;
      for (const each of told) {
        if (typeof each === 'function') await each();
        else yield each;
      }
      if (world.goesAfter === follows) throw fail('unavailable', 'No hall is running.', 'guild-hall up');
      const left = deferred();
      signal.addEventListener('abort', () => left.resolve());
      if (signal.aborted) left.resolve();
      await left.promise;
    },
  };
  const prompt: Prompt = {
    ask: async () => undefined,
    edit: async () => undefined,
    open: (told) => {
      typing.resolve(told);
      return { print: (text) => void (out += text), ask: (question) => void asked.push(question), close: () => {} };
    },
  };
  const parts: FollowParts = {
    terminal: createTerminal(
      {
        out: { write: (text: string) => (out += text), isTTY: world.isTTY ?? true },
        err: { write: (text: string) => (err += text) },
      },
      { NO_COLOR: '1' },
    ),
    onInterrupt: (listener) => {
      interrupts.push(listener);
      return () => {};
    },
    // A second passes when the test ends it.
    sleep: async (ms, signal) => {
      if (ms !== 1000) return;
      const over = deferred();
      signal.addEventListener('abort', () => over.resolve());
      await over.promise;
    },
    nowIso: () => '2026-03-01T09:31:00.000Z',
    connect: async () => client,
    ...((world.canType ?? true) && { prompt }),
  };
  return {
    parts,
    client,
    calls,
    asked,
    typing: typing.promise,
    interrupt: () => interrupts[0]!(),
    said: () => ({ out, err }),
  };
}

const settled = async (): Promise<void> => await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('what is said is printed as it comes, the turn of the person is told, and the end with its trail [GTH-HUMAN-5, GTH-HUMAN-6]', async () => {
  const beat = message(4, { kind: 'beat', to: [2], text: '[Beat 1/3] Signals refresh: x. Continue, pivot, or pass.' });
  const world = open({
    views: [
      viewOf({ messages: [message(1, { kind: 'banner', text: '[guild-hall] Inhale, round 1 of 1. Share.' })] }),
      viewOf({ facts: closing }),
    ],
    events: [
      [
        changed({ turn: turnOf(1) }),
        event('gathering.message', { message: words(2, 1, 'A first word.') }),
        event('gathering.message', { message: piece(3, 'Mo (2)') }),
        changed({ turn: turnOf(2) }),
        event('gathering.message', { message: beat }),
        event('gathering.message', { message: message(5, { kind: 'beat', to: [1], text: '[Beat 1/3] for Ada' }) }),
        event('gathering.closed', { gathering: { ...facts, ...closing } }),
      ],
    ],
  });
  expect(await followGathering.run(world.parts, world.client, viewOf(), false)).toBe(0);
  const { out } = world.said();
  expect(out).toContain('\nInhale, round 1 of 1. Share.\n');
  expect(out).toContain('\nAda (1)  2026-03-01 09:30\nA first word.\n');
  expect(out).toContain('\n◆ The piece is now with Mo (2)\nIt is your turn.\n');
  expect(out).toContain('[Beat 1/3] Signals refresh: x.');
  // Beats are private.
  expect(out).not.toContain('for Ada');
  expect(out).toContain('✓ The trail: .lore/gatherings/weekly.md, commit 0123456789.\n');
  expect(world.asked).toEqual(
    expect.arrayContaining(['(Ada has the piece) > ', '◆ your turn, beat 2 of 3, 2 min left > ']),
  );
});

test('lines are words, and commands do what they say; what is typed stands once [GTH-HUMAN-4, GTH-HUMAN-9]', async () => {
  const over = deferred();
  const world = open({
    views: [viewOf({ facts: { turn: turnOf(2) } }), viewOf({ facts: closing })],
    events: [
      [
        async () => {
          const told = await world.typing;
          told.onTyping();
          told.onTyping();
          for (const line of ['It is slow.', '/pass Ada', '/host Ten minutes left', '/status', '/end', '/nope', ''])
            told.onLine(line);
          while (world.calls.length < 6) await settled();
        },
        event('gathering.message', { message: words(1, 2, 'It is slow.') }),
        async () => over.resolve(),
        event('gathering.closed', { gathering: { ...facts, ...closing } }),
      ],
    ],
    answers: {
      'gathering.say': { id, message: 'w', fate: 'sent' },
      'gathering.status': {
        id,
        rhythm: 'weekly',
        question: 'q',
        stage: 'inhale',
        round: 1,
        rounds: 1,
        holder: { name: 'Mo', number: 2 },
        beat: 1,
        beats: 3,
        seats: [],
        due: null,
        you: 2,
        end: null,
      },
    },
  });
  await followGathering.run(world.parts, world.client, viewOf(), false);
  await over.promise;
  // Told once that somebody types, however many keys there were.
  expect(world.calls).toEqual([
    ['gathering.typing', { id }],
    ['gathering.say', { id, text: 'It is slow.' }],
    ['gathering.pass', { id, to: 'Ada' }],
    ['gathering.say', { id, text: 'Ten minutes left', asHost: true }],
    ['gathering.status', { id }],
    ['gathering.end', { id }],
  ]);
  const { out } = world.said();
  expect(out).toContain('Said to all.');
  expect(out).not.toContain('Mo (2)  2026');
  expect(out).toContain('/nope is no command here.');
  expect(out).toContain('● inhale, round 1 of 1');
});

test('what the hall refuses is told, what it keeps too, and the gathering goes on', async () => {
  const refusals = open({
    views: [viewOf(), viewOf({ facts: closing })],
    events: [
      [
        async () => {
          const told = await refusals.typing;
          told.onLine('/pass');
          told.onLine('Later then.');
          while (!refusals.said().out.includes('Kept')) await settled();
        },
        event('gathering.closed', { gathering: { ...facts, ...closing } }),
      ],
    ],
    answers: {
      'gathering.pass': fail('forbidden', 'The piece is with Ada (1); only who holds it passes it on.', 'Wait.'),
      'gathering.say': { id, message: 'w', fate: 'kept' },
    },
  });
  expect(await followGathering.run(refusals.parts, refusals.client, viewOf(), false)).toBe(0);
  const { out } = refusals.said();
  expect(out).toContain('▲ The piece is with Ada (1)');
  expect(out).toContain('Kept: it goes out with your next turn.');
});

test('Ctrl-C leaves, and it goes on; so does the end of what can be typed', async () => {
  for (const how of ['interrupt', 'end', 'leave'] as const) {
    const world = open({ views: [viewOf()], events: [[]] });
    const ran = followGathering.run(world.parts, world.client, viewOf(), false);
    const told = await world.typing;
    if (how === 'interrupt') world.interrupt();
    if (how === 'end') told.onEnd();
    if (how === 'leave') told.onLine('/leave');
    expect([how, await ran]).toEqual([how, 130]);
    expect(world.said().err).toContain(`You left; the gathering goes on. Back: guild-hall gathering join ${id}`);
    expect(world.calls).toEqual([]);
  }
});

test('a hall that goes away is found again; what was left out of the stream is read anew, nothing twice', async () => {
  const world = open({
    views: [
      viewOf({ messages: [words(1, 1, 'one')] }),
      viewOf({ messages: [words(1, 1, 'one'), words(2, 1, 'two')] }),
      viewOf({ messages: [words(1, 1, 'one'), words(2, 1, 'two'), words(3, 1, 'three'), words(4, 1, 'four')] }),
      viewOf({ facts: closing }),
    ],
    events: [
      [],
      [event('gathering.message', { message: words(4, 1, 'four') })],
      [event('gathering.closed', { gathering: { ...facts, ...closing } })],
    ],
    goesAfter: 1,
  });
  expect(await followGathering.run(world.parts, world.client, viewOf(), false)).toBe(0);
  const said = world.said().out;
  expect(said.match(/\n(one|two|three|four)\n/g)).toEqual(['\none\n', '\ntwo\n', '\nthree\n', '\nfour\n']);
  expect(said).toContain('The hall went away');
});

test('without a terminal it is followed to its end, and a start says what to type next', async () => {
  const world = open({
    views: [viewOf({ messages: [words(1, 1, 'one')], facts: closing })],
    isTTY: false,
    canType: false,
  });
  expect(await followGathering.run(world.parts, world.client, viewOf(), false)).toBe(0);
  expect(world.said().out).toContain('Ada (1)  2026-03-01 09:30\none\n');
  const status = { id, rhythm: 'weekly', question: 'q', stage: 'inhale', seats: [], you: 2, end: null, holder: null };
  expect(await startAndFollowGathering.run(world.parts, world.client, status, false)).toBe(0);
  expect(world.said().out).toContain(`✓ The gathering has begun: ${id}\n`);
  expect(world.said().out).toContain(`guild-hall gathering join ${id}`);
  const asJson = open({ views: [viewOf()] });
  expect(await startAndFollowGathering.run(asJson.parts, asJson.client, status, true)).toBe(0);
  expect(JSON.parse(asJson.said().out)).toEqual(status);
  // At a terminal, and without a seat of the person: it says where to look on.
  const watching = open({ views: [viewOf()] });
  await startAndFollowGathering.run(watching.parts, watching.client, { ...status, you: null }, false);
  expect(watching.said().out).toContain('Look on, and speak:');
});
