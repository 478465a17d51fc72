/** The operations on registered repositories. */
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { integrationLock, listProjects, type Project } from '../../kernel/projects/projects.ts';
import { someAtOnce } from '../../kernel/pure/some-at-once.ts';
import { addProject } from './adding.ts';
import type { ProjectsContext } from './context.ts';
import {
  projectAdd,
  projectList,
  projectRemove,
  projectSample,
  projectShow,
  projectSync,
  type ProjectList,
  type ProjectView,
} from './contract.ts';
import { problemsOf } from './problems.ts';
import { removeProject } from './removing.ts';
import { makeSample } from './sample.ts';
import { showProject } from './showing.ts';
import { syncProject } from './syncing.ts';

export type { ProjectsContext } from './context.ts';

/** Each takes some git processes; more at once only wait for each other. */
const recoveredAtOnce = 4;

export function bindProjects(ctx: ProjectsContext): BoundOperation[] {
  return [
    bindOperation(projectAdd, (_caller, input) => addProject(ctx, input)),
    bindOperation(projectSample, (_caller, input) => makeSample(ctx, input)),
    bindOperation(projectList, () => viewProjects(ctx)),
    bindOperation(projectShow, (_caller, { project }) => showProject(ctx, project)),
    bindOperation(projectRemove, (_caller, { name }) => removeProject(ctx, name)),
    bindOperation(projectSync, (_caller, input) => syncProject(ctx, input)),
  ];
}

/** Puts every project's integration branch and checkout right; one that cannot be is logged, and named by `project list`. */
export async function recoverProjects(ctx: ProjectsContext): Promise<void> {
  await someAtOnce(listProjects(ctx), recoveredAtOnce, (project) => recoverOne(ctx, project));
}

async function recoverOne(ctx: ProjectsContext, project: Project): Promise<void> {
  const { name, path: repo, integrationBranch: branch, integrationWorktree: worktree } = project;
  try {
    await ctx.locks.with(integrationLock(name), () => ensureIntegration(ctx, { name, repo, branch, worktree }));
  } catch (error) {
    ctx.log.warn({ err: error, project: name }, 'a project cannot be used');
  }
}

async function viewProjects(ctx: ProjectsContext): Promise<ProjectList> {
  const projects = await Promise.all(
    listProjects(ctx).map(async (project): Promise<ProjectView> => {
      const { name, path, integrationBranch, integrationWorktree: worktree } = project;
      return { name, path, integrationBranch, worktree, problems: await problemsOf(ctx, project) };
    }),
  );
  return { projects, problems: [...ctx.configProblems()] };
}
