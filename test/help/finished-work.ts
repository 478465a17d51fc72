/** A commission whose worker has ended, in a real repository: what its merge begins with. No hall, no process. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CommissionsContext } from '../../src/features/commissions/context.ts';
import type { TimelineEntry } from '../../src/features/commissions/contract.ts';
import { changeCommission, createCommissionFile } from '../../src/features/commissions/store/files.ts';
import {
  branchOf,
  commissionPath,
  type CommissionRef,
  ownerOf,
  worktreeOf,
} from '../../src/features/commissions/store/place.ts';
import { commitFiles } from '../../src/kernel/git/commit.ts';
import { ensureIntegration } from '../../src/kernel/git/integration.ts';
import { addWorktree } from '../../src/kernel/git/worktrees.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { type FileContent, makeRepository, repositoryAt, tempFolder, type TestRepository } from './repositories.ts';
import { sampleName, workingContext, type WorkingContext } from './working-context.ts';

export interface WorkingHall extends WorkingContext {
  /** The person's. */
  readonly repo: TestRepository;
  /** The integration checkout. */
  readonly hall: TestRepository;
}

export async function makeWorkingHall(
  files: Readonly<Record<string, FileContent>> = { 'README.md': '#\n' },
): Promise<WorkingHall> {
  const home = homePaths(join(await tempFolder(), 'home'));
  mkdirSync(home.root);
  const repo = await makeRepository({ files });
  const known = workingContext(home.root, repo.path);
  const worktree = home.integrationWorktree(sampleName);
  await ensureIntegration(known.ctx, { repo: repo.path, branch: 'claude/main', worktree });
  return { ...known, repo, hall: repositoryAt(worktree) };
}

/** A commission that works: its record is committed, its worktree there. */
export async function startWork(
  ctx: CommissionsContext,
  ref: CommissionRef,
  options: { readonly attempt?: number; readonly scope?: 'sparse' | 'full' } = {},
): Promise<TestRepository> {
  const { attempt = 1, scope = 'full' } = options;
  const { project, id } = ref;
  const status = (from: 'pending' | 'dispatched', to: 'dispatched' | 'in_progress'): TimelineEntry => {
    return { timestamp: ctx.clock.nowIso(), attempt, event: 'status', from, to, reason: 'test' };
  };
  if (attempt === 1) {
    await createCommissionFile(project, id, {
      title: `Work ${id}`,
      status: 'pending',
      worker: 'writer',
      workerDisplayTitle: 'Writer',
      prompt: 'Write it.',
      dependencies: [],
      maxTurns: null,
      maxBudgetUsd: null,
      createdBy: 'person',
      now: ctx.clock.nowIso(),
      queuedAt: null,
      reason: 'created',
    });
  }
  const branch = branchOf(ref, attempt);
  await changeCommission(project, id, { status: 'in_progress', attempt, branch }, [
    status('pending', 'dispatched'),
    status('dispatched', 'in_progress'),
  ]);
  const paths = [commissionPath(id)];
  await commitFiles(ctx, {
    worktree: project.integrationWorktree,
    paths,
    message: 'Start',
    trailer: `commission ${id}`,
  });
  const path = worktreeOf(ctx, ref, attempt);
  const startPoint = project.integrationBranch;
  await addWorktree(ctx, { repo: project.path, path, branch, startPoint, scope, owner: ownerOf(ref, attempt) });
  return repositoryAt(path);
}
