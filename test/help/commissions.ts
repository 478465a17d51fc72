/** The commissions of a hall on a real repository, without doors, with a small program in the worker's place. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CommissionsContext, WorkerProgram } from '../../src/features/commissions/context.ts';
import {
  commissionIdSchema,
  type CommissionRecord,
  type CommissionStatus,
} from '../../src/features/commissions/contract.ts';
import { killAttempt } from '../../src/features/commissions/reactions/killing.ts';
import { createCommissionFile, requireCommission } from '../../src/features/commissions/store/files.ts';
import { attemptFolder, branchOf, type CommissionRef, worktreeOf } from '../../src/features/commissions/store/place.ts';
import { runOf } from '../../src/features/commissions/store/run.ts';
import { keepWish } from '../../src/features/commissions/store/wish.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { ensureIntegration } from '../../src/kernel/git/integration.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { defaultConfig, type HallConfig } from '../../src/kernel/projects/config.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { listProjects } from '../../src/kernel/projects/projects.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { openCommissions } from './open-commissions.ts';
import { waitUntil } from './programs.ts';
import { makeRepository, tempFolder, type TestRepository } from './repositories.ts';

const root = join(import.meta.dirname, '../..');
/** What stands in for the worker's process; its prompt says what it does, see there. */
export const fakeWorker: WorkerProgram = {
  file: process.execPath,
  args: [join(root, 'test/fixtures/fake-worker.mjs')],
};

export type Steps = readonly (readonly [string, ...unknown[]])[];

export interface NewOne {
  readonly steps?: Steps;
  readonly prompt?: string;
  readonly id?: string;
  readonly worker?: string;
  readonly project?: string;
  readonly dependencies?: readonly string[];
  readonly createdAt?: string;
  readonly status?: 'pending' | 'blocked';
  readonly queuedAt?: string | null;
}

