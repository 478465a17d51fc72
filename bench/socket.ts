/**
 * How long an event takes from its publishing to a page: 8 meetings that stream 200 pieces of text a second each, 3
 * pages that follow, which live in a process of their own; and what that costs the hall.
 *
 *   npm run bench -- socket [--seconds 10] [--streams 8] [--rate 200] [--pages 3] [--json <path>]
 *
 * Beside the time between the two processes, each event is written to the log on disk before it is sent.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTestDoors, type TestDoors } from '../test/help/doors.ts';
import { openPage } from '../test/help/page-sockets.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    streams: { type: 'string', default: '8' },
    rate: { type: 'string', default: '200' },
    pages: { type: 'string', default: '3' },
    json: { type: 'string' },
    /** The hall's port: this process is the pages. */
    follow: { type: 'string' },
  },
});
const [seconds, streams, rate, pages] = [flags.seconds, flags.streams, flags.rate, flags.pages].map(Number) as [
  number,
  number,
  number,
  number,
];
const total = seconds * streams * rate;

/** Milliseconds of the machine's monotonic clock, the same in both processes. */
const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

interface Piece {
  readonly atMs: number;
  readonly turn: number;
  readonly event: { readonly type: 'text_delta'; readonly text: string };
}

if (flags.follow === undefined) await beHall();
else await bePages(Number(flags.follow));

async function bePages(port: number): Promise<void> {
  const delays: number[] = [];
  const all = await Promise.all(Array.from({ length: pages }, async () => await openPage(port)));
  for (const page of all) {
    page.ws.on('message', (data) => {
      const receivedMs = nowMs();
      const message = JSON.parse(String(data)) as { kind: string; event?: { data: Piece } };
      if (message.event) delays.push(receivedMs - message.event.data.atMs);
    });
    page.send({ kind: 'follow', after: null });
    await page.call('echo.send', { text: 'Following.' });
  }
  process.send?.('following');
  const isLast = (seq: number): boolean => seq === total;
  await Promise.all(
    all.map(async (page) => {
      await page.until((received) => {
        const last = received.at(-1);
        return last?.kind === 'event' && isLast(last.event.seq);
      });
      const seqs = page.received.flatMap((message) => (message.kind === 'event' ? [message.event.seq] : []));
      if (seqs.some((seq, index) => seq !== index + 1)) throw new Error('a page missed events');
    }),
  );
  for (const page of all) page.ws.terminate();
  process.send?.(delays, () => process.disconnect());
}

async function beHall(): Promise<void> {
  const doors = await openTestDoors();
  const child = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--follow', String(doors.port)]);
  child.once('exit', (code) => {
    if (code !== 0) process.exit(1);
  });
  await once(child, 'message');
  const before = process.cpuUsage();
  const startMs = nowMs();
  const done = once(child, 'message') as Promise<[number[]]>;
  await publishAll(doors, startMs);
  const [delays] = await done;
  const ranMs = nowMs() - startMs;
  const { user, system } = process.cpuUsage(before);
  await doors.close();
  await report(delays, ranMs, (user + system) / 1000);
}

/** Each stream has its own moments, spread over the time between two pieces. */
async function publishAll(doors: TestDoors, startMs: number): Promise<void> {
  for (let published = 0; published < total;) {
    const due = Math.min(total, Math.floor(((nowMs() - startMs) / 1000) * streams * rate));
    for (; published < due; published += 1) {
      const data: Piece = {
        atMs: nowMs(),
        turn: 3,
        event: { type: 'text_delta', text: `piece ${published} of an answer ` },
      };
      const stream = published % streams;
      doors.events.publish({ type: 'meeting.turn', project: 'tally', subject: `meeting:researcher-${stream}`, data });
    }
    await sleep(1);
  }
}

async function report(delays: readonly number[], ranMs: number, cpuMs: number): Promise<void> {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  const result = {
    events: total,
    received: delays.length,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    maxMs: at(1),
    cpuPercent: (cpuMs / ranMs) * 100,
    cpuMicrosecondsAnEvent: (cpuMs * 1000) / total,
  };
  console.log(`${streams} streams of ${rate} events a second, ${pages} pages, ${(ranMs / 1000).toFixed(1)} s`);
  console.log(`published ${total}, received ${delays.length}`);
  console.log(
    `publish to received: p50 ${result.p50Ms.toFixed(2)} ms  p95 ${result.p95Ms.toFixed(2)} ms  p99 ${result.p99Ms.toFixed(2)} ms  max ${result.maxMs.toFixed(2)} ms`,
  );
  console.log(
    `CPU of the hall: ${result.cpuPercent.toFixed(1)} % of one core, ${result.cpuMicrosecondsAnEvent.toFixed(0)} µs an event`,
  );
  console.log('goal: p95 <= 10 ms, of the 30 ms between the SDK and the screen');
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify({ version: 1, ...result }, null, 2)}\n`);
}
