/** What came out lately, over all projects. */
import { branchSign, type CommitFacts, lastCommits } from '../../kernel/git/history.ts';
import { commonDirOf } from '../../kernel/git/marker.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { RecentArtifact } from '../overview/contract.ts';
import type { ArtifactsContext } from './context.ts';
import { readLibrary } from './library.ts';
import { activityOfTrailer } from './rules.ts';

/** What is older than this, or than so many commits, is dated by its file. */
const lookBack = { max: 500, since: '180 days ago' };

/** The newest first. Records of activities that have not ended are left out. */
export async function recentArtifacts(
  ctx: ArtifactsContext,
  projects: readonly Project[],
  limit: number,
): Promise<RecentArtifact[]> {
  const found = (await Promise.all(projects.map((project) => datedOf(ctx, project)))).flat();
  return found
    .toSorted(newestFirst)
    .slice(0, limit)
    .map(({ project, path, title, atMs, commit }) => ({
      project: project.name,
      path,
      title,
      at: new Date(atMs).toISOString(),
      producer: activityOfTrailer(commit?.trailer ?? null, ctx.activityKinds()),
    }));
}

interface Dated {
  readonly project: Project;
  readonly path: string;
  readonly title: string;
  readonly atMs: number;
  readonly commit: CommitFacts | undefined;
  readonly isRecord: boolean;
}

/** Of one commit: what came out before the record of how. */
function newestFirst(a: Dated, b: Dated): number {
  return b.atMs - a.atMs || Number(a.isRecord) - Number(b.isRecord) || (a.path < b.path ? -1 : 1);
}

async function datedOf(ctx: ArtifactsContext, project: Project): Promise<Dated[]> {
  const [{ entries }, commits] = await Promise.all([
    readLibrary(ctx.library, project.integrationWorktree),
    commitsOf(ctx, project),
  ]);
  const keepers = ctx.recordKeepers();
  return [...entries].flatMap(([path, { summary, changedMs }]) => {
    if (keepers.some((keeper) => keeper.isUnfinished(path, summary.status))) return [];
    const commit = commits.get(path);
    const isRecord = keepers.some((keeper) => keeper.isRecord(path));
    const atMs = commit === undefined ? changedMs : Date.parse(commit.at);
    return [{ project, path, title: summary.title, atMs, commit, isRecord }];
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
