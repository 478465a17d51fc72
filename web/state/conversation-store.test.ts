import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MeetingView } from '../../src/features/meetings/contract.ts';
import { conversationOf, shownTurns } from '../../src/features/meetings/fold/conversation.ts';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import {
  beginMeeting,
  endPlayed,
  type PlayedMeeting,
  sayPlayed,
  showPlayed,
  startTurn,
  viewOf,
} from '../../test/help/played-meeting.ts';
import { type ConversationStore, createConversationStore, follow } from './conversation-store.ts';

const refused: ErrorFacts = { code: 'unavailable', message: 'Away.', hint: 'Wait.' };

interface Read {
  /** How many snapshots there were when it was asked: the answer is none from before. */
  readonly asked: number;
  readonly answer: (view: MeetingView) => void;
  readonly refuse: (why: Error) => void;
}

/** A page and a hall, moved by hand: when a read is answered, an event arrives, a frame is drawn. */
interface Stage {
  readonly meeting: PlayedMeeting;
  readonly store: ConversationStore;
  readonly reads: Read[];
  readonly frames: (() => void)[];
  /** How many events have arrived. */
  arrived: number;
}

function beginStage(): Stage {
  const reads: Stage['reads'] = [];
  const frames: Stage['frames'] = [];
  const meeting = beginMeeting();
  const store = createConversationStore({
    eventListeners: new Set(),
    resetListeners: new Set(),
    read: () => new Promise((answer, refuse) => reads.push({ asked: meeting.snapshots.length, answer, refuse })),
    factsOf: () => refused,
    onFrame: (run) => {
      frames.push(run);
      return () => frames.splice(frames.indexOf(run), 1);
    },
  });
  return { meeting, store, reads, frames, arrived: 0 };
}

function arrive({ store }: Stage, event: HallEvent): void {
  for (const listener of store.source.eventListeners) listener(event);
}

function arriveNext(stage: Stage): void {
  const event = stage.meeting.events[stage.arrived];
  if (event === undefined) return;
  stage.arrived += 1;
  arrive(stage, event);
}

function reset({ store }: Stage): void {
  for (const listener of store.source.resetListeners) listener();
}

/** @param ago how many steps ago the hall looked, at most back to when it was asked */
async function answerRead({ meeting, reads }: Stage, ago = 0): Promise<void> {
  const read = reads.shift();
  if (read === undefined) return;
  const nth = Math.max(read.asked - 1, meeting.snapshots.length - 1 - ago);
  read.answer(viewOf(meeting.snapshots[nth]!));
  await settled();
}

/** What hangs on promises alone has happened. */
async function settled(): Promise<void> {
  for (let nth = 0; nth < 20; nth += 1) await Promise.resolve();
}

function drawFrame({ frames }: Stage): void {
  for (const run of frames.splice(0)) run();
}

async function settle(stage: Stage): Promise<void> {
  while (stage.arrived < stage.meeting.events.length || stage.reads.length > 0 || stage.frames.length > 0) {
    while (stage.arrived < stage.meeting.events.length) arriveNext(stage);
    drawFrame(stage);
    await answerRead(stage);
  }
}

/** What is shown, without the cursor. */
function shown({ store }: Stage) {
  const { conversation } = store.state;
  return conversation && { ...conversation, cursor: '', running: null, turns: shownTurns(conversation) };
}

function runningText({ store }: Stage): string | undefined {
  return store.state.conversation?.running?.view.text;
}

/** What the hall had streamed of the same turn when it told the last event that is folded in. */
function textThen({ meeting, store }: Stage): string | undefined {
  const { running, cursor } = store.state.conversation ?? {};
  const then = meeting.snapshots.findLast(({ told }) => `e1.${told}` === cursor);
  if (!running) return undefined;
  return then?.stream?.turn === running.turn ? then.stream.text : running.view.text;
}

type Move = (stage: Stage) => void | Promise<void>;

const speak: Move = ({ meeting }) => showPlayed(meeting, { type: 'text_delta', text: `piece ${meeting.seconds} ` });
const talk: fc.Arbitrary<Move> = fc.constantFrom<Move>(
  speak,
  speak,
  speak,
  ({ meeting }) => sayPlayed(meeting, `words at ${meeting.seconds}`),
  ({ meeting }) => startTurn(meeting),
  ({ meeting }) => showPlayed(meeting, { type: 'tool_use', callId: 'c', name: 'Read', input: { path: 'a' } }),
  ({ meeting }) => endPlayed(meeting, { type: 'turn_end', interrupted: false }, null),
);
const page: fc.Arbitrary<Move> = fc.constantFrom<Move>(
  arriveNext,
  arriveNext,
  drawFrame,
  (stage) => answerRead(stage),
  // The read looked at the hall a while ago.
  (stage) => answerRead(stage, 3),
  async (stage) => {
    stage.reads.shift()?.refuse(new Error('away'));
    await settled();
    reset(stage);
  },
  // Events were missed for good.
  (stage) => {
    stage.arrived = stage.meeting.events.length;
    reset(stage);
  },
);

