/** One project: how far its branches are apart, what is open in it, how much is written down. */
import { stat } from 'node:fs/promises';
import { listArtifactFiles } from '../../kernel/artifacts/read.ts';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import { branchTip } from '../../kernel/git/branches.ts';
import { countCommits } from '../../kernel/git/history.ts';
import { inspectRepository } from '../../kernel/git/repository.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import type { ProjectsContext } from './context.ts';
import type { ProjectShown } from './contract.ts';
import { problemsOf } from './problems.ts';
import { foldedInFile, foldedInPath, isOfTheHall } from './syncing.ts';

export async function showProject(ctx: ProjectsContext, wanted: string | undefined): Promise<ProjectShown> {
  const project = chooseProject(ctx, wanted);
  const { name, path, integrationBranch, integrationWorktree: worktree } = project;
  const problems = await problemsOf(ctx, project);
  const branches = problems.length === 0 ? await branchesOf(ctx, project) : unknownBranches;
  const { files } = await listArtifactFiles(worktree);
  return {
    name,
    path,
    integrationBranch,
    worktree,
    problems,
    ...branches,
    lastSync: await lastSyncOf(ctx, name),
    artifacts: files.length,
    open: [...(await ctx.runningIn(name))],
  };
}

type Branches = Pick<ProjectShown, 'personBranch' | 'behind' | 'ahead'>;

const unknownBranches: Branches = { personBranch: null, behind: null, ahead: null };

async function branchesOf(ctx: ProjectsContext, project: Project): Promise<Branches> {
  const { name, path: repo, integrationBranch } = project;
  const recorded = ctx.config().projects.find((each) => each.name === name)?.personBranch;
  const personBranch = recorded ?? (await inspectRepository(ctx, repo)).headBranch;
  const isUsable = personBranch !== null && !isOfTheHall(personBranch, integrationBranch);
  const tip = isUsable ? await branchTip(ctx, repo, personBranch) : undefined;
  const own = await branchTip(ctx, repo, integrationBranch);
  if (personBranch === null || tip === undefined || own === undefined) return unknownBranches;
  const { branches } = (await foldedInFile(ctx, name).read()) ?? { branches: [] };
  const folded = branches.find(({ branch }) => branch === personBranch)?.commit;
  const [behind, ahead] = await Promise.all([
    // What was brought in squashed is no ancestor of anything: the commit up to which it was is remembered.
    countCommits(ctx, repo, { of: tip, without: folded === undefined ? [own] : [own, folded] }),
    countCommits(ctx, repo, { of: own, without: [tip] }),
  ]);
  return { personBranch, behind, ahead };
}

async function lastSyncOf(ctx: ProjectsContext, name: string): Promise<string | null> {
  try {
    return (await stat(foldedInPath(ctx, name))).mtime.toISOString();
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}
