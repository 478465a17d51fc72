/** Whether a repository is registered already, be it by another of its checkouts. */
import { realpath } from 'node:fs/promises';
import { commonDirOf } from '../../kernel/git/marker.ts';
import { exists } from '../../kernel/git/paths.ts';
import type { RepositoryFacts } from '../../kernel/git/repository.ts';
import type { HallConfig } from '../../kernel/projects/config.ts';
import { errorFactsOf, fail } from '../../kernel/pure/errors.ts';
import type { ProjectsContext } from './context.ts';

export type ProjectEntry = HallConfig['projects'][number];

/**
 * The entry of the project whose folder this is.
 * @throws conflict when another checkout of the same repository is registered: both would move the same branches
 */
export async function findRegistered(
  ctx: ProjectsContext,
  repository: RepositoryFacts,
): Promise<ProjectEntry | undefined> {
  const { projects } = ctx.config();
  const same = projects.find(({ path }) => path === repository.topLevel);
  if (same !== undefined) return same;
  const commonDir = await realpath(repository.commonDir);
  for (const project of projects) {
    if (!(await exists(project.path))) continue;
    if ((await realpath(project.path)) === repository.topLevel) return project;
    if ((await sharedFolderOf(ctx, project)) === commonDir) throw sameRepository(repository.topLevel, project);
  }
  return undefined;
}

async function sharedFolderOf(ctx: ProjectsContext, { name, path }: ProjectEntry): Promise<string | undefined> {
  try {
    return await realpath(await commonDirOf(ctx, path));
  } catch (error) {
    ctx.log.warn({ project: name, reason: errorFactsOf(error).message }, 'a registered repository cannot be compared');
    return undefined;
  }
}

function sameRepository(path: string, { name, path: registered }: ProjectEntry): Error {
  return fail(
    'conflict',
    `${path} is another checkout of a repository that is registered already, as "${name}" (${registered}).`,
    `Use that project: --project ${name}`,
    { path, project: name },
  );
}
