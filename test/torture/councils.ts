/**
 * `kill -9` of the hall in the middle of a council: while it starts, while agents speak, between any two writes, while it
 * saves. Each council is resumed by ordinary means until it is saved; then its files are held against those of the same
 * council that nobody disturbed. Every fourth is held in the person's own checkout.
 *
 *     npm run torture -- councils [--kills 200] [--faults 100] [--seed 1] [--minutes M] [--json FILE]
 *
 * `--faults N`: N more at fault points (before and after a file write or a git step).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differences, type Left } from './councils/compare.ts';
import { buildProgram } from './councils/place.ts';
import { type Death, type Round, runRound } from './councils/round.ts';
import { seededRandom } from './parts/random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    faults: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    json: { type: 'string' },
  },
});

/** So many halls has a council at most before one may live. */
const deathsOfRound = 12;
/** A council from start to end passes about so many, the start of the hall included. */
const mostPoints = 220;

const random = seededRandom(Number(values.seed));
const endsAt = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
const found = {
  rounds: 0,
  kills: 0,
  startKills: 0,
  stops: 0,
  faultKills: 0,
  acknowledged: 0,
  during: {} as Record<string, number>,
  restartMs: [] as number[],
  lost: [] as string[],
  wrong: [] as string[],
  different: [] as string[],
  leaked: [] as string[],
};

const { program, remove } = await buildProgram();
try {
  const undisturbed = await runRound(program, false, () => undefined);
  const inPlace = await runRound(program, true, () => undefined);
  keep(undisturbed, undisturbed.left);
  keep(inPlace, inPlace.left);
  while (left() > 0 && Date.now() < endsAt) {
    let deaths = 0;
    const isInPlace = found.rounds % 4 === 3;
    const round = await runRound(program, isInPlace, () =>
      (deaths += 1) > Math.min(deathsOfRound, left()) || Date.now() > endsAt ? undefined : drawDeath(),
    );
    keep(round, (isInPlace ? inPlace : undisturbed).left);
    process.stderr.write(
      `council ${found.rounds}: ${found.kills + found.startKills} kills, ${found.faultKills} at fault points, ${bad().length} findings\n`,
    );
  }
} finally {
  remove();
  print();
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ options: values, found }, null, 2)}\n`);
  if (bad().length > 0) process.exitCode = 1;
}

function left(): number {
  const { kills, startKills, faultKills } = found;
  return Math.max(0, Number(values.kills) - kills - startKills) + Math.max(0, Number(values.faults) - faultKills);
}

/** Of the two kinds the one of which more is still to be done, more often. */
function drawDeath(): Death {
  const kills = Math.max(0, Number(values.kills) - found.kills - found.startKills);
  const faults = Math.max(0, Number(values.faults) - found.faultKills);
  if (random() * (kills + faults) < faults) return { kind: 'fault', at: 1 + Math.floor(mostPoints * random() ** 1.3) };
  if (random() < 0.1) return { kind: 'stop', afterMs: 20 + 5000 * random() ** 2 };
  return { kind: 'kill', afterMs: random() < 0.15 ? -(50 + 900 * random()) : 20 + 5000 * random() ** 2 };
}

function keep(round: Round, expected: Left): void {
  found.rounds += 1;
  found.acknowledged += round.acknowledged;
  found.restartMs.push(...round.restartMs);
  for (const { kind, during } of round.deaths) {
    if (kind === 'fault') found.faultKills += 1;
    else if (kind === 'start') found.startKills += 1;
    else if (kind === 'stop') found.stops += 1;
    else found.kills += 1;
    found.during[during] = (found.during[during] ?? 0) + 1;
  }
  const where = `council ${found.rounds}${round.kept === undefined ? '' : ` (${round.kept})`}`;
  note(found.lost, where, round.lost);
  note(found.wrong, where, round.wrong);
  note(found.leaked, where, round.leaked);
  note(found.different, where, differences(expected, round.left));
}

function note(list: string[], where: string, what: readonly string[]): void {
  for (const each of new Set(what)) {
    list.push(`${where}: ${each}`);
    process.stderr.write(`▲ ${where}: ${each}\n`);
  }
}

function bad(): readonly string[] {
  return [...found.lost, ...found.wrong, ...found.different, ...found.leaked];
}

function print(): void {
  const sorted = found.restartMs.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  const told = Object.entries(found.during).map(([stage, times]) => `${stage} ${times}`);
  const must = (list: readonly string[]): string => `${list.length}${list.length === 0 ? '' : '   ▲ must be 0'}`;
  const rows: readonly (readonly [string, string])[] = [
    ['seed', values.seed],
    ['councils, of these undisturbed', `${found.rounds}, 2`],
    ['kill -9 of the hall, while it started', `${found.kills}, ${found.startKills}`],
    ['kill -9 at a fault point', String(found.faultKills)],
    ['polite stops besides', String(found.stops)],
    ['ended during', told.join(', ') || 'none'],
    ['answers, resumes, starts acknowledged', String(found.acknowledged)],
    ['restart until it answers, median / p95', `${at(0.5)} / ${at(0.95)}`],
    ['acknowledged or seen, and lost', must(found.lost)],
    ['files that do not parse, stops, refusals', must(found.wrong)],
    ['final files that differ', must(found.different)],
    ['processes, worktrees, branches, locks left', must(found.leaked)],
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(46)}${value}\n`);
  for (const what of bad().slice(0, 40)) process.stdout.write(`  ▲ ${what}\n`);
}
