/** Bringing the person's new commits into the integration branch. */
import { join } from 'node:path';
import { z } from 'zod';
import { stateFile, type StateFile } from '../../kernel/artifacts/state-file.ts';
import { branchTip } from '../../kernel/git/branches.ts';
import { inspectRepository } from '../../kernel/git/repository.ts';
import { syncIntegration, type SyncOutcome } from '../../kernel/git/sync.ts';
import { integrationLock, type Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { announce, type ProjectsContext } from './context.ts';
import type { ProjectSynced } from './contract.ts';

const foldedInSchema = z.object({
  branches: z.array(z.object({ branch: z.string(), commit: z.string(), tree: z.string() })),
});
type FoldedInBranches = z.infer<typeof foldedInSchema>;

/** Written anew at each sync. */
export function foldedInPath(ctx: Pick<ConfigContext, 'home'>, name: string): string {
  return join(ctx.home.state, 'sync', `${name}.json`);
}

/** The person's branches as each was when it was last brought in. What one was says nothing of another. */
export function foldedInFile(ctx: Pick<ConfigContext, 'home'>, name: string): StateFile<FoldedInBranches> {
  const path = foldedInPath(ctx, name);
  // Version 1 did not say of which branch it spoke.
  return stateFile({ path, schema: foldedInSchema, version: 2, upgrade: () => ({ branches: [] }) });
}

export interface SyncWish {
  readonly project?: string | undefined;
  /** Instead of the branch that the project is synced with. */
  readonly branch?: string | undefined;
}

/** @throws HallError; on a conflict nothing is changed, and the files are named in the answer */
export async function syncProject(ctx: ProjectsContext, wish: SyncWish): Promise<ProjectSynced> {
  const project = chooseProject(ctx, wish.project);
  return await ctx.locks.with(integrationLock(project.name), async () => {
    const { path, name, integrationBranch, integrationWorktree } = project;
    const { branch: personBranch, notes } = await chooseBranch(ctx, project, wish.branch);
    const file = foldedInFile(ctx, name);
    const { branches } = (await file.read()) ?? { branches: [] };
    const remembered = branches.find(({ branch }) => branch === personBranch);
    const request = { repo: path, integrationBranch, integrationWorktree, personBranch, remembered };
    const outcome = await syncIntegration(ctx, request);
    if (outcome.kind !== 'conflict') {
      const others = branches.filter(({ branch }) => branch !== personBranch);
      await file.write({ branches: [...others, { branch: personBranch, ...outcome.remembered }] });
    }
    const answer = answerOf(outcome, personBranch, integrationBranch);
    announce(ctx, 'project.synced', { name, outcome: answer.outcome });
    return { name, ...answer, notes: [...answer.notes, ...notes] };
  });
}

/** The hall's own branches, beside which a person's stand. */
export function isOfTheHall(branch: string, integrationBranch: string): boolean {
  return branch === integrationBranch || branch.startsWith('claude/');
}

/** The branch that is asked for, else the one that was recorded, else the one that is checked out. */
async function chooseBranch(
  ctx: ProjectsContext,
  project: Project,
  wanted: string | undefined,
): Promise<{ branch: string; notes: string[] }> {
  const { path, name, integrationBranch } = project;
  const settings = ctx.config().projects.find((each) => each.name === name);
  const recorded = wanted ?? settings?.personBranch;
  const branch = recorded ?? (await inspectRepository(ctx, path)).headBranch;
  const choose = `guild-hall project sync ${name} --branch <yours>`;
  if (branch === null) {
    throw fail(
      'conflict',
      `No branch is checked out in ${path}, and none is recorded for "${name}".`,
      `Name it: ${choose}`,
    );
  }
  if (isOfTheHall(branch, integrationBranch)) {
    const message = `${branch} is one of the hall's own branches; a sync brings in one of yours.`;
    throw fail('invalid', message, `Name yours: ${choose}`, { branch });
  }
  if ((await branchTip(ctx, path, branch)) === undefined) {
    const hint = `Name another: ${choose}. For good: personBranch of "${name}" in config.yaml`;
    throw fail('not_found', `There is no branch ${branch} in ${path}.`, hint, { branch });
  }
  if (recorded !== undefined) return { branch, notes: [] };
  return {
    branch,
    notes: [`It is what is checked out; to have one branch for good: guild-hall project add '${path}'`],
  };
}

function answerOf(outcome: SyncOutcome, from: string, to: string): Omit<ProjectSynced, 'name'> {
  if (outcome.kind === 'up-to-date') {
    return { outcome: 'up_to_date', commit: null, files: [], notes: [`${to} has everything of ${from}.`] };
  }
  if (outcome.kind === 'synced') {
    const kept = outcome.keptLocal.map((path) => `${path} was changed in the checkout and was kept as it is there.`);
    return {
      outcome: 'synced',
      commit: outcome.commit,
      files: [],
      notes: [`${from} was brought into ${to}.`, ...kept],
    };
  }
  const notes = [
    `${from} and ${to} changed the same lines; nothing was changed.`,
    `Merge ${to} into ${from} by hand, then sync again.`,
  ];
  return { outcome: 'conflict', commit: null, files: [...outcome.files], notes };
}
