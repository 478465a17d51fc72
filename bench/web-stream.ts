/**
 * How much of each frame the meeting's page takes while an answer arrives: Markdown with lists, code and tables, in real
 * Chromium, in a talk that is long already. The pieces are put into the page's socket, so that what is measured is the
 * page alone.
 *
 *   npm run bench -- web-stream [--rate 200] [--seconds 15] [--turns 40] [--json <path>]
 *
 * `rate` is tokens (of four characters) a second. Goal: under 16 ms a frame at p95.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type WebSocketRoute } from 'playwright-core';
import { createClient, type HallClient } from '../src/interfaces/cli/client.ts';

const { values: flags } = parseArgs({
  options: {
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '15' },
    turns: { type: 'string', default: '40' },
    json: { type: 'string' },
  },
});
const [rate, seconds, turns] = [flags.rate, flags.seconds, flags.turns].map(Number) as [number, number, number];

/** A part of an answer as agents write them: a paragraph, a list, code, a table. About 900 characters. */
const part = `## How a line becomes an entry

The parser reads **one line at a time** and gives back either an \`Entry\` or a \`Problem\`; it never throws. See [the
rules](https://example.org/rules) for what a field may hold, and *how many* of them there are.

1. \`splitLine\` cuts the line at its tabs, keeping what is quoted together.
2. \`readAmount\` turns the third field into cents. It refuses more than two decimals.
   - a point or a comma
   - no sign before it
3. \`toEntry\` puts both together, and says which field is wrong.

\`\`\`ts
export function parseLine(line: string): Entry | Problem {
  const fields = splitLine(line);
  if (fields.length !== 3) return { kind: 'problem', message: \`found \${fields.length}\` };
  return toEntry(fields, readAmount(fields[2]));
}
\`\`\`

| Input | Result | Where |
|---|---|---|
| three fields | an entry | \`parse.ts:14\` |
| two fields | a problem | \`parse.ts:16\` |

`;

interface Frames {
  /** Milliseconds of work in each frame, from its beginning until it is painted. */
  readonly work: number[];
  /** Milliseconds from frame to frame. */
  readonly gaps: number[];
}

const home = mkdtempSync(join(tmpdir(), 'gh-web-stream-'));
const hall = await startHall();
try {
  await report(await measure(await openMeeting()));
} finally {
  hall.child.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function startHall() {
  const cli = process.env['GH_CLI'] ?? join(import.meta.dirname, '../dist/cli.js');
  const child = spawn(process.execPath, [cli, 'up', '--json', '--port', '0'], {
    env: { ...process.env, GUILD_HALL_HOME: home },
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said += line;
    const [, url] = /"url":\s*"(http:\/\/[^"/]+)"/.exec(said) ?? [];
    if (url === undefined) continue;
    const client: HallClient = createClient(home, url, readFileSync(join(home, 'token'), 'utf8').trim());
    return { child, url, client };
  }
  throw new Error(`The hall said no address: ${said}. Is it built? npm run build`);
}

async function openMeeting(): Promise<string> {
  await hall.client.call('project.sample', {});
  const { id } = (await hall.client.call('meeting.open', { worker: 'researcher', message: 'Hello.' })) as { id: string };
  return id;
}

interface Stream {
  readonly socket: WebSocketRoute;
  readonly id: string;
  epoch: string;
  seq: number;
}

/** Follows the page's socket, and can put events of its own behind those of the hall. */
async function measure(id: string): Promise<Frames> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  let stream: Stream | undefined;
  await page.routeWebSocket(/\/api\/socket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const said = JSON.parse(String(message)) as { kind: string; cursor?: string; event?: { epoch: string; seq: number } };
      const [epoch = '', seq = ''] = said.cursor?.split('.') ?? [];
      if (said.kind === 'hello') stream = { socket, id, epoch, seq: Number(seq) };
      // Once the page has heard of later ones, the hall's own would be old news.
      if (said.kind !== 'event') socket.send(message);
    });
  });
  const { url } = (await hall.client.call('signin.link', {})) as { url: string };
  await page.goto(url);
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${hall.url}/app/projects/sample/meetings/${id}`);
  await page.getByRole('article').first().waitFor();
  await sleep(1000);
  for (let turn = 100; turn < 100 + turns; turn += 1) {
    begin(stream!, turn);
    tell(stream!, turn, { type: 'text_delta', text: part });
    // Ended without a word to the page that would make it read the talk anew.
  }
  begin(stream!, 999);
  await page.evaluate(startWatch);
  await speak(stream!, 999);
  const frames = (await page.evaluate(endWatch)) as Frames;
  await browser.close();
  return frames;
}

function send(stream: Stream, type: string, data: unknown): void {
  stream.seq += 1;
  const { epoch, seq, id } = stream;
  const event = { epoch, seq, at: new Date().toISOString(), type, project: 'sample', subject: `meeting:${id}`, data };
  stream.socket.send(JSON.stringify({ kind: 'event', event }));
}

function begin(stream: Stream, turn: number): void {
  const at = new Date().toISOString();
  const message = { turn, messageId: `m-bench${turn}`, text: 'Go on.', at };
  if (turn > 100) send(stream, 'meeting.message_unanswered', { ...message, turn: turn - 1, messageId: `m-bench${turn - 1}` });
  send(stream, 'meeting.turn_started', { ...message, since: at });
}

function tell(stream: Stream, turn: number, event: unknown): void {
  send(stream, 'meeting.turn', { turn, event });
}

/** The pieces come as they would from a model, however the timers of this process wander. */
async function speak(stream: Stream, turn: number): Promise<void> {
  const text = part.repeat(Math.ceil((rate * seconds * 4) / part.length));
  const startMs = performance.now();
  let said = 0;
  for (;;) {
    const passed = (performance.now() - startMs) / 1000;
    if (passed >= seconds) return;
    for (; said < passed * rate; said += 1) tell(stream, turn, { type: 'text_delta', text: text.slice(said * 4, said * 4 + 4) });
    await sleep(4);
  }
}

/** Runs in the page. A message that is posted at a frame's beginning is taken when the frame is painted. */
function startWatch(): void {
  const frames: Frames = { work: [], gaps: [] };
  const channel = new MessageChannel();
  let beganAt = 0;
  channel.port1.onmessage = () => frames.work.push(performance.now() - beganAt);
  const frame = () => {
    requestAnimationFrame(frame);
    const now = performance.now();
    if (beganAt > 0) frames.gaps.push(now - beganAt);
    beganAt = now;
    channel.port2.postMessage(0);
  };
  requestAnimationFrame(frame);
  Object.assign(globalThis, { benchFrames: frames });
}

function endWatch(): unknown {
  return (globalThis as unknown as { benchFrames: Frames }).benchFrames;
}

async function report(frames: Frames): Promise<void> {
  const rows = Object.entries(frames).map(([name, numbers]) => {
    const sorted = (numbers as number[]).toSorted((one, other) => one - other);
    const at = (share: number) => Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
    return { name, n: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
  });
  for (const { name, n, medianMs, p95Ms, p99Ms, maxMs } of rows)
    console.log(`${name.padEnd(6)} n=${n}  median ${medianMs} ms  p95 ${p95Ms} ms  p99 ${p99Ms} ms  max ${maxMs} ms`);
  console.log(`${rate} tokens a second for ${seconds} s; goal: work under 16 ms at p95`);
  if (flags.json !== undefined) await writeFile(flags.json, JSON.stringify({ rate, seconds, turns, rows }, null, 2));
}
