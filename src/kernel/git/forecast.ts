/**
 * Which of several activities' works will not merge, while there is time to do something about it: with each other, or
 * with the integration branch; what is not committed counts. Looking stores nothing in the repository.
 */
import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { branchTip } from './branches.ts';
import { mergeCommits } from './mergetree.ts';
import { commitTree } from './message.ts';
import { changedFiles } from './read.ts';
import type { GitContext } from './run.ts';
import { withSnapshots } from './snapshot.ts';
import { changesOfWork, findWork, type Work, type WorkPlace } from './work.ts';

/** `key`: whose work it is, unique among those that are compared. */
export interface ForecastPlace extends Pick<WorkPlace, 'branch' | 'worktree' | 'owner'> {
  readonly key: string;
}

export interface ForecastRequest {
  readonly repo: string;
  readonly integrationBranch: string;
  /** Absolute. */
  readonly integrationWorktree: string;
  readonly places: readonly ForecastPlace[];
  /** Paths that the merge decides by itself. */
  readonly leaveOut: (path: string) => boolean;
}

export interface Forecast {
  readonly a: string;
  /** Null: the integration branch. */
  readonly b: string | null;
  /** Files that both change, sorted; with a conflict those that would not merge. */
  readonly files: readonly string[];
  /** False: both change the same files, and as they stand now they would merge. */
  readonly isConflict: boolean;
}

/** Outcomes of merges by what was merged; whoever keeps it makes the next look cheap. */
export type ForecastMemory = Map<string, readonly string[]>;

/** So many outcomes are kept. */
const maxKept = 2000;

interface Seen {
  readonly key: string;
  readonly work: Work;
  readonly files: readonly string[];
  /** Stands for the tip, and for what lies in the worktree. */
  readonly sign: string;
  readonly isCommitted: boolean;
}

/** Every two works that change the same files, and every work that conflicts with the integration branch. */
export async function forecastConflicts(
  ctx: GitContext,
  memory: ForecastMemory,
  request: ForecastRequest,
): Promise<Forecast[]> {
  const { repo, integrationBranch } = request;
  const head = await branchTip(ctx, repo, integrationBranch);
  if (head === undefined) return [];
  const seen = (await Promise.all(request.places.map((place) => look(ctx, request, place)))).flat();
  const pairs: Pair[] = [];
  for (const [at, a] of seen.entries()) {
    const since = (await changedFiles(ctx, repo, a.work.base, head)).map(({ path }) => path);
    pairs.push({ a, b: null, files: shared(a.files, since), sign: `${a.sign} ${head}` });
    for (const b of seen.slice(at + 1)) {
      pairs.push({ a, b, files: shared(a.files, b.files), sign: `${a.sign} ${b.sign}` });
    }
  }
  const close = pairs.filter(({ files }) => files.length > 0);
  await mergeAll(ctx, memory, request, { head, pairs: close.filter(({ sign }) => !memory.has(sign)) });
  return close.flatMap((pair) => tell(pair, memory.get(pair.sign) ?? []));
}

interface Pair {
  readonly a: Seen;
  readonly b: Seen | null;
  readonly files: readonly string[];
  readonly sign: string;
}

function tell({ a, b, files }: Pair, conflicts: readonly string[]): Forecast[] {
  const isConflict = conflicts.length > 0;
  // Changes on both sides that merge are the ordinary case of whatever is merged.
  if (b === null && !isConflict) return [];
  return [{ a: a.key, b: b?.key ?? null, files: isConflict ? conflicts : files, isConflict }];
}

async function look(ctx: GitContext, request: ForecastRequest, place: ForecastPlace): Promise<Seen[]> {
  const { repo, integrationBranch, leaveOut } = request;
  const work = await findWork(ctx, { repo, integrationBranch, ...place });
  if (work === undefined) return [];
  const changes = (await changesOfWork(ctx, work)).filter(({ path }) => !leaveOut(path));
  const files = changes.map(({ path }) => path);
  if (files.length === 0) return [];
  const { worktree, tip } = work;
  const standing = worktree === undefined ? [] : await Promise.all(files.map((path) => standingOf(worktree, path)));
  const sign = createHash('sha256')
    .update(JSON.stringify([tip, files, standing]))
    .digest('hex');
  return [{ key: place.key, work, files, sign, isCommitted: worktree === undefined }];
}

/** Another one wherever the file's content, or what it is, may have changed. */
async function standingOf(worktree: string, path: string): Promise<string> {
  // What cannot be looked at counts as gone: so it does for git.
  const facts = await lstat(join(worktree, path), { bigint: true }).catch(() => undefined);
  return facts === undefined ? '' : `${facts.ino} ${facts.ctimeNs} ${facts.size} ${facts.mode}`;
}

/** Files that both change; a file of the one that is a folder of the other counts. Sorted. */
function shared(ours: readonly string[], theirs: readonly string[]): string[] {
  const names = new Set(theirs);
  const folders = new Set(theirs.flatMap(foldersOf));
  const isShared = (path: string): boolean =>
    names.has(path) || folders.has(path) || foldersOf(path).some((folder) => names.has(folder));
  return ours.filter(isShared).toSorted();
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

async function mergeAll(
  ctx: GitContext,
  memory: ForecastMemory,
  { repo, integrationWorktree, leaveOut }: ForecastRequest,
  { head, pairs }: { readonly head: string; readonly pairs: readonly Pair[] },
): Promise<void> {
  if (pairs.length === 0) return;
  const works = [...new Set(pairs.flatMap(({ a, b }) => (b === null ? [a] : [a, b])))];
  const open = works.filter(({ isCommitted }) => !isCommitted);
  const merge = async (git: GitContext, trees: readonly string[]): Promise<void> => {
    const commits = new Map<Seen, string>(works.map((each) => [each, each.work.tip]));
    for (const [at, each] of open.entries()) {
      const step = { tree: trees[at]!, parents: [each.work.tip], text: 'A look ahead\n' };
      commits.set(each, await commitTree(git, repo, step));
    }
    for (const { a, b, sign } of pairs) {
      const outcome = await mergeCommits(git, repo, b === null ? head : commits.get(b)!, commits.get(a)!);
      const conflicts = outcome.kind === 'conflict' ? outcome.files.filter((path) => !leaveOut(path)) : [];
      memory.set(sign, conflicts);
    }
  };
  const worktrees = open.flatMap(({ work }) => work.worktree ?? []);
  await withSnapshots(ctx, integrationWorktree, worktrees, merge);
  for (const sign of [...memory.keys()].slice(0, Math.max(0, memory.size - maxKept))) memory.delete(sign);
}
