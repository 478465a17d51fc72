/** What stands in the way of using a project. */
import { readCheckout } from '../../kernel/git/checkout.ts';
import { exists } from '../../kernel/git/paths.ts';
import { requireUsableRepository } from '../../kernel/git/repository.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { listProjects, type Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { someAtOnce } from '../../kernel/pure/some-at-once.ts';

/** Each takes a dozen git processes, and the hall has other work. */
const askedAtOnce = 2;

/** What stands in the way of each registered project. */
export async function projectProblemsOf(
  ctx: GitContext & ConfigContext,
): Promise<{ name: string; problems: string[] }[]> {
  return await someAtOnce(listProjects(ctx), askedAtOnce, async (project) => ({
    name: project.name,
    problems: await problemsOf(ctx, project),
  }));
}

/** In sentences; empty when all is well. Never throws. */
export async function problemsOf(ctx: GitContext, project: Project): Promise<string[]> {
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
