import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  beginMeeting,
  closePlayed,
  crashPlayed,
  draftPlayed,
  endPlayed,
  type PlayedMeeting,
  renamePlayed,
  renewPlayed,
  retryPlayed,
  sayPlayed,
  showPlayed,
  startTurn,
  viewOf,
} from '../../../../test/help/played-meeting.ts';
import type { HallEvent } from '../../../kernel/pure/events.ts';
import type { TurnEvent } from '../contract.ts';
import { type Conversation, conversationOf, foldMeetingEvent, shownTurns } from './conversation.ts';

type Play = (meeting: PlayedMeeting) => void;

const words = fc.oneof(
  fc.constantFrom(
    'One ',
    'two.\n',
    '\n\n',
    'a SECRET here',
    '> Tool: x',
    '## User (x) turn 1 m',
    '\ud83e',
    '\udd89',
    '',
  ),
  fc.string({ maxLength: 20 }),
);
const callId = fc.constantFrom('c1', 'c2', 'c3');
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 7 }),
  fc.constant({ path: 'x'.repeat(5000), list: Array(99).fill(1) }),
);
const pieces: fc.Arbitrary<TurnEvent> = fc.oneof(
  { weight: 3, arbitrary: words.map((text) => ({ type: 'text_delta' as const, text })) },
  fc.record({ type: fc.constant('tool_use' as const), callId, name: fc.constantFrom('Grep', 'Read'), input: anything }),
  fc.record({
    type: fc.constant('tool_result' as const),
    callId,
    name: fc.constant('Grep'),
    ok: fc.boolean(),
    summary: fc.oneof(words, fc.constant('line\n'.repeat(900))),
  }),
);
const usage = fc.option(
  fc.record({
    inputTokens: fc.nat(),
    outputTokens: fc.nat(),
    costUsd: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    contextUsed: fc.constant(10),
    contextWindow: fc.constant(200),
  }),
);
const endings = fc.oneof(
  fc.record({ type: fc.constant('turn_end' as const), interrupted: fc.boolean() }),
  fc.record({ type: fc.constant('error' as const), reason: words, hint: words }),
);
const outcomes = fc.constantFrom('merged' as const, 'kept' as const, 'merge_conflict' as const);
const plays: fc.Arbitrary<Play> = fc.oneof(
  {
    weight: 20,
    arbitrary: pieces.map(
      (event): Play =>
        (meeting) =>
          showPlayed(meeting, event),
    ),
  },
  { weight: 6, arbitrary: fc.constant<Play>(startTurn) },
  {
    weight: 3,
    arbitrary: words.map(
      (text): Play =>
        (meeting) =>
          sayPlayed(meeting, text),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(endings, usage).map(
      ([end, used]): Play =>
        (meeting) =>
          endPlayed(meeting, end, used),
    ),
  },
  fc.constant<Play>(retryPlayed),
  fc.constant<Play>(crashPlayed),
  fc.constant<Play>(renewPlayed),
  fc.constant<Play>((meeting) => closePlayed(meeting, 'stopped')),
  fc.option(words).map(
    (text): Play =>
      (meeting) =>
        draftPlayed(meeting, text),
  ),
  words.map(
    (title): Play =>
      (meeting) =>
        renamePlayed(meeting, title),
  ),
);
const meetings = fc
  .tuple(fc.array(plays, { maxLength: 60, size: 'max' }), fc.option(outcomes))
  .map(([steps, outcome]) => {
    // Snapshots by the hundred would hide the counterexample: only what was told is printed.
    const meeting = Object.assign(beginMeeting(), { [fc.toStringMethod]: () => JSON.stringify(meeting.events) });
    for (const play of steps) play(meeting);
    if (outcome !== null) closePlayed(meeting, outcome);
    return meeting;
  });

const fold = (from: Conversation, events: readonly HallEvent[]): Conversation => events.reduce(foldMeetingEvent, from);

describe('a conversation is the same live, replayed and reloaded [WEB-REPLAY]', () => {
  test('from any moment, however late its files are read, and with events that it knows already', () => {
    const wait = fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat());
    const cuts = fc.tuple(fc.nat(), wait, wait, wait, fc.nat({ max: 9 }));
    fc.assert(
      fc.property(meetings, cuts, (meeting, [at, ...later]) => {
        const { snapshots, events } = meeting;
        const places = [at % snapshots.length];
        // Each file is read at the same moment as the one before it, or later.
        for (const more of later.slice(0, 3)) {
          const before = places.at(-1)!;
          places.push(before + (more % (snapshots.length - before)));
        }
        const [stream, record, state, transcript] = places.map((place) => snapshots[place]!);
        const from = Math.max(0, stream!.told - later[3]!);
        const reloaded = conversationOf(viewOf(snapshots.at(-1)!));
        const begun = conversationOf(viewOf(stream!, record, state, transcript));
        expect(fold(begun, events.slice(from))).toEqual(reloaded);
      }),
      { numRuns: 500 },
    );
  });

  test('two readers who begin at different moments show the same at every event after that', () => {
    fc.assert(
      fc.property(meetings, fc.nat(), ({ snapshots, events }, given) => {
        const late = snapshots[given % snapshots.length]!;
        let early = fold(conversationOf(viewOf(snapshots[0]!)), events.slice(0, late.told));
        let other = conversationOf(viewOf(snapshots.find(({ told }) => told === late.told)!));
        for (const event of events.slice(late.told)) {
          early = foldMeetingEvent(early, event);
          other = foldMeetingEvent(other, event);
          expect(shownTurns(other)).toEqual(shownTurns(early));
        }
      }),
      { numRuns: 150 },
    );
  });
});

test('what is not about the meeting gives the same conversation back; a piece leaves the turns before it as they are', () => {
  const meeting = beginMeeting();
  startTurn(meeting);
  endPlayed(meeting, { type: 'turn_end', interrupted: false }, null);
  sayPlayed(meeting, 'And then?');
  startTurn(meeting);
  const begun = conversationOf(viewOf(meeting.now));
  showPlayed(meeting, { type: 'text_delta', text: 'Then.' });
  const piece = meeting.events.at(-1)!;
  for (const other of [{ subject: 'meeting:other' }, { project: 'other' }, { seq: 1 }, { subject: null }])
    expect(foldMeetingEvent(begun, { ...piece, ...other })).toBe(begun);
  const next = foldMeetingEvent(begun, piece);
  expect(next.turns).toBe(begun.turns);
  expect(shownTurns(next).at(-1)?.answer).toMatchObject({ text: 'Then.', state: 'running', at: null });
  expect(foldMeetingEvent(next, piece)).toBe(next);
});
