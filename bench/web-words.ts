/**
 * How soon words are on the screen with all of the hall between: a model that streams 200 words a second in each of 8
 * meetings, and real Chromium with one page open on one of them, then with eight, one on each. And the first load.
 * (What the page alone takes of a frame: web-stream.)
 *
 *   npm run bench -- web-words [--words 2000] [--rate 200] [--meetings 8] [--pages 1,8] [--json <path>]
 *
 * Times are of one machine with one clock. "Drawn" is the end of the first frame that shows the word.
 * Goals: p95 under 30 ms from the hall to the screen, frames under 16 ms at p95, ready within 1 s.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { MeetingOpened, MeetingView } from '../src/features/meetings/contract.ts';
import { launch } from '../test/help/chromium.ts';
import {
  delay,
  makeTortureHome,
  removeTortureHome,
  type RunningHall,
  startHall,
  stopHall,
} from '../test/torture/parts/hall-process.ts';
import { builtProgram } from './parts/built.ts';
import { cpuBetween, type CpuSeconds, readCpu } from './parts/cpu.ts';
import { type FirstLoad, measureFirstLoad } from './parts/first-load.ts';
import { pageClock, type Seen } from './parts/page-clock.ts';
import { startStreamModel, type StreamModel } from './parts/stream-model.ts';

const { values: flags } = parseArgs({
  options: {
    words: { type: 'string', default: '2000' },
    rate: { type: 'string', default: '200' },
    meetings: { type: 'string', default: '8' },
    /** How many pages are open, a round each. */
    pages: { type: 'string', default: '1,8' },
    json: { type: 'string' },
  },
});
const words = Number(flags.words);
const meetings = Number(flags.meetings);

interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

interface Measured {
  readonly pages: number;
  readonly words: number;
  readonly announcedToDrawn: Spread;
  readonly cameToDrawn: Spread;
  readonly modelToDrawn: Spread;
  readonly frameMs: Spread;
  readonly workMs: Spread;
  /** Of one processor, while the words came. */
  readonly cpuShare: CpuSeconds;
}

async function main(): Promise<void> {
  await builtProgram();
  const model = await startStreamModel(words, Number(flags.rate));
  const place = makeTortureHome({ 'README.md': '# Bench\n', '.lore/x.md': '---\ntitle: X\n---\n' }, writeFileSync);
  mkdirSync(place.home, { mode: 0o700 });
  const models = `models:\n  - { name: steady, modelId: steady, baseUrl: '${model.url}', auth: { kind: none } }\n`;
  writeFileSync(join(place.home, 'config.yaml'), `${models}caps: { meeting: ${meetings} }\n`);
  const hall = await startHall(place);
  if (hall === 'died') throw new Error('The hall did not start.');
  const browser = await launch();
  try {
    await hall.client.call('project.add', { path: place.repo, name: 'bench' });
    const ids = await openMeetings(hall);
    const context = await signedIn(hall, browser);
    const firstLoad = await measureFirstLoad(context, hall.client.url);
    const rounds: Measured[] = [];
    for (const pages of flags.pages.split(',').map(Number)) {
      rounds.push(await measure({ hall, model, context, ids, pages: Math.min(pages, ids.length) }));
    }
    report(firstLoad, rounds);
  } finally {
    await browser.close();
    await stopHall(hall);
    model.close();
    removeTortureHome(place);
  }
}

async function openMeetings(hall: RunningHall): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < meetings; nth += 1) {
    const input = { project: 'bench', worker: 'researcher', message: 'Hello' };
    const { id } = (await hall.client.call('meeting.open', input)) as MeetingOpened;
    await untilIdle(hall, id);
    ids.push(id);
  }
  return ids;
}

async function untilIdle(hall: RunningHall, id: string): Promise<void> {
  while (((await hall.client.call('meeting.show', { id })) as MeetingView).running !== null) await delay(500);
}

async function signedIn(hall: RunningHall, browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(((await hall.client.call('signin.link', {})) as { url: string }).url);
  await page.getByRole('navigation', { name: 'Guild Hall' }).waitFor();
  await page.close();
  return context;
}

interface Round {
  readonly hall: RunningHall;
  readonly model: StreamModel;
  readonly context: BrowserContext;
  readonly ids: readonly string[];
  readonly pages: number;
}

