/** When a socket is pinged, believed dead, or too slow: looked at moment by moment, with a socket that notes it down. */
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { handClock } from '../../../../test/help/hand-clock.ts';
import type { EventStream } from '../../../kernel/events/events.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { personCaller } from '../../../kernel/operations/operations.ts';
import { defaultSocketSettings, listen, makeRoom, send, tend, type Session } from './session.ts';

function setUp() {
  const clock = handClock();
  const did: string[] = [];
  const taken: (() => void)[] = [];
  const ws = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    isPaused: false,
    ping: () => void did.push('ping'),
    terminate: () => void did.push('terminate'),
    close: (code: number) => void did.push(`close ${code}`),
    pause: () => void (ws.isPaused = true),
    resume: () => void (ws.isPaused = false),
    send: (text: string, _options: object, done: () => void) => {
      ws.bufferedAmount += text.length;
      taken.push(() => {
        ws.bufferedAmount -= text.length;
        done();
      });
    },
  };
  const session: Session = {
    ws: ws as unknown as WebSocket,
    settings: { ...defaultSocketSettings, maxWaiting: 100 },
    readmit: () => ({ caller: personCaller }),
    queued: [],
    heardMs: 0,
    pingedMs: 0,
    takenMs: 0,
    room: undefined,
    goOn: () => listen(session),
  } as unknown as Session;
  const ctx = { clock, log: silentLog, events: undefined as unknown as EventStream, spawn: () => {} };
  const look = async (afterMs: number): Promise<string[]> => {
    await clock.pass(afterMs);
    tend(ctx, session);
    return did.splice(0);
  };
  return { clock, session, ws, look, take: () => taken.shift()!(), send: (text: string) => send(ctx, session, text) };
}

test('pinged every 20 seconds; dead when nothing came for 20 seconds after that', async () => {
  const { clock, session, look } = setUp();
  expect(await look(19_999)).toEqual([]);
  expect(await look(1)).toEqual(['ping']);
  await clock.pass(10);
  session.heardMs = clock.monotonicMs();
  expect(await look(19_989)).toEqual([]);
  expect(await look(1)).toEqual(['ping']);
  expect(await look(19_999)).toEqual([]);
  expect(await look(1)).toEqual(['terminate']);
});

test('with too much waiting, it is held back until half of it was taken; not pinged meanwhile, nor believed dead after it', async () => {
  const { session, ws, look, send: say, take } = setUp();
  expect(await look(20_000)).toEqual(['ping']);
  for (const text of ['x'.repeat(40), 'x'.repeat(40), 'x'.repeat(40)]) say(text);
  expect([session.room !== undefined, ws.isPaused]).toEqual([true, true]);
  expect(await look(19_000)).toEqual([]);
  take();
  expect(session.room).toBeDefined();
  expect(await look(19_000)).toEqual([]);
  take();
  expect([session.room, ws.isPaused]).toEqual([undefined, false]);
  // The answer to the ping may lie in what is only read now.
  expect(await look(0)).toEqual(['ping']);
  expect(await look(20_000)).toEqual(['terminate']);
});

test('one that takes nothing for 20 seconds while too much waits is closed', async () => {
  const { look, send: say } = setUp();
  await look(10_000);
  say('x'.repeat(100));
  expect(await look(19_999)).toEqual([]);
  expect(await look(1)).toEqual(['close 4408']);
});

test('one that waits for its own calls is neither pinged nor believed dead', async () => {
  const { session, ws, look } = setUp();
  ws.isPaused = true;
  expect(await look(100_000)).toEqual([]);
  makeRoom(session);
  expect(ws.isPaused).toBe(true);
});