export interface TestCommissions {
  ctx: CommissionsContext;
  readonly repo: TestRepository;
  readonly events: HallEvent[];
  settings: HallConfig;
  /** Changes settings as a person's edit of config.yaml does. */
  configure(change: Partial<HallConfig['commissions']>): void;
  /** Writes a new commission; its first change of state commits it. */
  create(one?: NewOne): Promise<CommissionRef>;
  record(ref: CommissionRef): Promise<CommissionRecord>;
  reaches(ref: CommissionRef, status: CommissionStatus): Promise<CommissionRecord>;
  /** Until its end is finished and nothing of it is under way. */
  ends(ref: CommissionRef): Promise<CommissionRecord>;
  /** Lets a fake worker go on that waits for this. */
  go(ref: CommissionRef, name: string, attempt?: number): void;
  /** Stops what the hall does, and starts it anew on the same files. `between`: while it is away. */
  restart(between?: () => void | Promise<void>): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export interface Wanted {
  readonly projects?: number;
  readonly commissions?: Partial<HallConfig['commissions']>;
  readonly program?: WorkerProgram;
  readonly files?: Readonly<Record<string, string>>;
}

export async function startCommissions(wanted: Wanted = {}): Promise<TestCommissions> {
  const home = homePaths(join(await tempFolder(), 'home'));
  mkdirSync(home.state, { recursive: true, mode: 0o700 });
  const names = Array.from({ length: wanted.projects ?? 1 }, (_, at) => projectNameSchema.parse(`p${at + 1}`));
  const repos = await Promise.all(names.map(() => makeRepository(wanted.files ? { files: wanted.files } : {})));
  const test = {
    repo: repos[0]!,
    events: [] as HallEvent[],
    settings: {
      ...defaultConfig,
      commissions: { ...defaultConfig.commissions, ...wanted.commissions },
      projects: names.map((name, at) => ({ name, path: repos[at]!.path })),
    },
  } as unknown as TestCommissions;
  for (const [at, name] of names.entries()) {
    const worktree = home.integrationWorktree(name);
    await ensureIntegration(
      { clock: systemClock, log: silentLog, home },
      { repo: repos[at]!.path, branch: 'claude/main', worktree },
    );
  }
  let stop = async (): Promise<void> => {};
  test.start = async () => {
    const running = await openCommissions({
      home,
      root,
      config: () => test.settings,
      program: wanted.program ?? fakeWorker,
      onEvent: (event) => test.events.push(event),
    });
    test.ctx = running.ctx;
    ({ stop } = running);
  };
  test.stop = async () => {
    const now = stop;
    stop = async () => {};
    await now();
  };
  test.restart = async (between) => {
    await test.stop();
    await between?.();
    await test.start();
  };
  giveVerbs(test);
  onTestFinished(async () => {
    await test.stop();
    await endWorkers(test);
  });
  await test.start();
  return test;
}

const started = new WeakMap<TestCommissions, CommissionRef[]>();

function giveVerbs(test: TestCommissions): void {
  started.set(test, []);
  test.configure = (change) => {
    test.settings = { ...test.settings, commissions: { ...test.settings.commissions, ...change } };
    test.ctx.events.publish({ type: 'config.changed', project: null, subject: null, data: { problems: [] } });
  };
  test.create = async (one = {}) => {
    const project = listProjects(test.ctx).find(({ name }) => name === (one.project ?? 'p1'))!;
    const id = commissionIdSchema.parse(one.id ?? `job-${systemIds.random(6)}`);
    const now = one.createdAt ?? systemClock.nowIso();
    await createCommissionFile(project, id, {
      title: `Job ${id}`,
      status: one.status ?? 'pending',
      worker: one.worker ?? 'researcher',
      workerDisplayTitle: 'Researcher',
      prompt: one.prompt ?? JSON.stringify(one.steps ?? [['result', 'done']]),
      dependencies: one.dependencies ?? [],
      maxTurns: null,
      maxBudgetUsd: null,
      createdBy: 'person',
      now,
      queuedAt: one.queuedAt ?? null,
      reason: 'Created',
    });
    const ref = { project, id };
    if (one.queuedAt) await keepWish(test.ctx, ref, one.queuedAt);
    started.get(test)!.push(ref);
    return ref;
  };
  test.record = (ref) => requireCommission(ref.project, ref.id);
  test.reaches = async (ref, status) => {
    await waitUntil(async () => (await test.record(ref)).status === status);
    return test.record(ref);
  };
  test.ends = async (ref) => {
    await waitUntil(async () => {
      const { status } = await test.record(ref);
      const isOver = status === 'completed' || status === 'failed' || status === 'cancelled';
      return isOver && (await runOf(test.ctx, ref).read()) === undefined;
    });
    return test.record(ref);
  };
  test.go = (ref, name, attempt = 1) => writeFileSync(join(attemptFolder(test.ctx, ref, attempt), `go-${name}`), '');
}

/** Whatever a test left running. */
async function endWorkers(test: TestCommissions): Promise<void> {
  for (const ref of started.get(test) ?? []) {
    for (let attempt = 1; existsSync(attemptFolder(test.ctx, ref, attempt)); attempt += 1) {
      const order = join(attemptFolder(test.ctx, ref, attempt), 'order.json');
      if (!existsSync(order)) continue;
      const { token } = JSON.parse(readFileSync(order, 'utf8')) as { token: string };
      await killAttempt(test.ctx, null, token, false);
    }
  }
}

export function worktreeIsThere(test: TestCommissions, ref: CommissionRef, attempt = 1): boolean {
  return existsSync(worktreeOf(test.ctx, ref, attempt));
}

export function branchIsThere(test: TestCommissions, ref: CommissionRef, attempt = 1): boolean {
  return test.repo.git('branch', '--list', branchOf(ref, attempt)) !== '';
}

/** The process of the attempt, as it named itself. */
export function identityOfWorker(
  test: TestCommissions,
  ref: CommissionRef,
  attempt = 1,
): { pid: number; startTime: string } {
  const file = join(attemptFolder(test.ctx, ref, attempt), 'identity.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { process: { pid: number; startTime: string } }).process;
}
