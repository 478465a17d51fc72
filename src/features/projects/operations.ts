/** The operations on registered repositories. */
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { requireUsableRepository } from '../../kernel/git/repository.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { addProject } from './adding.ts';
import type { ProjectsContext } from './context.ts';
import {
  projectAdd,
  projectList,
  projectRemove,
  projectSample,
  projectSync,
  type ProjectList,
  type ProjectView,
} from './contract.ts';
import { removeProject } from './removing.ts';
import { makeSample } from './sample.ts';
import { syncProject } from './syncing.ts';

export type { ProjectsContext } from './context.ts';

export function bindProjects(ctx: ProjectsContext): BoundOperation[] {
  return [
    bindOperation(projectAdd, (_caller, input) => addProject(ctx, input)),
    bindOperation(projectSample, (_caller, input) => makeSample(ctx, input)),
    bindOperation(projectList, () => listProjects(ctx)),
    bindOperation(projectRemove, (_caller, { name }) => removeProject(ctx, name)),
    bindOperation(projectSync, (_caller, { project }) => syncProject(ctx, project)),
  ];
}

/** Puts every project's integration branch and checkout right; one that cannot be is logged, and named by `project list`. */
export async function recoverProjects(ctx: ProjectsContext): Promise<void> {
  for (const { name } of ctx.config().projects) {
    const { path, integrationBranch: branch, integrationWorktree: worktree } = chooseProject(ctx, name);
    try {
      await ensureIntegration(ctx, { repo: path, branch, worktree });
    } catch (error) {
      ctx.log.warn({ err: error, project: name }, 'a project cannot be used');
    }
  }
}

async function listProjects(ctx: ProjectsContext): Promise<ProjectList> {
  const projects = await Promise.all(
    ctx.config().projects.map(async ({ name }): Promise<ProjectView> => {
      const { path, integrationBranch, integrationWorktree: worktree } = chooseProject(ctx, name);
      return { name, path, integrationBranch, worktree, problems: await problemsOf(ctx, path, worktree) };
    }),
  );
  return { projects, problems: [...ctx.configProblems()] };
}

/** What stands in the way of each registered project. */
export async function projectProblemsOf(
  ctx: GitContext & ConfigContext,
): Promise<{ name: string; problems: string[] }[]> {
  return await Promise.all(
    ctx.config().projects.map(async ({ name }) => {
      const { path, integrationWorktree } = chooseProject(ctx, name);
      return { name, problems: await problemsOf(ctx, path, integrationWorktree) };
    }),
  );
}

async function problemsOf(ctx: GitContext, path: string, worktree: string): Promise<string[]> {
  if (!(await exists(path))) return [`The folder ${path} is not there.`];
  try {
    await requireUsableRepository(ctx, path);
  } catch (error) {
    return [errorFactsOf(error).message];
  }
  if (await exists(worktree)) return [];
  return [`Its checkout ${worktree} is missing; it is made again at the next start.`];
}
