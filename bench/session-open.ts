/**
 * How long a long session takes to be shown in real Chromium, and how it scrolls: from the click on its line until its
 * newest words are drawn, the same after a reload, and the frames while one scrolls up through it, earlier messages
 * coming as they are reached.
 *
 *   npm run bench -- session-open [--events 10000] [--turns 100] [--json <path>]
 *
 * Goals: open in under 500 ms; 60 frames a second while it is scrolled (work under 16 ms a frame at p95).
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createClient, type HallClient } from '../src/interfaces/cli/client.ts';
import { launch } from '../test/help/chromium.ts';
import { builtProgram } from './parts/built.ts';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '10000' },
    turns: { type: 'string', default: '100' },
    json: { type: 'string' },
  },
});
const [events, turns] = [Number(flags.events), Number(flags.turns)];
const id = 'claude-20260214-093000-bnch';

/** What an agent says and does in one turn, told in so many events. */
function turnOf(nth: number, count: number): object[] {
  const promptId = `p-bench${String(nth).padStart(6, '0')}`;
  const told: object[] = [
    { type: 'PromptSubmitted', promptId, text: `Question ${nth}: how is a line of the record read?`, images: [] },
    { type: 'TurnStarted', promptId },
    { type: 'AgentThought', text: 'They want to know how a line is read. I look at the parser first.' },
  ];
  for (let part = 0; told.length < count - 2; part += 1) {
    const callId = `c-${nth}-${part}`;
    if (part % 8 === 6) {
      const input = { file_path: `src/part-${part}.ts` };
      told.push({
        type: 'ToolCallStarted',
        callId,
        name: 'Read',
        title: `Read src/part-${part}.ts`,
        kind: 'read',
        input,
      });
      told.push({ type: 'ToolCallCompleted', callId, ok: true, summary: 'export function read() {}', diffs: [] });
    } else told.push({ type: 'AgentText', text: textOf(part) });
  }
  const usage = { inputTokens: 12_000, outputTokens: 900, costUsd: 0.04, contextUsed: 40_000, contextWindow: 200_000 };
  told.push({ type: 'UsageUpdated', usage }, { type: 'TurnCompleted', promptId, stopReason: 'done', usage });
  return told;
}

function textOf(part: number): string {
  if (part % 8 === 0)
    return `\n\n## Part ${part}\n\nThe parser reads **one line at a time** and gives back an \`Entry\`. `;
  if (part % 8 === 3)
    return '\n\n```ts\nexport function read(line: string): Entry {\n  return split(line);\n}\n```\n\n';
  return 'It refuses what has more than two decimals, and says which field is wrong. ';
}

