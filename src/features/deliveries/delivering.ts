/** `guild-hall deliver`: how far apart the branches are, and, when it is asked for, one commit on the person's branch. */
import { diffTrees } from '../../kernel/git/diff.ts';
import { countCommits } from '../../kernel/git/history.ts';
import { inspectRepository } from '../../kernel/git/repository.ts';
import { git } from '../../kernel/git/run.ts';
import { integrationLock, type Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { DeliveriesContext } from './context.ts';
import type { Delivered } from './contract.ts';
import { commitDifference, type Difference, findDifference } from './difference.ts';

const limits = { perFile: 200_000, inAll: 2_000_000, files: 500 };

export async function deliverTo(
  ctx: DeliveriesContext,
  project: Project,
  wanted: { readonly branch?: string | undefined; readonly merge: boolean },
): Promise<Delivered> {
  // Nothing moves the integration branch meanwhile.
  return await ctx.locks.with(integrationLock(project.name), async () => {
    const difference = await findDifference(ctx, project, wanted.branch);
    const shown = await showDifference(ctx, project, difference);
    if (!wanted.merge) return { ...shown, commit: null, commands: nextSteps(project, difference) };
    const commit = await commitDifference(ctx, project, difference, messageOf(project));
    await requireReady(ctx, project, difference.branch);
    // Git itself refuses to write over what is not committed, and moves branch, index and files in one step.
    await git(ctx, project.path, ['merge', '--ff-only', '--end-of-options', commit]);
    return { ...shown, commit, commands: [`guild-hall project sync --project ${project.name}`] };
  });
}

function messageOf({ name, integrationBranch }: Project): string {
  return `Take what the workers made\n\nAll of ${integrationBranch} in ${name}, as one commit.`;
}

async function showDifference(
  ctx: DeliveriesContext,
  { name, path: repo, integrationBranch }: Project,
  { branch, tip, integrationTip, tree, conflicts }: Difference,
): Promise<Omit<Delivered, 'commit' | 'commands'>> {
  const [ahead, behind] = await Promise.all([
    countCommits(ctx, repo, { of: integrationTip, without: [tip] }),
    countCommits(ctx, repo, { of: tip, without: [integrationTip] }),
  ]);
  const diff = tree === null ? { files: [], more: 0 } : await diffTrees(ctx, repo, { from: tip, to: tree }, limits);
  return {
    project: name,
    integrationBranch,
    branch,
    ahead,
    behind,
    files: diff.files.map(({ path, status, added, removed }) => ({ path, status, added, removed })),
    more: diff.more,
    conflicts: [...conflicts],
  };
}

function nextSteps({ name, integrationBranch }: Project, { branch, tree, isNothing }: Difference): string[] {
  if (tree === null) return [`guild-hall project sync --project ${name}`];
  if (isNothing) return [];
  return [
    `git diff ${branch}...${integrationBranch}`,
    `guild-hall deliver --project ${name} --branch ${branch} --merge`,
    `guild-hall delivery propose --project ${name} "…"`,
  ];
}

/** @throws HallError `conflict` unless the branch is checked out and nothing is uncommitted there */
async function requireReady(ctx: DeliveriesContext, { path }: Project, branch: string): Promise<void> {
  const { headBranch, isDirty } = await inspectRepository(ctx, path);
  if (headBranch !== branch) {
    throw fail(
      'conflict',
      `${branch} is not checked out in ${path}; nothing was merged.`,
      `Put it there: git -C '${path}' switch '${branch}'`,
      { branch },
    );
  }
  if (isDirty) {
    throw fail(
      'conflict',
      `There are uncommitted changes in ${path}; nothing was merged.`,
      'Commit them, or put them away with: git stash',
      { branch },
    );
  }
}
