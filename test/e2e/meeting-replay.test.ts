/** The page of a meeting at many moments of a real one: what it shows, with the events that follow, is what a later page shows. */
import { expect, test } from 'vitest';
import type { MeetingView } from '../../src/features/meetings/contract.ts';
import { type Conversation, conversationOf, foldMeetingEvent } from '../../src/features/meetings/fold/conversation.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import {
  close,
  openMeeting,
  readTurn,
  say,
  show,
  startHallWithProject,
  type TestHall,
  untilStill,
} from '../help/halls.ts';
import { waitUntil } from '../help/programs.ts';

const secret = 'AKIAIOSFODNN7EXAMPLE';
const scenario = `
- match: write it down
  do:
    - say: "First I look. "
    - call: { tool: list_artifacts, input: {} }
    - say: "Then I write ${secret}. "
    - call: { tool: write_artifact, input: { path: .lore/notes/n.md, content: "# Note\\n\\nText" } }
    - say: Done.
`;

/** Loads the page again and again until `work` is over. */
async function lookWhile(
  hall: TestHall,
  id: string,
  work: (views: readonly MeetingView[]) => Promise<void>,
): Promise<readonly MeetingView[]> {
  const views: MeetingView[] = [await show(hall, id)];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) views.push(await show(hall, id));
  })();
  await work(views).finally(() => (isOver = true));
  await looking;
  return views;
}

/** How many different parts of a running answer were seen. */
function partsIn(views: readonly MeetingView[]): number {
  return new Set(views.flatMap(({ running }) => (running === null ? [] : [running.view.text.length]))).size;
}

/** Everything that is told of the meeting from `cursor` on, up to the event that `isLast` knows. */
async function eventsUpTo(
  hall: TestHall,
  id: string,
  cursor: string,
  isLast: (event: HallEvent) => boolean,
): Promise<readonly HallEvent[]> {
  const leaving = new AbortController();
  const events: HallEvent[] = [];
  for await (const event of hall.client.events({ subject: `meeting:${id}`, after: cursor, signal: leaving.signal })) {
    events.push(event);
    if (isLast(event)) break;
  }
  leaving.abort();
  return events;
}

function isEndOf(turn: number): (event: HallEvent) => boolean {
  return ({ type, data }) =>
    type === 'meeting.turn' &&
    (data as { turn: number }).turn === turn &&
    ['turn_end', 'error'].includes((data as { event: { type: string } }).event.type);
}

/** Every view with all events folded in shows what the last one shows. Events before a view's cursor are given too. */
function expectSame(views: readonly MeetingView[], events: readonly HallEvent[], end: MeetingView): void {
  const upTo = Number(end.cursor.split('.')[1]);
  const known = events.filter(({ seq }) => seq <= upTo);
  const last = conversationOf(end);
  for (const view of views) {
    const shown: Conversation = known.reduce(foldMeetingEvent, conversationOf(view));
    expect({ ...shown, cursor: '' }).toEqual({ ...last, cursor: '' });
  }
}

test('at many moments of a streaming turn, of a queue, an interrupt and a failure [WEB-REPLAY, MTG-13.2]', async () => {
  const { hall } = await startHallWithProject({ scenario, config: 'agents: { maxRetries: 1, maxPrepared: 0 }\n' });
  const { id, cursor } = await openMeeting(hall, { message: 'Where are words counted?' });
  const views = await lookWhile(hall, id, async (seen) => {
    await say(hall, id, 'write it down');
    const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 20ms x 2000]' })) as Said;
    await hall.client.call('meeting.say', { id, message: 'write it down' });
    await hall.client.call('meeting.say', { id, message: '[rehearse: overloaded]' });
    await eventsUpTo(hall, id, slow.cursor, ({ type, data }) => type === 'meeting.turn' && isTurn(data, slow.turn));
    await hall.client.call('meeting.rename', { id, title: 'Another title' });
    await waitUntil(() => partsIn(seen) > 5);
    await hall.client.call('meeting.interrupt', { id });
    await readTurn(hall, id, slow.cursor, slow.turn + 2);
  });
  const events = await eventsUpTo(hall, id, cursor, isEndOf(5));
  await untilStill(hall, id);
  const end = await show(hall, id);
  expectSame(views, events, end);
  const { turns, title, queue, running } = conversationOf(end);
  expect({ title, queue, running }).toEqual({ title: 'Another title', queue: [], running: null });
  expect(turns.map(({ answer }) => answer?.state)).toEqual(['done', 'done', 'interrupted', 'done', 'failed']);
  const written = turns[1]!.answer!;
  expect(written.text).toContain('secret removed');
  expect(written.tools.map(({ name, after }) => [name, written.text.slice(0, after).trim().slice(-3)])).toEqual([
    ['list_artifacts', 'ok.'],
    ['write_artifact', 'y].'],
  ]);
  expect(written.tools[1]).toMatchObject({
    input: { path: '.lore/notes/n.md', content: '# Note\n\nText' },
    result: { ok: true },
  });
  const failed = turns[4]!.answer!;
  expect(failed.error?.hint).not.toBe('');
  expect(events.map(({ type }) => type)).toContain('meeting.agent_retry');
});

test.each([false, true])(
  'over restarts of the hall, and to the close, the transcript kept: %s [WEB-REPLAY]',
  async (keepTranscripts) => {
    const { hall } = await startHallWithProject({ config: `keepTranscripts: ${keepTranscripts}\n` });
    const { id, cursor } = await openMeeting(hall, { message: 'Hello' });
    const views: MeetingView[] = [];
    const slow = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 20ms x 2000]' })) as Said;
    await hall.client.call('meeting.say', { id, message: 'This one waits' });
    await eventsUpTo(hall, id, slow.cursor, ({ type, data }) => type === 'meeting.turn' && isTurn(data, slow.turn));
    views.push(await show(hall, id));
    await hall.restart();
    views.push(await show(hall, id));
    await readTurn(hall, id, slow.cursor, slow.turn + 1);
    const last = (await hall.client.call('meeting.say', { id, message: '[rehearse: slow 20ms x 2000]' })) as Said;
    await hall.client.call('meeting.say', { id, message: 'Nobody answers this' });
    await eventsUpTo(hall, id, last.cursor, ({ type, data }) => type === 'meeting.turn' && isTurn(data, last.turn));
    views.push(...(await lookWhile(hall, id, async () => void (await close(hall, id)))));
    const events = await eventsUpTo(hall, id, cursor, ({ type }) => type === 'meeting.closed');
    const end = await show(hall, id);
    expectSame(views, events, end);
    const { status, turns } = conversationOf(end);
    expect(status).toBe('closed');
    expect(turns.map(({ answer }) => answer?.state)).toEqual(
      keepTranscripts ? ['done', 'interrupted', 'done', 'interrupted', undefined] : [],
    );
  },
);

interface Said {
  readonly cursor: string;
  readonly turn: number;
}

function isTurn(data: unknown, turn: number): boolean {
  return (data as { turn: number }).turn === turn;
}
