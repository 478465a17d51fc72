/**
 * `kill -9` of the hall and of workers at random moments of a queue of twelve commissions in two projects: some depend on
 * others, some fail for a reason of their own, some conflict, one crashes after its result, one leaves children, one hangs,
 * one runs on the real SDK. When all have come to rest, everything that was acknowledged is looked for.
 *
 *     npm run torture -- commissions [--kills 200] [--faults 60] [--cases yes] [--seed 1] [--minutes M] [--json FILE]
 *
 * `--faults N`: N kills at fault points (before and after a file write or a git step), drawn over the whole life of a
 * small queue; `all` goes through every one. `--cases no` leaves out the single cases (agent killed, disk full, …), another word
 * takes those with it in their name.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runCases } from './commissions/cases.ts';
import { runFaults } from './commissions/faults.ts';
import { emptyFindings, type Findings, isClean, printFindings } from './commissions/findings.ts';
import { makeKeeper, requireUp, takeDown } from './commissions/keeper.ts';
import { makePlace, type Place, projectNames, removePlace } from './commissions/place.ts';
import { makeRound, runRound } from './commissions/round.ts';
import { processesOf } from './parts/hall-process.ts';
import { seededRandom } from './parts/random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    faults: { type: 'string', default: '60' },
    cases: { type: 'string', default: 'yes' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    json: { type: 'string' },
  },
});

/** So many kills has a round at most: it ends when there is nothing left to disturb. */
const killsOfRound = 30;

const findings = emptyFindings();
const random = seededRandom(Number(values.seed));
const endsAt = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
let place: Place | undefined;

process.on('SIGINT', () => {
  finish(findings);
  process.exit(130);
});

try {
  place = await makePlace();
  await runKills(place);
  if (values.faults !== '0' && Date.now() < endsAt) {
    await runFaults({
      place,
      findings,
      random,
      endsAt,
      wanted: values.faults === 'all' ? 'all' : Number(values.faults),
    });
  }
  if (values.cases !== 'no' && Date.now() < endsAt)
    await runCases(place, findings, values.cases === 'yes' ? '' : values.cases);
} finally {
  finish(findings);
}

async function runKills(at: Place): Promise<void> {
  const keeper = makeKeeper(at, findings);
  await requireUp(keeper);
  for (const name of projectNames) await keeper.hall!.client.call('project.add', { path: at.repos[name], name });
  try {
    for (let round = 1; Date.now() < endsAt; round += 1) {
      const left = Number(values.kills) - findings.hallKills - findings.workerKills;
      if (left <= 0) return;
      await runRound(keeper, makeRound(keeper, round, random), Math.min(left, killsOfRound));
      process.stderr.write(
        `round ${round}: ${findings.hallKills + findings.workerKills} kills, ${findings.lost.length} lost, ${findings.wrong.length} wrong, ${findings.leaked.length} leaked\n`,
      );
    }
  } finally {
    keeper.isClosed = true;
    await takeDown(keeper);
  }
}

function finish(found: Findings): void {
  printFindings(values, found);
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ options: values, findings: found }, null, 2)}\n`);
  if (!isClean(found)) process.exitCode = 1;
  if (place === undefined) return;
  for (const pid of processesOf(place)) process.kill(pid, 'SIGKILL');
  removePlace(place, !isClean(found));
  if (!isClean(found)) process.stdout.write(`the home is kept for a look: ${place.root}\n`);
}
