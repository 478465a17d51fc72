/**
 * `kill -9` of the hall at random moments of clicks and turns, while two people press buttons, once, twice and at once, on
 * the same names and on others. After each restart: no half-made context, every click that was taken has its session, its
 * command reached the agent once, the registry and the logs say the same, no turn without an end, no program left.
 *
 *     npm run torture -- contexts [--kills 200] [--faults 40] [--seed 1] [--agent acp|claude] [--json FILE]
 *
 * `--faults N`: N more at fault points (before and after a file write). `--agent claude`: Claude Code on the rehearsal.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SessionList } from '../../src/features/sessions/contract.ts';
import { buildProgram } from './councils/place.ts';
import { findIn } from './contexts/invariants.ts';
import { type Ledger, press } from './contexts/person.ts';
import { logsIn, makePlace, projectName, registryIn, strays } from './contexts/place.ts';
import {
  killHall,
  processesOf,
  removeTortureHome,
  type RunningHall,
  startHall,
  stopHall,
} from './parts/hall-process.ts';
import { seededRandom } from './parts/random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    faults: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    agent: { type: 'string', default: 'acp' },
    json: { type: 'string' },
  },
});

/** A life of the hall in which two people press passes about as many fault points. */
const mostPoints = 220;
/** What was begun is over after so long. Milliseconds. */
const restWithinMs = 30_000;
const endWithinMs = 10_000;

const random = seededRandom(Number(values.seed));
const ledger: Ledger = { clicks: [], said: [], wrong: [], doing: 'its start' };
const found = {
  kills: 0,
  faultKills: 0,
  during: {} as Record<string, number>,
  restartMs: [] as number[],
  lost: new Set<string>(),
  wrong: new Set<string>(),
  leaked: new Set<string>(),
};

const { program, remove } = await buildProgram();
const place = makePlace(values.agent);
const startedAt = Date.now();
try {
  const first = await started({});
  await first.client.call('project.add', { path: place.repo, name: projectName });
  await stopHall(first);
  const lives = Number(values.kills) + Number(values.faults);
  for (let life = 0; life < lives; life += 1) {
    await live(life);
    const findings = found.lost.size + found.wrong.size + found.leaked.size;
    if ((life + 1) % 10 === 0) process.stderr.write(`${life + 1} of ${lives}: ${findings} findings\n`);
    if (findings > 40) break;
  }
  const last = await started({});
  await check(last, 'the end');
  await stopHall(last);
  for (const pid of processesOf(place)) note('leaked', `the program ${pid} after the last hall`);
} finally {
  for (const pid of processesOf(place)) process.kill(pid, 'SIGKILL');
  remove();
  if (found.lost.size + found.wrong.size + found.leaked.size === 0) removeTortureHome(place);
  else process.stderr.write(`the home is kept for a look: ${place.root}\n`);
}
print();

async function started(env: Record<string, string>): Promise<RunningHall> {
  const hall = await startHall(place, env, { program });
  if (hall === 'died') throw new Error('the hall died, and nobody had killed it');
  found.restartMs.push(hall.readyMs);
  return hall;
}

/** Starts a hall, looks what the one before has left, lets two people press, kills it. */
async function live(life: number): Promise<void> {
  const isFault = random() * (Number(values.kills) + Number(values.faults)) < Number(values.faults);
  const hall = isFault ? await startedToDie() : await started({});
  if (hall === undefined) return;
  if (!isFault) await check(hall, `kill ${life + 1}`);
  let isOver = false;
  const people = [0, 1].map(async () => await press(hall.client, ledger, random, () => isOver));
  const died = new Promise<void>((done) => void hall.process.once('exit', () => done()));
  await Promise.race([died, isFault ? sleep(4000) : untilMoment()]);
  const during = ledger.doing;
  isOver = true;
  found.during[during] = (found.during[during] ?? 0) + 1;
  found[isFault ? 'faultKills' : 'kills'] += 1;
  await killHall(hall);
  await Promise.all(people);
}

/** A hall that dies at a point; undefined where that was in its start. */
async function startedToDie(): Promise<RunningHall | undefined> {
  const at = 1 + Math.floor(mostPoints * random() ** 1.5);
  const hall = await startHall(place, { GUILD_HALL_FAULT_AT: String(at) }, { program });
  if (hall !== 'died') return hall;
  found.faultKills += 1;
  found.during['its start'] = (found.during['its start'] ?? 0) + 1;
  return undefined;
}

