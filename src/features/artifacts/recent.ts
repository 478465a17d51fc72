/** What came out lately, over all projects. */
import { branchSign, type CommitFacts, lastCommits } from '../../kernel/git/history.ts';
import { commonDirOf } from '../../kernel/git/marker.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { RecentArtifact } from '../overview/contract.ts';
import type { ArtifactsContext } from './context.ts';
import { readLibrary } from './library.ts';
import { activityOfTrailer } from './rules.ts';

/** The last commits of a project's artifacts, as long as its branch stays where it was. */
export interface KnownCommits {
  readonly repo: string;
  readonly commonDir: string;
  readonly sign: string;
  readonly commits: ReadonlyMap<string, CommitFacts>;
}

/** What is older than this, or than so many commits, is dated by its file. */
const lookBack = { max: 500, since: '180 days ago' };

/** The newest first. Records of activities that have not ended are left out. */
export async function recentArtifacts(
  ctx: ArtifactsContext,
  projects: readonly Project[],
  limit: number,
): Promise<RecentArtifact[]> {
  const found = await Promise.all(projects.map((project) => recentOf(ctx, project)));
  const isRecord = ({ project, path }: RecentArtifact): number =>
    ctx.recordKeepers().some((keeper) => keeper.lockOf(project, path) !== undefined) ? 1 : 0;
  // Of one commit: what came out before the record of how.
  return found
    .flat()
    .toSorted((a, b) => b.at.localeCompare(a.at) || isRecord(a) - isRecord(b) || (a.path < b.path ? -1 : 1))
    .slice(0, limit);
}

async function recentOf(ctx: ArtifactsContext, project: Project): Promise<RecentArtifact[]> {
  const [{ entries }, commits] = await Promise.all([
    readLibrary(ctx.library, project.integrationWorktree),
    commitsOf(ctx, project),
  ]);
  const unfinished = (path: string, status: string | null): boolean =>
    ctx.recordKeepers().some((keeper) => keeper.isUnfinished(path, status));
  return [...entries]
    .filter(([path, { summary }]) => !unfinished(path, summary.status))
    .map(([path, { summary, changedMs }]) => {
      const commit = commits.get(path);
      return {
        project: project.name,
        path,
        title: summary.title,
        at: new Date(commit?.at ?? changedMs).toISOString(),
        producer: activityOfTrailer(commit?.trailer ?? null, ctx.activityKinds()),
      };
    });
}

async function commitsOf(ctx: ArtifactsContext, project: Project): Promise<ReadonlyMap<string, CommitFacts>> {
  const { name, path: repo, integrationBranch: branch } = project;
  try {
    const known = ctx.knownCommits.get(name);
    const commonDir = known?.repo === repo ? known.commonDir : await commonDirOf(ctx, repo);
    // Before the commits are read: what is committed meanwhile is seen at the next look.
    const sign = `${branch} ${await branchSign(commonDir, branch)}`;
    if (known?.repo === repo && known.sign === sign) return known.commits;
    const commits = await lastCommits(ctx, repo, { branch, folder: '.lore', ...lookBack });
    ctx.knownCommits.set(name, { repo, commonDir, sign, commits });
    return commits;
  } catch (error) {
    ctx.log.warn({ project: name, reason: errorFactsOf(error).message }, 'the commits of artifacts cannot be read');
    return new Map();
  }
}
