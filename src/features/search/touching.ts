/** Which activities touched a file: by the trailers of the commits that did. */
import { fileHistory } from '../../kernel/git/history.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { SearchContext } from './context.ts';
import { searchKindSchema, type Touch } from './contract.ts';
import { activityOf, commandFor } from './rules.ts';

const mostTouches = 20;

/** Of the integration branch of each project, the newest first. @param given relative to the project */
export async function touchedBy(ctx: SearchContext, projects: readonly Project[], given: string): Promise<Touch[]> {
  const path = given.replace(/^(?:\.\/)+/, '').replaceAll(/\/{2,}/g, '/');
  const found = (await Promise.all(projects.map(async (project) => touchesOf(ctx, project, path)))).flat();
  return found.toSorted((a, b) => (Date.parse(a.at) > Date.parse(b.at) ? -1 : 1)).slice(0, mostTouches);
}

async function touchesOf(ctx: SearchContext, project: Project, path: string): Promise<Touch[]> {
  try {
    const request = { branch: project.integrationBranch, path, max: mostTouches };
    const commits = await fileHistory(ctx, project.path, request);
    return commits.map(({ commit, at, author, subject, trailer }) => {
      const activity = activityOf(trailer, ctx.activityKinds());
      const kind = searchKindSchema.safeParse(activity?.kind).data;
      const command =
        activity && kind ? commandFor({ kind, id: activity.id, path: null, project: project.name }) : null;
      return { project: project.name, path, commit: commit.slice(0, 10), at, author, subject, activity, command };
    });
  } catch (error) {
    // A path that git cannot have, or a story that takes too long: the words are found all the same.
    ctx.log.warn({ project: project.name, reason: errorFactsOf(error).message }, 'no history of a file for a search');
    return [];
  }
}