test('However reads, events and frames fall together, no word is lost or doubled [WEB-AWAY]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(talk, page), { maxLength: 80, size: 'max' }), async (moves) => {
      const stage = beginStage();
      follow(stage.store);
      for (const move of moves) {
        await move(stage);
        expect(runningText(stage)).toEqual(textThen(stage));
      }
      await settle(stage);
      const whole = conversationOf(viewOf(stage.meeting.now));
      expect(shown(stage)).toEqual({ ...whole, cursor: '', running: null, turns: shownTurns(whole) });
    }),
    { numRuns: 300 },
  );
});

async function following(): Promise<Stage> {
  const stage = beginStage();
  follow(stage.store);
  await settle(stage);
  return stage;
}

function playAnswer(stage: Stage, text: string): void {
  startTurn(stage.meeting);
  showPlayed(stage.meeting, { type: 'text_delta', text });
  endPlayed(stage.meeting, { type: 'turn_end', interrupted: false }, null);
}

test('An answer that is over stays the same object while others come, and when all is read anew', async () => {
  const stage = await following();
  playAnswer(stage, 'The first.');
  await settle(stage);
  const first = stage.store.state.conversation!.turns[0];
  sayPlayed(stage.meeting, 'And then?');
  playAnswer(stage, 'The second.');
  reset(stage);
  await settle(stage);
  expect(stage.store.state.conversation!.turns).toHaveLength(2);
  expect(stage.store.state.conversation!.turns[0]).toBe(first);
});

test('What arrives while a read is under way is folded into what it answers', async () => {
  const stage = await following();
  startTurn(stage.meeting);
  await settle(stage);
  reset(stage);
  const looked = stage.meeting.snapshots.length;
  for (const text of ['one ', 'two ']) showPlayed(stage.meeting, { type: 'text_delta', text });
  arriveNext(stage);
  arriveNext(stage);
  await answerRead(stage, stage.meeting.snapshots.length - looked);
  expect(runningText(stage)).toBe('one two ');
});

test('Many pieces of an answer are drawn once a frame', async () => {
  const stage = await following();
  startTurn(stage.meeting);
  for (let nth = 0; nth < 100; nth += 1) showPlayed(stage.meeting, { type: 'text_delta', text: `${nth} ` });
  let draws = 0;
  stage.store.listeners.add(() => (draws += 1));
  while (stage.arrived < stage.meeting.events.length) arriveNext(stage);
  expect(draws).toBe(0);
  drawFrame(stage);
  expect(draws).toBe(1);
  expect(stage.store.state.conversation!.running!.view.text).toMatch(/^0 1 .* 99 $/);
});

test('While events are missing, what is on the screen stays as it is until all is read anew', async () => {
  const stage = await following();
  playAnswer(stage, 'Whole.');
  await settle(stage);
  const before = stage.store.state.conversation;
  reset(stage);
  const last = stage.meeting.events.at(-1)!;
  arrive(stage, { ...last, seq: last.seq + 5, data: { turn: 1, event: { type: 'text_delta', text: 'torn' } } });
  drawFrame(stage);
  expect(stage.store.state.conversation).toBe(before);
});

test('A hall whose count began anew is read again', async () => {
  const stage = await following();
  arrive(stage, { ...stage.meeting.events.at(-1)!, epoch: 'e2', seq: 1 });
  drawFrame(stage);
  expect(stage.reads).toHaveLength(1);
});

test('A read that is refused leaves what was there, and says why', async () => {
  const stage = await following();
  const before = stage.store.state.conversation;
  reset(stage);
  stage.reads.shift()!.refuse(new Error('away'));
  await settled();
  expect(stage.store.state).toMatchObject({ problem: refused, conversation: before });
});

test('A page that is left listens to nothing more', async () => {
  const stage = await following();
  stage.store.stop!();
  expect(stage.store.source.eventListeners.size + stage.store.source.resetListeners.size).toBe(0);
  expect(stage.frames).toHaveLength(0);
});
