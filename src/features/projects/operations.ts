/** The operations on registered repositories. */
import { readCheckout } from '../../kernel/git/checkout.ts';
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { requireUsableRepository } from '../../kernel/git/repository.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { integrationLock, listProjects, type Project } from '../../kernel/projects/projects.ts';
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

/** Each takes some git processes; more at once only wait for each other. */
const recoveredAtOnce = 4;

export function bindProjects(ctx: ProjectsContext): BoundOperation[] {
  return [
    bindOperation(projectAdd, (_caller, input) => addProject(ctx, input)),
    bindOperation(projectSample, (_caller, input) => makeSample(ctx, input)),
    bindOperation(projectList, () => viewProjects(ctx)),
    bindOperation(projectRemove, (_caller, { name }) => removeProject(ctx, name)),
    bindOperation(projectSync, (_caller, input) => syncProject(ctx, input)),
  ];
}

/** Puts every project's integration branch and checkout right; one that cannot be is logged, and named by `project list`. */
export async function recoverProjects(ctx: ProjectsContext): Promise<void> {
  const waiting = listProjects(ctx);
  const takeNext = async (): Promise<void> => {
    for (let project = waiting.shift(); project !== undefined; project = waiting.shift())
      await recoverOne(ctx, project);
  };
  await Promise.all(Array.from({ length: recoveredAtOnce }, takeNext));
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

/** What stands in the way of each registered project. */
export async function projectProblemsOf(
  ctx: GitContext & ConfigContext,
): Promise<{ name: string; problems: string[] }[]> {
  return await Promise.all(
    listProjects(ctx).map(async (project) => ({ name: project.name, problems: await problemsOf(ctx, project) })),
  );
}

async function problemsOf(ctx: GitContext, project: Project): Promise<string[]> {
  const { path, integrationBranch: branch, integrationWorktree: worktree } = project;
  if (!(await exists(path))) return [`The folder ${path} is not there.`];
  try {
    await requireUsableRepository(ctx, path);
    if (!(await exists(worktree))) return [`Its checkout ${worktree} is missing; it is made again at the next start.`];
    const { ref } = await readCheckout(ctx, worktree);
    if (ref === `refs/heads/${branch}`) return [];
    const now = ref?.slice('refs/heads/'.length);
    const orSet = now === undefined ? '' : `, or set its integrationBranch to ${now} in config.yaml`;
    const back = `Put it back: git -C '${worktree}' switch '${branch}'${orSet}.`;
    return [`Its checkout ${worktree} is on ${now ?? 'no branch'}, and should be on ${branch}. ${back}`];
  } catch (error) {
    return [errorFactsOf(error).message];
  }
}
