/**
 * `kill -9` of the hall, of members and of tmux in the middle of gatherings: while they begin, while somebody speaks, between
 * any two writes, while the harvest is saved. Each gathering has to close for its own reason, with one entry in its trail;
 * what was acknowledged was said, what was reported as delivered was taken, once and in order; nothing is left behind.
 *
 *     npm run torture -- gatherings [--kills 200] [--faults 40] [--seed 1] [--minutes M] [--json FILE]
 *
 * `--faults N`: N more at fault points of the hall (before and after a file write or a git step).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildProgram } from './councils/place.ts';
import { endAll, makePlace, projectName } from './gatherings/place.ts';
import { type Blow, type Round, runRound } from './gatherings/round.ts';
import { removeTortureHome, startHall, stopHall } from './parts/hall-process.ts';
import { seededRandom } from './parts/random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    faults: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    json: { type: 'string' },
  },
});

/** So many blows a gathering gets at most: then it may come to its end. */
const blowsOfRound = 6;
/** A gathering passes more of them; most of what is different happens in the first ones. */
const mostPoints = 260;
const structures = ['1-1-1', '1-1-1', '2-1-1'] as const;

const random = seededRandom(Number(values.seed));
const endsAt = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;
const found = {
  rounds: 0,
  struck: { hall: 0, member: 0, tmux: 0, fault: 0 },
  during: {} as Record<string, number>,
  closedBecause: {} as Record<string, number>,
  acknowledged: 0,
  restartMs: [] as number[],
  lost: [] as string[],
  wrong: [] as string[],
  leaked: [] as string[],
};

const { program, remove } = await buildProgram();
const place = makePlace();
const held = new Set<string>();
try {
  const hall = await startHall(place, {}, { program });
  if (hall === 'died') throw new Error('the hall died, and nobody had killed it');
  await hall.client.call('project.add', { path: place.repo, name: projectName });
  await stopHall(hall);
  do {
    let blows = 0;
    // The first one is left alone: what fails there is no fault of ours.
    const most = found.rounds === 0 ? 0 : blowsOfRound;
    const nextBlow = (): Blow | undefined =>
      (blows += 1) > Math.min(most, left()) || Date.now() > endsAt ? undefined : drawBlow();
    const structure = structures[Math.floor(random() * structures.length)]!;
    const round = await runRound(place, { program, structure, earlier: new Set(held), nextBlow });
    keep(round);
    if (round.id !== undefined) held.add(round.id);
    process.stderr.write(`gathering ${found.rounds}: ${struck()} killed, ${bad().length} findings\n`);
  } while (left() > 0 && Date.now() < endsAt);
} finally {
  endAll(place);
  remove();
  if (bad().length === 0) removeTortureHome(place);
  else process.stderr.write(`the home is kept for a look: ${place.root}\n`);
  print();
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ options: values, found }, null, 2)}\n`);
  if (bad().length > 0) process.exitCode = 1;
}

function struck(): number {
  const { hall, member, tmux, fault } = found.struck;
  return hall + member + tmux + fault;
}

function left(): number {
  const { fault } = found.struck;
  return Math.max(0, Number(values.kills) - (struck() - fault)) + Math.max(0, Number(values.faults) - fault);
}

function drawBlow(): Blow {
  const faults = Math.max(0, Number(values.faults) - found.struck.fault);
  if (random() * left() < faults) return { what: 'fault', at: 1 + Math.floor(mostPoints * random() ** 1.3) };
  const afterMs = 30 + 3500 * random() ** 2;
  // A hall begins slowly: most blows would fall before there is a gathering.
  const isOnceSeen = random() < 0.7;
  const dice = random();
  if (dice < 0.75) return { what: 'hall', afterMs, isOnceSeen };
  if (dice < 0.93) return { what: 'member', nth: Math.floor(random() * 4), afterMs, isOnceSeen };
  return { what: 'tmux', afterMs, isOnceSeen };
}

function keep(round: Round): void {
  found.rounds += 1;
  found.acknowledged += round.acknowledged;
  found.restartMs.push(...round.restartMs);
  found.closedBecause[round.closedBecause] = (found.closedBecause[round.closedBecause] ?? 0) + 1;
  for (const { what, during } of round.blows) {
    found.struck[what] += 1;
    found.during[during] = (found.during[during] ?? 0) + 1;
  }
  const where = `gathering ${found.rounds} (${round.id ?? 'none'})`;
  for (const kind of ['lost', 'wrong', 'leaked'] as const) {
    for (const each of new Set(round[kind])) {
      found[kind].push(`${where}: ${each}`);
      process.stderr.write(`▲ ${where}: ${each}\n`);
    }
  }
}

function bad(): readonly string[] {
  return [...found.lost, ...found.wrong, ...found.leaked];
}

function print(): void {
  const sorted = found.restartMs.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  const told = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([what, times]) => `${what} ${times}`)
      .join(', ') || 'none';
  const must = (list: readonly string[]): string => `${list.length}${list.length === 0 ? '' : '   ▲ must be 0'}`;
  const { hall, member, tmux, fault } = found.struck;
  const rows: readonly (readonly [string, string])[] = [
    ['seed', values.seed],
    ['gatherings, the first undisturbed', String(found.rounds)],
    ['kill -9 of the hall, a member, tmux', `${hall}, ${member}, ${tmux}`],
    ['kill -9 of the hall at a fault point', String(fault)],
    ['killed during', told(found.during)],
    ['closed because', told(found.closedBecause)],
    ["the person's words acknowledged", String(found.acknowledged)],
    ['restart until it answers, median / p95', `${at(0.5)} / ${at(0.95)}`],
    ['acknowledged or delivered, and lost', must(found.lost)],
    ['twice, out of order, not closed, not parsed', must(found.wrong)],
    ['programs and terminals left', must(found.leaked)],
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(46)}${value}\n`);
  for (const what of bad().slice(0, 40)) process.stdout.write(`  ▲ ${what}\n`);
}
