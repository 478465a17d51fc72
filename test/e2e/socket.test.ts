/** A page's socket at a real hall: a whole meeting over it, a hall that goes away and comes back, and who may not have one. */
import { describe, expect, test } from 'vitest';
import type { MeetingOpened, TurnEvent } from '../../src/features/meetings/contract.ts';
import type { ServerMessage } from '../../src/kernel/pure/wire.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { askTicket, openPage, tryPage, type PageSocket } from '../help/page-sockets.ts';

const portOf = (hall: TestHall): number => Number(new URL(hall.url).port);
const enter = async (hall: TestHall): Promise<PageSocket> =>
  await openPage(portOf(hall), { ticket: await askTicket(portOf(hall), hall.token) });

const turnEventsOf = (received: readonly ServerMessage[]): TurnEvent[] =>
  received.flatMap((message) =>
    message.kind === 'event' && message.event.type === 'meeting.turn'
      ? [(message.event.data as { event: TurnEvent }).event]
      : [],
  );
const turnsEnded = (received: readonly ServerMessage[]): number =>
  turnEventsOf(received).filter(({ type }) => type === 'turn_end').length;
const seqsOf = (received: readonly ServerMessage[]): number[] =>
  received.flatMap((message) => (message.kind === 'event' ? [message.event.seq] : []));
const outputOf = (message: ServerMessage): Record<string, unknown> => {
  expect(message).toMatchObject({ kind: 'answer' });
  return (message as { output: Record<string, unknown> }).output;
};

describe('a meeting over the socket', () => {
  test('is opened, heard as it speaks, spoken to and closed; the same events as over HTTP [DOOR-SOCKET]', async () => {
    const { hall } = await startHallWithProject();
    const page = await enter(hall);
    page.send({ kind: 'follow', after: null });
    const opened = outputOf(
      await page.call('meeting.open', { project: 'tally', worker: 'researcher', message: 'What does it count?' }),
    ) as unknown as MeetingOpened;
    await page.until((received) => turnsEnded(received) === 1);
    outputOf(await page.call('meeting.say', { id: opened.id, message: 'And where?' }));
    await page.until((received) => turnsEnded(received) === 2);
    const text = turnEventsOf(page.received).map((event) => (event.type === 'text_delta' ? event.text : ''));
    expect(text.filter((piece) => piece !== '').length).toBeGreaterThan(2);
    const over: unknown[] = [];
    const leaving = new AbortController();
    const last = seqsOf(page.received).at(-1);
    for await (const event of hall.client.events({ after: opened.cursor, signal: leaving.signal })) {
      over.push(event);
      if (event.seq === last) break;
    }
    leaving.abort();
    const heard = page.received.flatMap((message) => (message.kind === 'event' ? [message.event] : []));
    expect(heard.slice(-over.length)).toEqual(over);
    expect(await page.call('meeting.say', { id: 'nobody-knows-it', message: 'x' })).toMatchObject({
      kind: 'refusal',
      problem: { code: 'not_found' },
    });
  });

  test('a hall that stops says 1001; from the cursor a page goes on at the next one without a hole [DOOR-SOCKET, WEB-CURSOR]', async () => {
    const { hall } = await startHallWithProject();
    const page = await enter(hall);
    page.send({ kind: 'follow', after: null });
    await page.call('meeting.open', { project: 'tally', worker: 'researcher', message: 'What does it count?' });
    await page.until((received) => turnEventsOf(received).length > 0);
    const held = await enter(hall);
    await hall.restart();
    expect(await page.closed).toEqual({ code: 1001, reason: 'The hall stops.' });
    expect(await held.closed).toMatchObject({ code: 1001 });
    const before = seqsOf(page.received);
    const last = page.received.findLast((message) => message.kind === 'event')!;
    const after = last.kind === 'event' ? `${last.event.epoch}.${last.event.seq}` : '';
    const back = await enter(hall);
    back.send({ kind: 'follow', after });
    const now = outputOf(await back.call('meeting.list', {}));
    expect(now).toMatchObject({ meetings: [{ project: 'tally' }] });
    await back.until((received) => turnsEnded(received) + turnsEnded(page.received) > 0);
    const all = [...before, ...seqsOf(back.received)];
    expect(all).toEqual(Array.from(all, (_, index) => all[0]! + index));
    expect(back.received.filter(({ kind }) => kind === 'gap')).toEqual([]);
  });
});

test('a real hall refuses who has no ticket, another one’s, or another origin [SEC-TICKET, SEC-SOCKET-ORIGIN]', async () => {
  const { hall } = await startHallWithProject();
  const port = portOf(hall);
  const ticket = await askTicket(port, hall.token);
  for (const origin of ['http://evil.example', `http://127.0.0.1:${port + 1}`, `http://localhost:${port}`, null])
    expect([origin, await tryPage(port, { origin, ticket })]).toEqual([
      origin,
      expect.objectContaining({ status: 403 }),
    ]);
  const rebound = `evil.example:${port}`;
  expect(await tryPage(port, { host: rebound, origin: `http://${rebound}`, ticket })).toMatchObject({ status: 403 });
  expect(await tryPage(port, {})).toMatchObject({ status: 401 });
  expect(await tryPage(port, { ticket: hall.token })).toMatchObject({ status: 401 });
  expect(await tryPage(port, { ticket })).toHaveProperty('ws');
  expect(await tryPage(port, { ticket })).toMatchObject({ status: 401 });
});
