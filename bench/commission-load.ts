/**
 * A hall with 500 commissions in the queue over 20 projects: what it costs while nothing happens, how fast the next starts
 * when one ends, whether they start in their order and within the limits.
 *
 *   npm run bench -- commission-load [--queued 500] [--projects 20] [--idle 20] [--starts 40] [--json <path>]
 *
 * Fails when the hall takes 1 % of a core or more while it is idle, one in twenty decisions takes 5 ms or more, an order is
 * broken or a limit is passed.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { commissionIdSchema, type CommissionRecord } from '../src/features/commissions/contract.ts';
import { decideQueue } from '../src/features/commissions/rules/queue.ts';
import { createEngine } from '../src/features/commissions/reactions/live.ts';
import { createCommissionFile } from '../src/features/commissions/store/files.ts';
import { keepWish } from '../src/features/commissions/store/wish.ts';
import { systemClock } from '../src/kernel/clock/clock.ts';
import { homePaths } from '../src/kernel/projects/home.ts';
import type { Project } from '../src/kernel/projects/projects.ts';
import { projectNameSchema } from '../src/kernel/pure/ids.ts';
import { recordsOf } from '../test/torture/commissions/reading.ts';
import { gitIn, startHall, stopHall } from '../test/torture/parts/hall-process.ts';
import { machineNow, msOf, openBench, printRows, quantile, whenSo } from './parts/commission-hall.ts';
import { readCpu } from './parts/cpu.ts';

const { values: flags } = parseArgs({
  options: {
    queued: { type: 'string', default: '500' },
    projects: { type: 'string', default: '20' },
    idle: { type: 'string', default: '20' },
    starts: { type: 'string', default: '40' },
    json: { type: 'string' },
  },
});
const [queued, projects, idleSeconds, starts] = [flags.queued, flags.projects, flags.idle, flags.starts].map(
  Number,
) as [number, number, number, number];
const [global, perProject] = [10, 3];
const most = { cpu: 1, decision: 5 };
const names = Array.from({ length: projects }, (_, at) => `project-${at}`);
const timeOf = (at: number): string => new Date(Date.UTC(2026, 0, 1) + ((at * 7919) % 100_000) * 1000).toISOString();
/** Uneven, so that some projects are at their limit while others have room. */
const projectOf = (at: number): string => names[Math.min((at * 7) % projects, (at * 11) % (projects + 7)) % projects]!;

const bench = await openBench(['commissions:', `  perProject: ${perProject}`, `  global: ${global}`]);
const { place } = bench;
let { hall } = bench;
try {
  await fillQueue();
  const readyMs = hall.readyMs;
  await whenSo('the first run', () => running().length === global, 120_000);
  await sleep(3000);
  const before = readCpu(hall.pid);
  const load = machineNow();
  await sleep(idleSeconds * 1000);
  const cpu = ((readCpu(hall.pid).hall - before.hall) / idleSeconds) * 100;
  const nextMs = await letThemEnd();
  const decisions = timeDecisions();
  const problems = judge();
  const decision = quantile(decisions, 0.95);
  printRows(
    [
      { name: 'machine', value: load },
      {
        name: `start with ${queued} queued in ${projects} projects`,
        value: `${readyMs.toFixed(0)} ms until it answers`,
      },
      { name: 'hall, idle', value: `${cpu.toFixed(2)} % of a core; below ${most.cpu}` },
      {
        name: 'decision',
        value: `p50 ${quantile(decisions, 0.5).toFixed(2)} ms, p95 ${decision.toFixed(2)} ms; below ${most.decision}`,
      },
      { name: `one ended → the next has its place (${nextMs.length})`, value: msOf(nextMs) },
      { name: 'order and limits', value: problems.length === 0 ? 'as they should be' : problems.join('; ') },
    ],
    flags.json,
    { machine: load, queued, projects, readyMs, cpu, decisions: decisions.length, decision, nextMs, problems },
  );
  process.exitCode = cpu >= most.cpu || decision >= most.decision || problems.length > 0 ? 1 : 0;
} finally {
  await stopHall(hall);
  // Workers outlive the hall: they may end now.
  for (const folder of running()) writeFileSync(join(folder, 'go-on'), '');
  await bench.close();
}

/** Projects are registered, then the records are written while no hall is there, as one commit each. */
async function fillQueue(): Promise<void> {
  for (const name of names) {
    const path = join(place.root, 'many', name);
    mkdirSync(join(place.root, 'many'), { recursive: true });
    cpSync(place.repos.alder, path, { recursive: true });
    await hall.client.call('project.add', { path, name });
  }
  await stopHall(hall);
  for (let at = 0; at < queued; at += 1) {
    const name = projectNameSchema.parse(projectOf(at));
    const project = { name, integrationWorktree: join(place.home, 'projects', name) } as Project;
    const ref = { project, id: commissionIdSchema.parse(`job-${at}`) };
    await keepWish({ home: homePaths(place.home), engine: createEngine() }, ref, timeOf(at));
    await createCommissionFile(project, ref.id, jobAt(at));
  }
  for (const name of names) {
    const worktree = join(place.home, 'projects', name);
    gitIn(worktree, 'add', '--all');
    gitIn(
      worktree,
      '-c',
      'user.name=B',
      '-c',
      'user.email=b@example.invalid',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Queue',
    );
  }
  const again = await startHall(place, {}, { program: place.program });
  if (again === 'died') throw new Error('the hall died at its start');
  hall = again;
}

