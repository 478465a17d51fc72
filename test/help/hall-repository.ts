/** A person's repository as the hall uses it: with a home, the integration branch and its checkout. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import type { GitContext } from '../../src/kernel/git/run.ts';
import { ensureIntegration } from '../../src/kernel/git/integration.ts';
import { addWorktree, type HomeContext } from '../../src/kernel/git/worktrees.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import {
  makeRepository,
  repositoryAt,
  type RepositoryRequest,
  tempFolder,
  type TestRepository,
} from './repositories.ts';

export interface HallRepository {
  readonly ctx: GitContext & HomeContext;
  readonly repo: TestRepository;
  /** The integration checkout. */
  readonly hall: TestRepository;
  readonly branch: string;
  /** Makes the worktree of an activity. */
  activity(id: string, scope?: 'sparse' | 'full'): Promise<TestRepository & { readonly branch: string }>;
}

export async function homeContext(): Promise<GitContext & HomeContext> {
  const root = join(await tempFolder(), 'home');
  mkdirSync(root);
  return { clock: systemClock, log: silentLog, home: { root } };
}

export async function makeHallRepository(request: RepositoryRequest = {}): Promise<HallRepository> {
  const ctx = await homeContext();
  const repo = await makeRepository(request);
  const branch = 'claude/main';
  const worktree = join(ctx.home.root, 'projects', 'sample');
  await ensureIntegration(ctx, { repo: repo.path, branch, worktree });
  const activity: HallRepository['activity'] = async (id, scope = 'full') => {
    const path = join(ctx.home.root, 'worktrees', 'sample', `activity-${id}`);
    const own = `claude/activity/${id}`;
    await addWorktree(ctx, { repo: repo.path, path, branch: own, startPoint: branch, scope, owner: id });
    return { ...repositoryAt(path), branch: own };
  };
  return { ctx, repo, hall: repositoryAt(worktree), branch, activity };
}