/** All meetings stream at once; the pages are open on the first of them. */
async function measure({ hall, model, context, ids, pages }: Round): Promise<Measured> {
  const open: Page[] = [];
  for (const id of ids.slice(0, pages)) {
    const page = await context.newPage();
    await page.addInitScript({ content: pageClock });
    await page.goto(`${hall.client.url}/app/projects/bench/meetings/${id}`);
    await page.getByText('your turn').waitFor();
    open.push(page);
  }
  await open[0]!.bringToFront();
  const mark = (nth: number): string => `stream-${pages}x${nth}`;
  const cpuBefore = readCpu(hall.pid);
  await Promise.all(
    ids.map((id, nth) => hall.client.call('meeting.say', { project: 'bench', id, message: `Go on: ${mark(nth)}` })),
  );
  const seconds = words / Number(flags.rate);
  await delay(seconds * 1000);
  const { hall: own, agents, browser } = cpuBetween(cpuBefore, readCpu(hall.pid));
  for (const id of ids) await untilIdle(hall, id);
  const sights: Sight[] = [];
  for (const [nth, page] of open.entries()) {
    await page.getByText('your turn').waitFor();
    sights.push({ seen: await page.evaluate('seen'), sent: model.sentAt.get(mark(nth)) ?? [] });
    await page.close();
  }
  const cpuShare = { hall: own / seconds, agents: agents / seconds, browser: browser / seconds };
  return { ...summarise(sights), pages, cpuShare };
}

interface Sight {
  readonly seen: Seen;
  readonly sent: readonly number[];
}

/** The first and last words are left out: before and after them the page does other things too. */
function summarise(sights: readonly Sight[]): Omit<Measured, 'pages' | 'cpuShare'> {
  const middle = Array.from({ length: Math.max(0, words - 60) }, (_, nth) => nth + 30);
  const spans = (from: (sight: Sight, nth: number) => number | null | undefined): number[] =>
    sights.flatMap((sight) =>
      middle.flatMap((nth) => {
        const [begin, end] = [from(sight, nth), sight.seen.drawn[nth]];
        return typeof begin === 'number' && typeof end === 'number' ? [end - begin] : [];
      }),
    );
  const announced = spans(({ seen }, nth) => seen.announced[nth]);
  return {
    words: announced.length,
    announcedToDrawn: spreadOf(announced),
    cameToDrawn: spreadOf(spans(({ seen }, nth) => seen.came[nth])),
    modelToDrawn: spreadOf(spans(({ sent }, nth) => sent[nth])),
    frameMs: spreadOf(sights.flatMap(({ seen }) => seen.frames)),
    workMs: spreadOf(sights.flatMap(({ seen }) => seen.work)),
  };
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}

function report({ scriptBytes, interactiveMs }: FirstLoad, rounds: readonly Measured[]): void {
  const kilobytes = (scriptBytes / 1000).toFixed(1);
  console.log(`first load: ${kilobytes} kB of script, drawn and ready after ${interactiveMs.toFixed(0)} ms`);
  for (const round of rounds) {
    const what = `${meetings} meetings at ${flags.rate} words/s, ${round.pages} of them on a page of its own`;
    console.log(`\n${what}: ${round.words} words, ms`);
    console.log(`${''.padEnd(32)}${['p50', 'p95', 'max'].map((name) => name.padStart(8)).join('')}`);
    const line = (name: string, { p50, p95, max }: Spread): void =>
      console.log(`${name.padEnd(32)}${[p50, p95, max].map((value) => value.toFixed(1).padStart(8)).join('')}`);
    line('announced by the hall to drawn', round.announcedToDrawn);
    line('come over the socket to drawn', round.cameToDrawn);
    line('sent by the model to drawn', round.modelToDrawn);
    line('frame to frame', round.frameMs);
    line('work in a frame', round.workMs);
    const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
    const { hall, agents, browser } = round.cpuShare;
    console.log(`of a processor: hall ${percent(hall)}, agents ${percent(agents)}, browser ${percent(browser)}`);
  }
  const firstLoad = { scriptBytes, interactiveMs };
  if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify({ firstLoad, rounds }, null, 2));
}

await main();