/** A while after some clicks were taken, or after none; how long a click takes depends on the machine. */
async function untilMoment(): Promise<void> {
  const wanted = taken() + Math.floor(random() * 5);
  for (const until = Date.now() + 5000; taken() < wanted && Date.now() < until;) await sleep(5);
  await sleep(400 * random());
}

function taken(): number {
  return ledger.clicks.filter(({ answer }) => answer !== undefined).length;
}

async function check(hall: RunningHall, name: string): Promise<void> {
  const where = `${name} (${ledger.doing})`;
  const isAtRest = await rest(hall);
  if (!isAtRest) note('wrong', `${where}: a session does not come to rest`);
  const { lost, wrong } = findIn(place, ledger);
  for (const each of lost) note('lost', `${where}: ${each}`);
  for (const each of wrong) note('wrong', `${where}: ${each}`);
  for (const pid of await stillThere(hall)) note('leaked', `${where}: the program ${pid}`);
  ledger.wrong.length = 0;
}

/** Programs that nobody has. One that has just lost its hall, or is being started when that dies, ends by itself soon. */
async function stillThere({ pid }: RunningHall): Promise<readonly number[]> {
  let left = strays(place, pid);
  for (const until = Date.now() + endWithinMs; left.length > 0 && Date.now() < until;) {
    await sleep(50);
    const now = strays(place, pid);
    left = left.filter((each) => now.includes(each));
  }
  return left;
}

async function rest({ client }: RunningHall): Promise<boolean> {
  for (const until = Date.now() + restWithinMs; Date.now() < until; await sleep(25)) {
    const { sessions } = (await client.call('session.list', { project: projectName })) as SessionList;
    if (sessions.every(({ state }) => state !== 'running' && state !== 'waiting')) return true;
  }
  return false;
}

/** The same fault is found again after each restart: once is enough. */
function note(kind: 'lost' | 'wrong' | 'leaked', what: string): void {
  const words = what.slice(what.indexOf('): ') + 3);
  if ([...found[kind]].some((each) => each.endsWith(words))) return;
  found[kind].add(what);
  process.stderr.write(`▲ ${what}\n`);
}

function print(): void {
  const sorted = found.restartMs.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  const must = ({ size }: ReadonlySet<string>): string => `${size}${size === 0 ? '' : '   ▲ must be 0'}`;
  const during = Object.entries(found.during).map(([what, times]) => `${what} ${times}`);
  const [contexts, logs] =
    found.lost.size + found.wrong.size > 0 ? [registryIn(place), logsIn(place)] : [[], new Map()];
  const rows: readonly (readonly [string, string])[] = [
    ['seed, agent', `${values.seed}, ${values.agent}`],
    ['kill -9 at random moments', String(found.kills)],
    ['kill -9 at fault points', String(found.faultKills)],
    ['killed during', during.join(', ')],
    ['clicks made, and acknowledged', `${ledger.clicks.length}, ${taken()}`],
    ['other words acknowledged', String(ledger.said.length)],
    ['restart until it answers, median / p95', `${at(0.5)} / ${at(0.95)}`],
    ['minutes', ((Date.now() - startedAt) / 60_000).toFixed(1)],
    ['acknowledged, and lost', must(found.lost)],
    ['half-made, twice, without end, not as the logs say', must(found.wrong)],
    ['programs left', must(found.leaked)],
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(52)}${value}\n`);
  if (contexts.length > 0)
    process.stdout.write(`  ${contexts.length} contexts, ${logs.size} sessions are in that home\n`);
  const bad = [...found.lost, ...found.wrong, ...found.leaked];
  for (const what of bad.slice(0, 30)) process.stdout.write(`  ▲ ${what}\n`);
  if (values.json !== undefined) {
    const told = { ...found, lost: [...found.lost], wrong: [...found.wrong], leaked: [...found.leaked] };
    writeFileSync(values.json, `${JSON.stringify({ options: values, found: told }, null, 2)}\n`);
  }
  if (bad.length > 0) process.exitCode = 1;
}
