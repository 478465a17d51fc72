/**
 * Worktrees of activities: made, put back and removed only below the home, and only by the one they were made for.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { fail } from '../pure/errors.ts';
import { branchTip, isAncestor } from './branches.ts';
import {
  commonDirOf,
  findMoved,
  findRegistration,
  makingNotePath,
  type Marker,
  readGitFile,
  readMakingNote,
  readMarker,
  removeMakingNote,
  writeMakingNote,
  writeMarker,
} from './marker.ts';
import { exists, requireBranchName, requireRevision, requireUnderHome } from './paths.ts';
import { removeTree } from './removal.ts';
import { type GitContext, git, longTimeoutMs, runGit } from './run.ts';
import { isSparse, makeFull, makeSparse, makeWide } from './sparse.ts';

/** Where worktrees may stand. The hall's `HomePaths` is one. */
export interface HomeContext {
  readonly home: { readonly root: string };
}

export interface NewWorktree {
  /** Any checkout of the repository. */
  readonly repo: string;
  /** Absolute, below the home. */
  readonly path: string;
  readonly branch: string;
  /** Revision at which `branch` is made. One that exists already is taken as it is, if it holds this revision. */
  readonly startPoint: string;
  /** `sparse`: only `.lore/` is checked out. */
  readonly scope: 'sparse' | 'full';
  /** Whom it is made for, as one word: nobody else can remove it. */
  readonly owner: string;
}

export interface AddedWorktree {
  /** The repository's own settings were changed so that a sparse worktree is possible (`extensions.worktreeConfig`). */
  readonly changedSettings: boolean;
}

/**
 * Makes a worktree on a branch of its own. What the same owner left half-made is made anew; one that is complete is
 * left as it is, and put right when the repository was moved.
 * @throws conflict when the folder, or the branch, belongs to somebody else
 */
