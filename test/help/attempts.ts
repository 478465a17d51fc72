/** One attempt of a commission without any hall: an order, a worktree, and the built program that works on them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type {
  AttemptIdentity,
  AttemptOrder,
  AttemptResult,
  JournalEntry,
} from '../../src/features/commissions/contract/journal.ts';
import { readIdentity, readJournal, readResult, writeOrder } from '../../src/features/commissions/store/attempt.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { addWorktree } from '../../src/kernel/git/worktrees.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { ensureHome, homePaths } from '../../src/kernel/projects/home.ts';
import { activityIdSchema, projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { type FileContent, makeRepository, tempFolder } from './repositories.ts';
import { programFile, waitUntil } from './programs.ts';

export interface WantedAttempt {
  readonly prompt: string;
  readonly worker?: string;
  /** Of the rehearsal, YAML. */
  readonly scenario?: string;
  /** More lines of config.yaml. */
  readonly config?: string;
  readonly files?: Readonly<Record<string, FileContent>>;
  readonly order?: Partial<AttemptOrder>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningAttempt {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface TestAttempt {
  readonly folder: string;
  readonly home: string;
  readonly worktree: string;
  readonly token: string;
  start(env?: NodeJS.ProcessEnv): RunningAttempt;
  entries(): Promise<readonly JournalEntry[]>;
  /** What of a kind stands in the journal. */
  of<Kind extends JournalEntry['kind']>(kind: Kind): Promise<Extract<JournalEntry, { kind: Kind }>[]>;
  /** Waits for the first of a kind. */
  sees<Kind extends JournalEntry['kind']>(kind: Kind, text?: string): Promise<Extract<JournalEntry, { kind: Kind }>>;
  result(): Promise<AttemptResult | null>;
  identity(): Promise<AttemptIdentity | null>;
  log(): string;
}

export async function makeAttempt(wanted: WantedAttempt): Promise<TestAttempt> {
  const top = await tempFolder();
  const home = homePaths(join(top, 'home'));
  await ensureHome(home);
  const files = wanted.files ?? {
    'README.md': '# A small project\n',
    'src/parse.ts': 'export function parseOrder() {}\n',
  };
  const repo = await makeRepository({ files, path: join(top, 'repo') });
  const scenario = join(top, 'scenario.yaml');
  if (wanted.scenario !== undefined) writeFileSync(scenario, wanted.scenario);
  const lines = [
    'projects:',
    `  - { name: shop, path: ${JSON.stringify(repo.path)} }`,
    ...(wanted.scenario === undefined ? [] : ['rehearsal:', `  scenario: ${JSON.stringify(scenario)}`]),
    wanted.config ?? '',
  ];
  writeFileSync(home.config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const id = activityIdSchema.parse('commission-parse-20261122-abcd');
  const worktree = join(home.worktrees, 'shop', id);
  const ctx = { clock: systemClock, ids: systemIds, log: silentLog, home };
  const branch = `claude/commission/${id}`;
  await addWorktree(ctx, {
    repo: repo.path,
    path: worktree,
    branch,
    startPoint: 'main',
    scope: 'full',
    owner: `shop/${id}`,
  });
  const folder = join(home.state, 'commissions', `shop.${id}`, '1');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const token = systemIds.secret();
  await writeOrder(folder, {
    version: 1,
    project: projectNameSchema.parse('shop'),
    id,
    attempt: 1,
    token,
    home: home.root,
    worktree,
    worker: wanted.worker ?? 'developer',
    title: 'Parsing',
    prompt: wanted.prompt,
    dependencies: [],
    maxTurns: null,
    maxBudgetUsd: null,
    earlier: '',
    orderedAt: systemClock.nowIso(),
    ...wanted.order,
  });
  return attemptAt({ folder, home: home.root, worktree, token });
}

function attemptAt(place: Pick<TestAttempt, 'folder' | 'home' | 'worktree' | 'token'>): TestAttempt {
  const { folder, token } = place;
  const entries = async (): Promise<readonly JournalEntry[]> =>
    (await readJournal(folder, { from: 1, limit: Number.POSITIVE_INFINITY })).entries;
  const of: TestAttempt['of'] = async (kind) => (await entries()).filter((entry) => entry.kind === kind) as never;
  return {
    ...place,
    start: (env = {}) => startProgram(folder, { GUILD_HALL_ATTEMPT: token, ...env }),
    entries,
    of,
    sees: async (kind, text = '') => {
      const find = async () => (await of(kind)).find((entry) => JSON.stringify(entry).includes(text));
      await waitUntil(async () => (await find()) !== undefined);
      return (await find())!;
    },
    result: async () => readResult(folder),
    identity: async () => readIdentity(folder),
    log: () => (existsSync(join(folder, 'process.log')) ? readFileSync(join(folder, 'process.log'), 'utf8') : ''),
  };
}

function startProgram(folder: string, env: NodeJS.ProcessEnv): RunningAttempt {
  const file = join(dirname(programFile()), 'run-commission.js');
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [file, folder], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  child.stderr?.on('data', (data: Buffer) => writeFileSync(join(folder, 'process.log'), data, { flag: 'a' }));
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}
