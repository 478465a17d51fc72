/** What a page is sent, looked at turn by turn: the socket itself only notes it down. */
import { EventEmitter } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WebSocket } from 'ws';
import { createBackground } from '../../../kernel/background/background.ts';
import { systemClock, systemIds } from '../../../kernel/clock/clock.ts';
import { openEventStream } from '../../../kernel/events/events.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { ServerMessage } from '../../../kernel/pure/wire.ts';
import { followEvents } from './follow.ts';
import { defaultSocketSettings, type Session } from './session.ts';

const base = { clock: systemClock, ids: systemIds, log: silentLog };
const nextTurn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve));

async function setUp() {
  const dir = await mkdtemp(join(tmpdir(), 'gh-follow-'));
  const events = await openEventStream(base, dir);
  const background = createBackground(silentLog);
  const sent: ServerMessage[] = [];
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: (text: Buffer | string) => void sent.push(JSON.parse(String(text)) as ServerMessage),
  });
  const session = { ws: ws as unknown as WebSocket, settings: defaultSocketSettings, room: undefined };
  onTestFinished(async () => {
    ws.readyState = 3;
    ws.emit('close');
    await background.idle();
    await events.close();
    await rm(dir, { recursive: true, force: true });
  });
  const follow = (after: string | null): void =>
    background.spawn('follow', async () => {
      await followEvents({ ...base, events, spawn: background.spawn }, session as unknown as Session, after);
    });
  const publish = (count: number): void => {
    for (let each = 0; each < count; each += 1)
      events.publish({ type: 'thing.done', project: null, subject: null, data: each });
  };
  return { dir, events, sent, follow, publish };
}

test('many events at once are sent in portions, between which others get their turn', async () => {
  const { sent, follow, publish } = await setUp();
  follow(null);
  await nextTurn();
  publish(1000);
  for (const most of [256, 512, 768]) {
    await nextTurn();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.length).toBeLessThanOrEqual(most);
  }
  while (sent.length < 1000) await nextTurn();
});

test('a hole in the middle of what is kept is a gap: the page reads anew and goes on from there', async () => {
  const { dir, events, sent, follow, publish } = await setUp();
  publish(20);
  const [name] = await readdir(dir);
  const lines = (await readFile(join(dir, name!), 'utf8')).split('\n');
  // As long as it was, so that all later lines stand where they stood.
  lines[4] = 'x'.repeat(lines[4]!.length);
  await writeFile(join(dir, name!), lines.join('\n'));
  follow(printCursor({ ...events.cursor(), seq: 0 }));
  while (!sent.some(({ kind }) => kind === 'gap')) await nextTurn();
  publish(1);
  while (sent.length < 6) await nextTurn();
  const seqs = sent.map((message) => (message.kind === 'event' ? message.event.seq : message));
  expect(seqs).toEqual([1, 2, 3, 4, { kind: 'gap', cursor: printCursor({ ...events.cursor(), seq: 20 }) }, 21]);
});
