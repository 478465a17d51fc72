/**
 * `kill -9` of the hall at random moments of a meeting: opening, turns with tool calls, messages that wait, the close.
 * After each kill the hall is started again and everything that it had acknowledged is looked for.
 *
 *     npm run torture -- meetings [--kills 200] [--seed 1] [--faults 0] [--json FILE]
 *
 * `--faults N` adds N kills at fault points (before and after a file write or a git step) chosen over the whole run.
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
import { finishMeetings, type Ledger, runWorkload, verifyLedger } from './parts/meeting-ledger.ts';

interface Options {
  readonly kills: number;
  readonly faults: number;
  readonly seed: number;
}

interface Findings {
  kills: number;
  faultKills: number;
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
      faults: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  const options: Options = { kills: Number(values.kills), faults: Number(values.faults), seed: Number(values.seed) };
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
    for (let round = 0; round < options.kills + options.faults; round += 1) {
      const byFault = round >= options.kills;
      const ledger = byFault
        ? await roundWithFault(place, findings, 1 + Math.floor(random() * 140))
        : await roundWithKill(place, findings, random() * spanMs);
      await verifyRound(place, findings, ledger, round);
      if ((round + 1) % 10 === 0)
        process.stderr.write(`${round + 1} kills, ${findings.lost.length} lost, ${findings.leaked.length} leaked\n`);
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
  const ledger = await runWorkload(hall.client);
  const span = performance.now() - started;
  if (!ledger.finished)
    throw new Error(`the undisturbed meeting did not finish: ${ledger.stage} ${ledger.trouble ?? ''}`);
  await stopHall(hall);
  return span;
}

async function roundWithKill(place: TortureHome, findings: Findings, afterMs: number): Promise<Ledger> {
  const hall = await startedHall(place, findings);
  const work = runWorkload(hall.client);
  await Promise.race([delay(afterMs), work]);
  await killHall(hall);
  findings.kills += 1;
  return work;
}

async function roundWithFault(place: TortureHome, findings: Findings, point: number): Promise<Ledger> {
  const hall = await startHall(place, { GUILD_HALL_FAULT_AT: String(point) });
  findings.faultKills += 1;
  if (hall === 'died') return { messages: [], turns: [], stage: 'start', finished: false };
  const ledger = await runWorkload(hall.client);
  await killHall(hall);
  return ledger;
}

/** Starts the hall again, looks for everything acknowledged, lets every meeting go on to its end, looks for leaks. */
async function verifyRound(place: TortureHome, findings: Findings, ledger: Ledger, round: number): Promise<void> {
  findings.killedDuring[ledger.stage] = (findings.killedDuring[ledger.stage] ?? 0) + 1;
  findings.acknowledgedMessages += ledger.messages.length;
  findings.acknowledgedTurns += ledger.turns.length;
  if (ledger.closed === true) findings.acknowledgedCloses += 1;
  const hall = await startedHall(place, findings);
  try {
    const lost = [...(await verifyLedger(hall.client, ledger)), ...(await finishMeetings(hall.client, place, ledger))];
    findings.lost.push(...lost.map((what) => `kill ${round + 1} (${ledger.stage}): ${what}`));
  } finally {
    await stopHall(hall);
  }
  findings.leaked.push(...leaksIn(place).map((what) => `kill ${round + 1} (${ledger.stage}): ${what}`));
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
    [
      'killed during',
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