export async function addWorktree(ctx: GitContext & HomeContext, request: NewWorktree): Promise<AddedWorktree> {
  const path = await requireUnderHome(ctx.home.root, request.path);
  requireBranchName(request.branch);
  requireRevision(request.startPoint);
  if ((await exists(path)) || (await exists(makingNotePath(path)))) {
    if (await isComplete(ctx, { ...request, path })) return { changedSettings: false };
    await clearLeftover(ctx, { ...request, path });
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeMakingNote(path, { owner: request.owner, branch: request.branch });
  await checkOut(ctx, { ...request, path });
  const gitDir = await readGitFile(path);
  if (gitDir === undefined) throw vanished(path);
  const changedSettings = request.scope === 'sparse' && (await makeSparse(ctx, request.repo, path));
  if (request.scope === 'full') await makeFull(ctx, { repo: request.repo, worktree: path, gitDir });
  await writeMarker(gitDir, { owner: request.owner, branch: request.branch });
  await removeMakingNote(path);
  return { changedSettings };
}

/**
 * Puts a worktree of `owner` back where it is gone, and checks out every file in one that is sparse. What stands in it
 * besides stays.
 * @throws conflict when the folder belongs to somebody else
 */
export async function ensureFullWorktree(
  ctx: GitContext & HomeContext,
  request: Omit<NewWorktree, 'startPoint' | 'scope'>,
): Promise<void> {
  await addWorktree(ctx, { ...request, startPoint: request.branch, scope: 'full' });
  const path = await requireUnderHome(ctx.home.root, request.path);
  const gitDir = await readGitFile(path);
  if (gitDir === undefined) throw vanished(path);
  if (await isSparse(gitDir)) await makeWide(ctx, path);
}

/** True when a complete worktree stands at `path` that was made for `owner`. */
export async function ownsWorktree(
  _ctx: GitContext,
  request: { readonly path: string; readonly owner: string },
): Promise<boolean> {
  const gitDir = await readGitFile(request.path);
  return gitDir !== undefined && (await readMarker(gitDir))?.owner === request.owner;
}

/**
 * Removes a worktree with everything in it; the branch stays. One that is gone already is fine, also half-gone.
 * @throws conflict when it was not made for `owner`; then nothing is touched
 */
export async function removeWorktree(
  ctx: GitContext & HomeContext,
  request: { readonly repo: string; readonly path: string; readonly owner: string },
): Promise<void> {
  const path = await requireUnderHome(ctx.home.root, request.path);
  const commonDir = await commonDirOf(ctx, request.repo);
  const gitDir = await findRegistration(commonDir, path);
  const isThere = await exists(path);
  const marker = (gitDir === undefined ? undefined : await readMarker(gitDir)) ?? (await readMakingNote(path));
  if (!isThere && gitDir === undefined) {
    if (marker?.owner === request.owner) await removeMakingNote(path);
    await removeUnregistered(commonDir, request.owner);
    return;
  }
  const isNobodys = marker === undefined && isThere && (await isEmptyFolder(path));
  if (marker?.owner !== request.owner && !isNobodys) throw notYours(path, request.owner, marker);
  await removeTree(path);
  if (gitDir !== undefined) await unregisterOwn(gitDir);
  await removeMakingNote(path);
}

/** The place is as it should be, or could be put right: nothing more is to be done. */
async function isComplete(ctx: GitContext, request: NewWorktree): Promise<boolean> {
  const { path, owner, branch, repo } = request;
  if (!(await exists(path))) return false;
  const commonDir = await commonDirOf(ctx, repo);
  const gitDir = (await findRegistration(commonDir, path)) ?? (await findMoved(commonDir, path));
  const marker = gitDir === undefined ? undefined : await readMarker(gitDir);
  if (gitDir === undefined || marker === undefined) return false;
  if (marker.owner !== owner || marker.branch !== branch) throw notYours(path, owner, marker);
  // The repository or the home was moved, or somebody broke the link between them.
  const isLinked = async (): Promise<boolean> =>
    (await readGitFile(path)) === gitDir && (await findRegistration(commonDir, path)) === gitDir;
  if (!(await isLinked())) await git(ctx, repo, ['worktree', 'repair', path]);
  return isLinked();
}

/** Makes room where this owner began, or where a folder was deleted that was registered for it. */
async function clearLeftover(ctx: GitContext, request: NewWorktree): Promise<void> {
  const { path, owner, repo } = request;
  const gitDir = await findRegistration(await commonDirOf(ctx, repo), path);
  const marker = gitDir === undefined ? undefined : await readMarker(gitDir);
  const note = await readMakingNote(path);
  if (await exists(path)) {
    const isHalfMade = marker === undefined && note?.owner === owner;
    if (!isHalfMade && !(await isEmptyFolder(path))) throw notYours(path, owner, marker ?? note);
    await removeTree(path);
  }
  if (gitDir !== undefined) await unregister(ctx, repo, path);
}

async function checkOut(ctx: GitContext, request: NewWorktree): Promise<void> {
  const { repo, path, branch, startPoint } = request;
  // Files come afterwards: which of them, the repository's own sparse patterns must not decide.
  const add = ['worktree', 'add', '--quiet', '--no-checkout'];
  const make = [...add, '--no-track', '-b', branch, path, startPoint];
  const options = { cwd: repo, timeoutMs: longTimeoutMs };
  const made = await runGit(ctx, { ...options, args: make, okExitCodes: [0, 128, 255] });
  if (made.exitCode === 0) return;
  // The folder was deleted by hand and is still registered; below the home that place is the hall's.
  if ((await findRegistration(await commonDirOf(ctx, repo), path)) !== undefined) await unregister(ctx, repo, path);
  const tip = await branchTip(ctx, repo, branch);
  if (tip === undefined) {
    await git(ctx, repo, make, options);
    return;
  }
  if (!(await isAncestor(ctx, repo, startPoint, tip))) throw branchTaken(repo, branch);
  await git(ctx, repo, [...add, path, branch], options);
}

async function unregister(ctx: GitContext, repo: string, path: string): Promise<void> {
  // Twice `--force`: also when somebody locked it. Never `prune`, which would take others' registrations too.
  await git(ctx, repo, ['worktree', 'remove', '--force', '--force', path]);
}

/** What `git worktree remove` does where the folder is gone; without its pointer git knows nothing of it any more. */
async function unregisterOwn(gitDir: string): Promise<void> {
  faultPoint('git:before:unregister');
  await rm(join(gitDir, 'gitdir'), { force: true });
  faultPoint('git:after:unregister');
  await removeTree(gitDir);
}

/** What a crash left of that. */
async function removeUnregistered(commonDir: string, owner: string): Promise<void> {
  const folder = join(commonDir, 'worktrees');
  for (const name of (await exists(folder)) ? await readdir(folder) : []) {
    const gitDir = join(folder, name);
    if ((await exists(join(gitDir, 'gitdir'))) || (await readMarker(gitDir))?.owner !== owner) continue;
    await removeTree(gitDir);
  }
}

async function isEmptyFolder(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0;
  } catch {
    // No folder at all, or not readable: not known to be empty.
    return false;
  }
}

function notYours(path: string, owner: string, marker: Marker | undefined): Error {
  return fail(
    'conflict',
    `The folder ${path} was not made for ${owner}${marker ? ` but for ${marker.owner}` : ''}, so it was left alone.`,
    `Look what is in it; when nothing there is needed, move it away: mv '${path}' '${path}.old'`,
    { path, owner, madeFor: marker?.owner ?? null },
  );
}

function branchTaken(repo: string, branch: string): Error {
  return fail(
    'conflict',
    `The branch ${branch} exists already and holds other work.`,
    `See what is on it: git -C '${repo}' log '${branch}'; to keep it under another name: git -C '${repo}' branch -m '${branch}' '${branch}-old'`,
    { branch },
  );
}

function vanished(path: string): Error {
  return fail('conflict', `The worktree ${path} was deleted while it was being made.`, 'Repeat.', { path });
}
