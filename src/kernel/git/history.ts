/** Who changed what, and when: the commits of a branch that touched a file, and the last one of each file of a folder. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { requireBranchName, requireRepositoryPath, requireRevision } from './paths.ts';
import { type GitContext, git, gitWord, runGit, splitNul } from './run.ts';

export interface CommitFacts {
  /** The whole name. */
  readonly commit: string;
  /** ISO 8601, with the committer's offset. */
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  /** What stands in its `Guild-Hall:` trailer. */
  readonly trailer: string | null;
}

/** In a very large repository the whole story of a file takes minutes; nobody waits for it. Milliseconds. */
const historyTimeoutMs = 5_000;
const fields = ['%H', '%cI', '%an', '%s', '%(trailers:key=Guild-Hall,valueonly,separator=%x2C)'];
const headMark = '\u0001';
const fieldMark = '\u001f';
const format = `--format=%x01${fields.join('%x1f')}`;

/** The newest first. A commit that brought nothing else than what one of its parents had is left out. */
export async function fileHistory(
  ctx: GitContext,
  repo: string,
  request: { readonly branch: string; readonly path: string; readonly max: number },
): Promise<CommitFacts[]> {
  const ref = `refs/heads/${requireBranchName(request.branch)}`;
  const args = ['log', '-z', '--no-follow', `--max-count=${request.max}`, format, ref, '--'];
  const output = await git(ctx, repo, [...args, requireRepositoryPath(request.path)], { timeoutMs: historyTimeoutMs });
  return splitNul(output).flatMap((piece) => parseHead(piece) ?? []);
}

/**
 * The last commit of each file below `folder`, of the newest `max` commits there.
 * @param since how far back to look, as git understands it: `180 days ago`
 */
export async function lastCommits(
  ctx: GitContext,
  repo: string,
  request: { readonly branch: string; readonly folder: string; readonly max: number; readonly since: string },
): Promise<Map<string, CommitFacts>> {
  const ref = `refs/heads/${requireBranchName(request.branch)}`;
  const names = ['--name-only', '--no-renames', '--root', '--no-follow', '--ignore-submodules=none'];
  const limits = [`--max-count=${request.max}`, `--since=${request.since}`];
  const args = ['log', '-z', ...names, ...limits, format, ref, '--', requireRepositoryPath(request.folder)];
  const found = new Map<string, CommitFacts>();
  let head: CommitFacts | undefined;
  for (const piece of splitNul(await git(ctx, repo, args, { timeoutMs: historyTimeoutMs }))) {
    const next = parseHead(piece);
    // A line feed stands between a commit and the first of its files.
    const path = piece.replace(/^\n/, '');
    if (next !== undefined) head = next;
    else if (head !== undefined && !found.has(path)) found.set(path, head);
  }
  return found;
}

/** How many commits `of` has that none of `without` has. A commit of `without` that is gone is left out. */
export async function countCommits(
  ctx: GitContext,
  repo: string,
  request: { readonly of: string; readonly without: readonly string[] },
): Promise<number> {
  const present: string[] = [];
  for (const commit of request.without) {
    const args = ['cat-file', '-e', `${requireRevision(commit)}^{commit}`];
    if ((await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1, 128] })).exitCode === 0) present.push(commit);
  }
  const args = ['rev-list', '--count', requireRevision(request.of), ...present.map((commit) => `^${commit}`), '--'];
  return Number(await gitWord(ctx, repo, args));
}

function parseHead(piece: string): CommitFacts | undefined {
  if (!piece.startsWith(headMark)) return undefined;
  const [commit = '', at = '', author = '', subject = '', trailer = ''] = piece.slice(1).split(fieldMark);
  return { commit, at, author, subject, trailer: trailer.trim() === '' ? null : trailer.trim() };
}

/**
 * Something that differs when a branch may have moved, read without a process: what is known of a branch can be kept
 * until it changes. Says nothing of where the branch is.
 * @param commonDir as `commonDirOf` gives it
 */
export async function branchSign(commonDir: string, branch: string): Promise<string> {
  const loose = await readFile(join(commonDir, 'refs/heads', requireBranchName(branch)), 'utf8').catch(ifMissing);
  // Packed references, or those of a repository that keeps all of them in tables.
  const packed = await Promise.all(
    ['packed-refs', 'reftable/tables.list'].map(async (name) => {
      const facts = await stat(join(commonDir, name), { bigint: true }).catch(ifMissing);
      return facts === undefined ? '' : `${facts.ino} ${facts.mtimeNs} ${facts.size}`;
    }),
  );
  return [loose ?? '', ...packed].join('|');
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return undefined;
  throw error;
}
