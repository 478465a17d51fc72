/**
 * `kill -9` of the hall at random moments of a meeting: opening, accepting a request, turns with tool calls, messages
 * that wait, the close; some rounds have two meetings at once, some end with a polite stop instead of a kill. After each
 * the hall is started again and everything that it had acknowledged is looked for.
 *
 *     npm run torture -- meetings [--kills 200] [--faults 60] [--stops 20] [--seed 1] [--json FILE]
 *
 * `--faults N`: N kills at fault points (before and after a file write or a git step), drawn over the whole life.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from './parts/random.ts';
import {
  delay,
  gitIn,
  killHall,
  makeTortureHome,
  processesOf,
  removeTortureHome,
  type RunningHall,
  startHall,
  stopHall,
  type TortureHome,
} from './parts/hall-process.ts';
import type { HallClient } from '../../src/interfaces/cli/client.ts';
import { checkResult, finishMeetings, type Ledger, runWorkload, verifyLedger } from './parts/meeting-ledger.ts';

interface Options {
  readonly kills: number;
  readonly faults: number;
  readonly stops: number;
  readonly seed: number;
}

interface Findings {
  kills: number;
  faultKills: number;
  stops: number;
  acknowledgedMessages: number;
  acknowledgedTurns: number;
  acknowledgedCloses: number;
  killedDuring: Record<string, number>;
  restartMs: number[];
  lost: string[];
  leaked: string[];
}

const projectFiles = {
  'README.md': '# Tally\n\nCounts words in files.\n',
  'src/count.ts':
    'export function countWords(text: string): number {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n',
  'src/main.ts': "import { countWords } from './count.ts';\n\nconsole.log(countWords('one two'));\n",
};

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '200' },
      faults: { type: 'string', default: '60' },
      stops: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const options: Options = {
    kills: Number(values.kills),
    faults: Number(values.faults),
    stops: Number(values.stops),
    seed: Number(values.seed),
  };
  const findings = await torture(options);
  print(options, findings);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ options, findings }, null, 2)}\n`);
  if (findings.lost.length + findings.leaked.length > 0) process.exitCode = 1;
}

async function torture(options: Options): Promise<Findings> {
  const random = seededRandom(options.seed);
  const place = makeTortureHome(projectFiles, writeFileSync);
  const findings: Findings = {
    kills: 0,
    faultKills: 0,
    stops: 0,
    acknowledgedMessages: 0,
    acknowledgedTurns: 0,
    acknowledgedCloses: 0,
    killedDuring: {},
    restartMs: [],
    lost: [],
    leaked: [],
  };
  try {
    const first = await startedHall(place, findings);
    await first.client.call('project.add', { path: place.repo, name: 'tally' });
    await stopHall(first);
    const spanMs = await measureSpan(place, findings);
    const rounds = options.kills + options.faults + options.stops;
    for (let round = 0; round < rounds; round += 1) {
      const kind = round < options.kills ? 'kill' : round < options.kills + options.faults ? 'fault' : 'stop';
      const variant = Math.floor(random() * variants.length);
      const ledgers =
        kind === 'fault'
          ? await roundWithFault(place, findings, 1 + Math.floor(random() * 170), variant)
          : await roundWithEnd(place, findings, random() * spanMs, kind, variant);
      await verifyRound(place, findings, ledgers, `${kind} ${round + 1}`);
      if ((round + 1) % 10 === 0)
        process.stderr.write(
          `${round + 1} of ${rounds}: ${findings.lost.length} lost, ${findings.leaked.length} leaked\n`,
        );
    }
  } finally {
    for (const pid of processesOf(place)) process.kill(pid, 'SIGKILL');
    if (findings.lost.length + findings.leaked.length === 0) removeTortureHome(place);
    else process.stderr.write(`the home is kept for a look: ${place.root}\n`);
  }
  return findings;
}

async function startedHall(place: TortureHome, findings: Findings): Promise<RunningHall> {
  const hall = await startHall(place);
  if (hall === 'died') throw new Error('the hall died at its start without a fault being asked for');
  findings.restartMs.push(hall.readyMs);
  return hall;
}

/** How long an undisturbed meeting takes here: the moments of the kills are spread over that. */
async function measureSpan(place: TortureHome, findings: Findings): Promise<number> {
  const hall = await startedHall(place, findings);
  const started = performance.now();
  const [ledger] = await runVariant(hall.client, place, 0);
  const span = performance.now() - started;
  if (!ledger?.finished) throw new Error(`the undisturbed meeting did not finish: ${ledger?.stage} ${ledger?.trouble}`);
  await stopHall(hall);
  return span;
}

/** What happens in a round: a meeting, an accepted request, two meetings at once. */
const variants = ['own', 'request', 'two'] as const;

