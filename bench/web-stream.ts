/**
 * How much of each frame the meeting's page takes while an answer arrives: Markdown with lists, code and tables, in real
 * Chromium, in a talk that is long already. The pieces are put into the page's socket within the page, so that what is
 * measured is the page alone. (With the hall before it: web-words.)
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
import { createClient, type HallClient } from '../src/interfaces/cli/client.ts';
import { launch } from '../test/help/chromium.ts';
import { builtProgram } from './parts/built.ts';

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

/**
 * Runs in the page. A socket behind whose events others can be put, as if the hall had told them; then the hall is not
 * asked any more, for it knows nothing of them. And a clock: a message that is posted at a frame's beginning is taken
 * when the frame is painted.
 */
const inPage = `(() => {
  const bench = { epoch: '', seq: 0, isFrozen: false, socket: null, work: [], gaps: [] };
  globalThis.bench = bench;
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      bench.socket = this;
      this.addEventListener('message', (event) => {
        if (!event.isTrusted) return;
        const said = JSON.parse(event.data);
        if (said.kind === 'hello') [bench.epoch, bench.seq] = said.cursor.split('.');
        if (said.kind === 'event' && bench.isFrozen) event.stopImmediatePropagation();
      });
    }
    send(data) {
      if (!(bench.isFrozen && data.includes('"meeting.show"'))) super.send(data);
    }
  };
  bench.tell = (subject, type, data) => {
    bench.isFrozen = true;
    bench.seq = Number(bench.seq) + 1;
    const event = { epoch: bench.epoch, seq: bench.seq, at: new Date().toISOString(), type, project: 'sample', subject, data };
    bench.socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ kind: 'event', event }) }));
  };
  bench.begin = (subject, turn) => {
    const at = new Date().toISOString();
    bench.tell(subject, 'meeting.turn_started', { turn, messageId: 'm-bench' + turn, text: 'Go on.', at, since: at });
  };
  bench.say = (subject, turn, text) => bench.tell(subject, 'meeting.turn', { turn, event: { type: 'text_delta', text } });
  bench.end = (subject, turn) => bench.tell(subject, 'meeting.turn', { turn, event: { type: 'turn_end', interrupted: false } });
  // As the pieces come from a model, however the page's timers wander.
  bench.speak = (subject, turn, text, rate, seconds) => new Promise((resolve) => {
    const start = performance.now();
    let said = 0;
    const timer = setInterval(() => {
      const passed = (performance.now() - start) / 1000;
      for (; said < Math.min(passed, seconds) * rate; said += 1) bench.say(subject, turn, text.slice(said * 4, said * 4 + 4));
      if (passed < seconds) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  bench.watch = () => {
    const channel = new MessageChannel();
    let beganAt = 0;
    channel.port1.onmessage = () => bench.work.push(performance.now() - beganAt);
    const frame = () => {
      requestAnimationFrame(frame);
      const now = performance.now();
      if (beganAt > 0) bench.gaps.push(now - beganAt);
      beganAt = now;
      channel.port2.postMessage(0);
    };
    requestAnimationFrame(frame);
  };
})()`;

const home = mkdtempSync(join(tmpdir(), 'gh-web-stream-'));
const hall = await startHall();
try {
  await report(await measure(await openMeeting()));
} finally {
  hall.child.kill('SIGTERM');
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function startHall() {
  const cli = await builtProgram();
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
  throw new Error(`The hall said no address: ${said}. It did not start.`);
}

async function openMeeting(): Promise<string> {
  await hall.client.call('project.sample', {});
  const { id } = (await hall.client.call('meeting.open', { worker: 'researcher', message: 'Hello.' })) as {
    id: string;
  };
  return id;
}

async function measure(id: string): Promise<Frames> {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript({ content: inPage });
  const { url } = (await hall.client.call('signin.link', {})) as { url: string };
  await page.goto(url);
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${hall.url}/app/projects/sample/meetings/${id}`);
  await page.getByRole('article').nth(1).waitFor();
  const subject = JSON.stringify(`meeting:${id}`);
  const last = 100 + turns;
  await page.evaluate(`for (let turn = 100; turn < ${last}; turn += 1) {
    bench.begin(${subject}, turn);
    bench.say(${subject}, turn, ${JSON.stringify(part)});
    bench.end(${subject}, turn);
  }
  bench.begin(${subject}, ${last})`);
  await sleep(1000);
  const text = part.repeat(Math.ceil((rate * seconds * 4) / part.length));
  await page.evaluate(`bench.watch(); bench.speak(${subject}, ${last}, ${JSON.stringify(text)}, ${rate}, ${seconds})`);
  const { work, gaps } = (await page.evaluate('({ work: bench.work, gaps: bench.gaps })')) as Frames;
  await browser.close();
  return { work, gaps };
}

async function report(frames: Frames): Promise<void> {
  const rows = Object.entries(frames).map(([name, numbers]) => {
    const sorted = (numbers as number[]).toSorted((one, other) => one - other);
    const at = (share: number) =>
      Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2));
    return { name, n: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
  });
  for (const { name, n, medianMs, p95Ms, p99Ms, maxMs } of rows)
    console.log(`${name.padEnd(6)} n=${n}  median ${medianMs} ms  p95 ${p95Ms} ms  p99 ${p99Ms} ms  max ${maxMs} ms`);
  console.log(`${rate} tokens a second for ${seconds} s; goal: work under 16 ms at p95`);
  if (flags.json !== undefined) await writeFile(flags.json, JSON.stringify({ rate, seconds, turns, rows }, null, 2));
}
