/**
 * Kills at fault points: the hall dies before or after its n-th file write, git step or step of a commission, counted
 * from its start, in a small queue that has a merge, a conflict and a failure.
 */
import { delay } from '../parts/hall-process.ts';
import { count, type Findings } from './findings.ts';
import { bringUp, type Keeper, makeKeeper, requireUp, takeDown } from './keeper.ts';
import type { Place } from './place.ts';
import { comeToRest, judgeRound, makeRound, runPerson } from './round.ts';

export interface FaultRun {
  readonly place: Place;
  readonly findings: Findings;
  readonly random: () => number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  /** How many; `all`: one at each point. */
  readonly wanted: number | 'all';
}

const small = ['first', 'rival-one', 'rival-two', 'limit'];
/** Rounds of this kind have numbers of their own. */
const firstRound = 10_000;
/** More points than a small queue passes; the run finds out how many there are. */
const mostPoints = 1200;

export async function runFaults(run: FaultRun): Promise<void> {
  const { findings, random, wanted } = run;
  const keeper = makeKeeper(run.place, findings);
  let span = mostPoints;
  let spared = 0;
  for (let done = 0; Date.now() < run.endsAt; done += 1) {
    if (wanted === 'all' ? spared >= 3 : done >= wanted) return;
    const point = wanted === 'all' ? done + 1 : 1 + Math.floor(random() * span);
    const died = await runFault(keeper, firstRound + done, point, random);
    if (died) findings.faultPoints = Math.max(findings.faultPoints, point);
    else spared += 1;
    // It came to rest before that point: there are fewer.
    if (!died && wanted !== 'all') span = Math.max(findings.faultPoints, point);
    if (done % 10 === 9) process.stderr.write(`${done + 1} fault points, the last ${point}\n`);
  }
}

/** @returns whether the point was reached */
async function runFault(keeper: Keeper, number: number, point: number, random: () => number): Promise<boolean> {
  const { findings } = keeper;
  const round = makeRound(keeper, number, random, small);
  const env = { GUILD_HALL_FAULT_AT: String(point) };
  let died = !(await bringUp(keeper, env));
  if (died) await requireAfterFault(keeper);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { hall } = keeper;
      if (hall !== undefined && hall.process.signalCode === 'SIGKILL') {
        died = true;
        keeper.hall = undefined;
        await requireAfterFault(keeper);
      }
      await delay(10);
    }
  })();
  await runPerson(keeper, round);
  await comeToRest(keeper, round);
  isOver = true;
  await watching;
  const { hall } = keeper;
  await takeDown(keeper);
  if (!died && hall?.process.signalCode === 'SIGKILL') {
    // It died while it stopped.
    died = true;
    await requireAfterFault(keeper);
    await comeToRest(keeper, round);
    await takeDown(keeper);
  }
  if (died) {
    findings.faultKills += 1;
    count(findings.killedDuring, 'at a fault point');
  }
  judgeRound(keeper, round, `fault ${point}`);
  return died;
}

async function requireAfterFault(keeper: Keeper): Promise<void> {
  keeper.kills.push(Date.now());
  await requireUp(keeper);
}
