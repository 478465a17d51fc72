/**
 * How long it takes from a worker's result until its work is merged and everything of it is cleaned up, against the same
 * steps of git in a shell script, in pairs within one run.
 *
 *   npm run bench -- commission-finish [--pairs 20] [--json <path>]
 *
 * The script keeps the rest on the branch, squashes it together with a record onto the integration branch, and removes
 * the worktree and the branch. Fails when the median of the ratios is above 1.25.
 */
import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
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
const repo = place.repos.birch;
const files = 5;
const script = join(place.root, 'finish.sh');
writeFileSync(
  script,
  `set -e
worktree=$1 branch=$2 integration=$3 record=$4
git -C "$worktree" add --all
git -C "$worktree" commit --quiet --message "Keep the rest"
git -C "$integration" merge --quiet --squash "$branch" > /dev/null
mkdir -p "$integration/.lore/commissions"
printf 'status: completed\\n' > "$integration/.lore/commissions/$record.md"
git -C "$integration" add ".lore/commissions/$record.md"
git -C "$integration" commit --quiet --message "Commission $record"
git -C "$integration" worktree remove "$worktree"
git -C "$integration" branch --quiet -D "$branch"
`,
);
const hallMs: number[] = [];
const byHandMs: number[] = [];
try {
  await hall.client.call('project.add', { path: place.repos.alder, name: 'alder' });
  const integration = join(place.root, 'integration');
  gitIn(repo, 'worktree', 'add', '--quiet', '-b', 'integration', integration, 'main');
  // The first of each is not counted.
  for (let pair = 0; pair <= Number(flags.pairs); pair += 1) {
    const own = await throughHall(pair);
    const other = await byHand(pair, integration);
    if (pair === 0) continue;
    hallMs.push(own);
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
    { name: 'result → merged and cleaned', value: msOf(hallMs) },
    { name: 'git in a shell script', value: msOf(byHandMs) },
    { name: `ratio, median of ${ratios.length} pairs`, value: `${ratio.toFixed(2)} ×; at most ${most}` },
  ],
  flags.json,
  { machine: machineNow(), hallMs, byHandMs, ratio, p95: quantile(ratios, 0.95), most },
);
process.exitCode = ratio > most ? 1 : 0;

/** From the result on the disk to the last step of the end. */
async function throughHall(pair: number): Promise<number> {
  const wrote = Array.from({ length: files }, (_, at) => ['write', `made/${pair}-${at}.txt`, `${pair} ${at}\n`]);
  const prompt = JSON.stringify([...wrote, ['wait', 'on'], ['result', 'Done', [`made/${pair}-0.txt`]]]);
  const input = { project: 'alder', worker: 'researcher', title: `Pair ${pair}`, prompt, dispatch: true };
  const { id } = (await hall.client.call('commission.create', input)) as { id: string };
  const state = join(place.home, 'state/commissions', `alder.${id}`);
  await whenThere(join(state, '1/identity.json'));
  await whenThere(join(place.home, 'worktrees/alder', `commission-${id}/made/${pair}-${files - 1}.txt`));
  // Until the hall, too, has seen it begin.
  await new Promise((resolve) => setTimeout(resolve, 700));
  writeFileSync(join(state, '1/go-on'), '');
  const result = join(state, '1/result.json');
  await whenThere(result);
  const since = statSync(result).mtimeMs;
  await whenGone(join(state, 'run.json'));
  const ms = performance.timeOrigin + performance.now() - since;
  const merged = gitIn(place.repos.alder, 'log', '-1', '--format=%s', 'claude/main', '--', `made/${pair}-0.txt`);
  if (merged !== `Commission ${id}: Pair ${pair}`) throw new Error(`it was not merged: ${merged}`);
  return ms;
}

async function byHand(pair: number, integration: string): Promise<number> {
  const worktree = join(place.root, 'by-hand', String(pair));
  const branch = `by-hand-${pair}`;
  gitIn(repo, 'worktree', 'add', '--quiet', '-b', branch, worktree, 'integration');
  for (let at = 0; at < files; at += 1) writeFileSync(join(worktree, `made-${pair}-${at}.txt`), `${pair} ${at}\n`);
  const start = performance.now();
  await run('sh', [script, worktree, branch, integration, `by-hand-${pair}`]);
  return performance.now() - start;
}