async function runVariant(client: HallClient, place: TortureHome, variant: number): Promise<Ledger[]> {
  if (variants[variant] === 'request') return [await runWorkload(client, place, 'request')];
  if (variants[variant] === 'two')
    return Promise.all([runWorkload(client, place, 'own'), runWorkload(client, place, 'own')]);
  return [await runWorkload(client, place, 'own')];
}

async function roundWithEnd(
  place: TortureHome,
  findings: Findings,
  afterMs: number,
  kind: 'kill' | 'stop',
  variant: number,
): Promise<Ledger[]> {
  const hall = await startedHall(place, findings);
  const work = runVariant(hall.client, place, variant);
  await Promise.race([delay(afterMs), work]);
  await (kind === 'kill' ? killHall(hall) : stopHall(hall));
  findings[kind === 'kill' ? 'kills' : 'stops'] += 1;
  return work;
}

async function roundWithFault(
  place: TortureHome,
  findings: Findings,
  point: number,
  variant: number,
): Promise<Ledger[]> {
  const hall = await startHall(place, { GUILD_HALL_FAULT_AT: String(point) });
  findings.faultKills += 1;
  if (hall === 'died') return [];
  const ledgers = await runVariant(hall.client, place, variant);
  await killHall(hall);
  return ledgers;
}

/** Starts the hall again, looks for everything acknowledged, lets every meeting go on to its end, looks for leaks. */
async function verifyRound(
  place: TortureHome,
  findings: Findings,
  ledgers: readonly Ledger[],
  name: string,
): Promise<void> {
  const stage = ledgers.map((ledger) => ledger.stage).join('+') || 'start';
  findings.killedDuring[stage] = (findings.killedDuring[stage] ?? 0) + 1;
  const note = (list: string[], what: readonly string[]): void => {
    for (const each of what) {
      list.push(`${name} (${stage}): ${each}`);
      process.stderr.write(`▲ ${name} (${stage}): ${each}\n`);
    }
  };
  const hall = await startedHall(place, findings);
  try {
    for (const ledger of ledgers) {
      findings.acknowledgedMessages += ledger.messages.length;
      findings.acknowledgedTurns += ledger.turns.length;
      if (ledger.closed === true) findings.acknowledgedCloses += 1;
      note(findings.lost, await verifyLedger(hall.client, ledger));
    }
    note(findings.lost, await finishMeetings(hall.client));
    for (const ledger of ledgers) note(findings.lost, checkResult(place, ledger));
  } finally {
    await stopHall(hall);
  }
  note(findings.leaked, leaksIn(place));
}

/** What may not be left when no meeting is open and no hall runs. */
function leaksIn(place: TortureHome): readonly string[] {
  const leaks: string[] = [];
  for (const pid of processesOf(place)) leaks.push(`process ${pid}`);
  const worktrees = gitIn(place.repo, 'worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree '));
  if (worktrees.length !== 2)
    leaks.push(`${worktrees.length} worktrees are registered, expected the person's and the integration's`);
  const branches = gitIn(place.repo, 'branch', '--format=%(refname:short)', '--list', 'claude/meeting/*');
  if (branches !== '') leaks.push(`branches ${branches.replaceAll('\n', ' ')}`);
  for (const folder of ['worktrees/tally', 'meetings', 'state/meetings', 'state/agents', 'state/processes']) {
    const left = existsSync(join(place.home, folder)) ? readdirSync(join(place.home, folder)) : [];
    if (left.length > 0) leaks.push(`${folder}: ${left.slice(0, 4).join(', ')}`);
  }
  const dirty = gitIn(join(place.home, 'projects/tally'), 'status', '--porcelain');
  if (dirty !== '') leaks.push(`the integration worktree has changes: ${dirty.split('\n').slice(0, 4).join('; ')}`);
  if (gitIn(place.repo, 'status', '--porcelain') !== '') leaks.push("the person's checkout was changed");
  return leaks;
}

function print(options: Options, findings: Findings): void {
  const sorted = findings.restartMs.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(options.seed)],
    ['kills at random moments', String(findings.kills)],
    ['kills at fault points', String(findings.faultKills)],
    ['polite stops', String(findings.stops)],
    [
      'ended during',
      Object.entries(findings.killedDuring)
        .map(([stage, count]) => `${stage} ${count}`)
        .join(', '),
    ],
    ['messages acknowledged', String(findings.acknowledgedMessages)],
    ['turns acknowledged', String(findings.acknowledgedTurns)],
    ['closes acknowledged', String(findings.acknowledgedCloses)],
    ['restart until it answers, median / p95', `${at(0.5)} / ${at(0.95)}`],
    ['lost', String(findings.lost.length)],
    ['leaked', String(findings.leaked.length)],
  ];
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(42)}${value}\n`);
  for (const what of [...findings.lost, ...findings.leaked].slice(0, 30)) process.stdout.write(`  ▲ ${what}\n`);
}

await main();
