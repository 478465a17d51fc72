/**
 * How long it takes from the wish that a commission starts until its process runs, against `git worktree add` and the start
 * of the same process by hand, in pairs within one run.
 *
 *   npm run bench -- commission-dispatch [--pairs 20] [--json <path>]
 *
 * A process runs when it has said who it is. Fails when the median of the ratios is above 1.25.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gitIn } from '../test/torture/parts/hall-process.ts';
import {
  machineNow,
  msOf,
  openBench,
  printRows,
  quantile,
  ratiosOf,
  whenGone,
  whenThere,
} from './parts/commission-hall.ts';

const { values: flags } = parseArgs({
  options: { pairs: { type: 'string', default: '20' }, json: { type: 'string' } },
});
const most = 1.25;
const run = promisify(execFile);
const bench = await openBench();
const { place, hall } = bench;
const repo = place.repos.alder;
const worker = join(place.program, '../run-commission.js');
const hallMs: number[] = [];
const byHandMs: number[] = [];
const answeredMs: number[] = [];
try {
  await hall.client.call('project.add', { path: repo, name: 'alder' });
  // The first of each is not counted: files are read from the disk, code is compiled.
  for (let pair = 0; pair <= Number(flags.pairs); pair += 1) {
    const own = await throughHall(pair);
    const other = await byHand(pair);
    if (pair === 0) continue;
    hallMs.push(own.runs);
    answeredMs.push(own.answered);
    byHandMs.push(other);
  }
} finally {
  await bench.close();
}
const ratios = ratiosOf(hallMs, byHandMs);
const ratio = quantile(ratios, 0.5);
printRows(
  [
    { name: 'machine', value: machineNow() },
    { name: 'request → its process runs', value: msOf(hallMs) },
    { name: 'request → answer', value: msOf(answeredMs) },
    { name: 'git worktree add, same process by hand', value: msOf(byHandMs) },
    { name: `ratio, median of ${ratios.length} pairs`, value: `${ratio.toFixed(2)} ×; at most ${most}` },
  ],
  flags.json,
  { machine: machineNow(), hallMs, answeredMs, byHandMs, ratio, p95: quantile(ratios, 0.95), most },
);
process.exitCode = ratio > most ? 1 : 0;

async function throughHall(pair: number): Promise<{ readonly runs: number; readonly answered: number }> {
  const input = { project: 'alder', worker: 'researcher', title: `Pair ${pair}`, prompt: 'Say what this project is.' };
  const { id } = (await hall.client.call('commission.create', input)) as { id: string };
  const state = join(place.home, 'state/commissions', `alder.${id}`);
  const identity = join(state, '1/identity.json');
  const start = performance.now();
  const answer = hall.client
    .call('commission.dispatch', { project: 'alder', id })
    .then(() => performance.now() - start);
  const runs = (await whenThere(identity)) - start;
  const answered = await answer;
  const { process: known } = JSON.parse(readFileSync(identity, 'utf8')) as { process: { pid: number } };
  process.kill(known.pid, 'SIGKILL');
  await whenGone(join(state, 'run.json'));
  return { runs, answered };
}

/** The same process on an order of our own. */
async function byHand(pair: number): Promise<number> {
  const folder = join(place.root, 'by-hand', String(pair));
  const worktree = join(folder, 'worktree');
  mkdirSync(join(folder, '1'), { recursive: true });
  const token = `by-hand-by-hand-by-hand-${pair}`;
  const order = {
    version: 1,
    project: 'alder',
    id: `by-hand-${pair}`,
    attempt: 1,
    token,
    home: place.home,
    worktree,
    worker: 'researcher',
    title: 'By hand',
    prompt: 'Say what this project is.',
    dependencies: [],
    maxTurns: null,
    maxBudgetUsd: null,
    earlier: '',
    orderedAt: new Date().toISOString(),
  };
  writeFileSync(join(folder, '1/order.json'), JSON.stringify(order));
  const start = performance.now();
  await run('git', ['worktree', 'add', '--quiet', '-b', `by-hand-${pair}`, worktree, 'claude/main'], { cwd: repo });
  const child = spawn(process.execPath, [worker, join(folder, '1')], {
    env: { PATH: process.env['PATH'], HOME: place.root, GUILD_HALL_HOME: place.home, GUILD_HALL_ATTEMPT: token },
    stdio: 'ignore',
    detached: true,
  });
  const runs = (await whenThere(join(folder, '1/identity.json'))) - start;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  gitIn(repo, 'worktree', 'remove', '--force', worktree);
  gitIn(repo, 'branch', '-D', `by-hand-${pair}`);
  return runs;
}