function jobAt(at: number) {
  return {
    title: `Job ${at}`,
    status: 'pending',
    worker: 'researcher',
    workerDisplayTitle: 'Researcher',
    prompt: JSON.stringify([
      ['progress', 'began'],
      ['wait', 'on'],
      ['result', 'done'],
    ]),
    dependencies: [],
    maxTurns: null,
    maxBudgetUsd: null,
    createdBy: 'person',
    now: timeOf(at),
    queuedAt: timeOf(at),
    reason: 'Created',
  } as const;
}

/** Attempts whose worker waits for our word, the oldest first. */
function running(): readonly string[] {
  const root = join(place.home, 'state/commissions');
  const there = existsSync(root) ? readdirSync(root) : [];
  return there
    .map((name) => join(root, name, '1'))
    .filter((folder) => existsSync(join(folder, 'journal.jsonl')) && !existsSync(join(folder, 'go-on')));
}

/** Ends one after the other. @returns milliseconds from the end in a record to the next one's place in its own */
async function letThemEnd(): Promise<readonly number[]> {
  for (let at = 0; at < starts; at += 1) {
    await whenSo('a full house', () => running().length === global, 120_000);
    const [first] = running();
    writeFileSync(join(first!, 'go-on'), '');
    await whenSo('its end', () => !existsSync(join(first!, '..', 'run.json')), 120_000);
  }
  await whenSo('a full house', () => running().length === global, 120_000);
  const changes = all().flatMap(({ timeline }) =>
    timeline.flatMap((entry) => (entry.event === 'status' ? [entry] : [])),
  );
  const ends = changes.filter(({ to }) => to === 'completed').map(({ timestamp }) => Date.parse(timestamp));
  const places = changes.filter(({ to }) => to === 'dispatched').map(({ timestamp }) => Date.parse(timestamp));
  return ends
    .toSorted((a, b) => a - b)
    .flatMap((end) => {
      const next = places.filter((time) => time >= end).toSorted((a, b) => a - b)[0];
      return next === undefined ? [] : [next - end];
    });
}

function all(): readonly CommissionRecord[] {
  return names.flatMap((name) => recordsOf(place, name as 'alder'));
}

/** The order of starts is the one that the rule gives for each moment; no limit is passed at any moment. */
function judge(): string[] {
  const problems: string[] = [];
  const jobs = all().map((record) => ({
    record,
    began: changeOf(record, 'dispatched'),
    ended: changeOf(record, 'completed'),
  }));
  const started = jobs.filter(({ began }) => began !== undefined).toSorted((a, b) => a.began! - b.began!);
  for (const { record, began } of started) {
    const present = started.filter((one) => one.began! <= began! && (one.ended ?? Infinity) > began!);
    const own = present.filter((one) => one.record.project === record.project);
    if (present.length > global) problems.push(`${present.length} ran at once`);
    if (own.length > perProject) problems.push(`${own.length} ran at once in ${record.project}`);
    const isFull = (project: string): boolean =>
      started.filter(
        (one) => one.record.project === project && one.began! < began! && (one.ended ?? Infinity) >= began!,
      ).length >= perProject;
    const passed = jobs.filter(
      (one) =>
        (one.began ?? Infinity) > began! && one.record.createdAt < record.createdAt && !isFull(one.record.project),
    );
    if (passed.length > 0)
      problems.push(`${record.id} of ${record.project} passed ${passed.length} that were there before it`);
  }
  return problems.slice(0, 5);
}

function changeOf({ timeline }: CommissionRecord, to: string): number | undefined {
  const entry = timeline.find((each) => each.event === 'status' && each.to === to);
  return entry === undefined ? undefined : Date.parse(entry.timestamp);
}

/** On what is queued and runs now. */
function timeDecisions(): readonly number[] {
  const records = all();
  const input = {
    queued: records
      .filter(({ status }) => status === 'pending')
      .map(({ id, project, createdAt }) => ({ key: `${project}/${id}`, id, project, createdAt, isBlocked: false })),
    running: records.filter(({ status }) => status === 'in_progress').map(({ project }) => ({ project })),
    limits: { global, perProject: () => perProject },
    waitingForReview: 0,
    reviewLimit: 0,
  };
  return Array.from({ length: 500 }, () => {
    const began = systemClock.monotonicMs();
    decideQueue(input);
    return systemClock.monotonicMs() - began;
  });
}