function writeSession(home: string, folder: string): void {
  const each = Math.floor(events / turns);
  const all = [
    {
      type: 'SessionCreated',
      sessionId: id,
      project: 'sample',
      agent: 'claude',
      folder,
      title: 'A long talk',
      from: null,
    },
    { type: 'AgentSessionStarted', agentSessionId: '461f594e-0363-44dd-b439-803efe72707d', reason: 'new' },
    ...Array.from({ length: turns }, (_, nth) => turnOf(nth, each)).flat(),
  ];
  const start = Date.parse('2026-02-14T09:30:00Z');
  const lines = all.map((event, nth) =>
    JSON.stringify({ seq: nth + 1, at: new Date(start + nth * 100).toISOString(), ...event }),
  );
  mkdirSync(join(home, 'state/sessions'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, `state/sessions/${id}.jsonl`), `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** Runs in the page: how far apart frames are, and how long the work of each is. */
const clock = `(() => {
  const seen = { gaps: [], work: [] };
  globalThis.seen = seen;
  const channel = new MessageChannel();
  let beganAt = 0;
  channel.port1.onmessage = () => seen.work.push(performance.now() - beganAt);
  const frame = () => {
    requestAnimationFrame(frame);
    const now = performance.now();
    if (beganAt > 0) seen.gaps.push(now - beganAt);
    beganAt = now;
    channel.port2.postMessage(0);
  };
  requestAnimationFrame(frame);
})()`;

const home = mkdtempSync(join(tmpdir(), 'gh-session-open-'));
try {
  await run();
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function run(): Promise<void> {
  const first = await startHall();
  const { path } = (await first.client.call('project.sample', {})) as { path: string };
  await first.end();
  writeSession(home, path);
  const hall = await startHall();
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(((await hall.client.call('signin.link', {})) as { url: string }).url);
    await page.getByRole('navigation').first().waitFor();
    await page.goto(`${hall.url}/app/projects/sample/sessions`);
    await page
      .getByRole('link', { name: /A long talk/ })
      .first()
      .waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const work = async (): Promise<number> => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
    };
    const before = await work();
    const opened = await timeOf(page, 'link');
    const worked = (await work()) - before;
    await report([
      { name: 'open from the list', numbers: [opened] },
      // What it takes of a processor, whatever else this machine does meanwhile.
      { name: 'work of the page', numbers: [worked] },
      { name: 'open by reload', numbers: [await timeOf(page, 'reload')] },
      ...(await scrollUp(page)),
    ]);
  } finally {
    await browser.close();
    await hall.end();
  }
}

/** From the click, or from the beginning of the load, until the newest words are drawn. Milliseconds. */
async function timeOf(page: Page, way: 'link' | 'reload'): Promise<number> {
  if (way === 'reload') await page.reload({ waitUntil: 'commit' });
  else {
    await page.evaluate(`addEventListener('click', () => performance.mark('begin'), { capture: true })`);
    await page
      .getByRole('link', { name: /A long talk/ })
      .first()
      .click();
  }
  return (await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const words = [...document.querySelectorAll('main article')].at(-1)?.textContent ?? '';
      if (!words.includes('Part 8')) return void requestAnimationFrame(look);
      const begin = performance.getEntriesByName('begin').at(-1)?.startTime ?? 0;
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
    };
    look();
  })`)) as number;
}

/** As somebody turns the wheel quickly, until the first message is there. */
async function scrollUp(page: Page): Promise<Row[]> {
  await page.mouse.move(640, 400);
  await page.evaluate(clock);
  const end = Date.now() + 12_000;
  while (Date.now() < end) {
    await page.mouse.wheel(0, -400);
    if (await page.evaluate(`scrollY < 5 && document.querySelector('main').textContent.includes('Question 0:')`)) break;
  }
  const { gaps, work } = (await page.evaluate('seen')) as { gaps: number[]; work: number[] };
  return [
    { name: 'scroll: work', numbers: work },
    { name: 'scroll: gaps', numbers: gaps },
  ];
}

interface Row {
  readonly name: string;
  readonly numbers: readonly number[];
}

async function report(rows: readonly Row[]): Promise<void> {
  const told = rows.map(({ name, numbers }) => {
    const sorted = numbers.toSorted((one, other) => one - other);
    const at = (share: number) =>
      Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1));
    return { name, n: sorted.length, medianMs: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
  });
  for (const { name, n, medianMs, p95Ms, p99Ms, maxMs } of told)
    console.log(
      n === 1
        ? `${name.padEnd(20)} ${medianMs} ms`
        : `${name.padEnd(20)} n=${n}  median ${medianMs} ms  p95 ${p95Ms} ms  p99 ${p99Ms} ms  max ${maxMs} ms`,
    );
  console.log(`${events} events in ${turns} turns; goals: open under 500 ms, work under 16 ms a frame at p95`);
  if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify({ events, turns, rows: told }, null, 2));
}

async function startHall() {
  const cli = await builtProgram();
  const child = spawn(process.execPath, [cli, 'up', '--json', '--port', '0'], {
    env: { ...process.env, GUILD_HALL_HOME: home },
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  let said = '';
  for await (const line of createInterface({ input: child.stdout })) {
    said += line;
    const [, url] = /"url":\s*"(http:\/\/[^"/]+)"/.exec(said) ?? [];
    if (url === undefined) continue;
    const client: HallClient = createClient(home, url, readFileSync(join(home, 'token'), 'utf8').trim());
    return { url, client, end };
  }
  throw new Error(`The hall said no address: ${said}. It did not start.`);
}
