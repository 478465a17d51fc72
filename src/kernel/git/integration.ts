/** The integration branch and its checkout: made once, and put right whenever they are not as they should be. */
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../artifacts/write.ts';
import { fail } from '../pure/errors.ts';
import { readProcessIdentity } from '../processes/identity.ts';
import { branchTip } from './branches.ts';
import { readCheckout, readCheckoutOf } from './checkout.ts';
import { followTip } from './follow.ts';
import { listWorktrees } from './listing.ts';
import {
  commonDirOf,
  findMoved,
  findRegistration,
  type Marker,
  readGitFile,
  readMakingNote,
  readMarker,
  writeMarker,
} from './marker.ts';
import { exists, requireBranchName, requireUnderHome } from './paths.ts';
import { removeTree } from './removal.ts';
import { treeOf } from './read.ts';
import { type GitContext, git, gitWord, runGit } from './run.ts';
import { dropPatterns } from './sparse.ts';
import { addWorktree, type HomeContext, removeWorktree } from './worktrees.ts';

export interface IntegrationRequest {
  readonly repo: string;
  readonly branch: string;
  /** Absolute, below the home. */
  readonly worktree: string;
  /** The project's name: the checkout is its own whatever the branch is called. Left out, the branch stands for it. */
  readonly name?: string;
}

/** Whom the integration checkout of a project is made for: the `owner` of its worktree. */
export function integrationOwner(name: string): string {
  return `integration:${name}`;
}

/**
 * Makes the integration branch (at what the person has checked out) and its checkout, where they are missing; mends
 * them after the repository or the home was moved, the checkout deleted, its registration pruned, or a crash; puts
 * another branch there when the project's was changed. Files in the checkout that are not committed stay.
 * @returns `created`: the branch was made just now
 * @throws conflict when the branch is checked out elsewhere, or something else stands at `worktree`
 */
export async function ensureIntegration(
  ctx: GitContext & HomeContext,
  request: IntegrationRequest,
): Promise<{ readonly created: boolean }> {
  const path = await requireUnderHome(ctx.home.root, request.worktree);
  const created = await ensureBranch(ctx, request.repo, request.branch);
  const place: IntegrationRequest = { ...request, worktree: path };
  if (await wasPruned(ctx, place)) await registerAnew(ctx, place);
  const held = await findHeld(ctx, place);
  await addWorktree(ctx, {
    repo: request.repo,
    path,
    branch: held?.branch ?? request.branch,
    startPoint: request.branch,
    scope: 'full',
    owner: held?.owner ?? ownerOf(place),
  });
  await takeOver(ctx, place);
  const checkout = await readCheckoutOf(ctx, path, request.branch);
  if ((await readGitFile(asideOf(path))) === checkout.gitDir) await removeTree(asideOf(path));
  await sweepLeftovers(checkout.gitDir);
  await followTip(ctx, checkout);
  return { created };
}

/** Removes the checkout with everything in it, or what is half-made of it; the branch stays. */
export async function removeIntegration(ctx: GitContext & HomeContext, request: IntegrationRequest): Promise<void> {
  const path = await requireUnderHome(ctx.home.root, request.worktree);
  const place: IntegrationRequest = { ...request, worktree: path };
  const owner = (await findHeld(ctx, place))?.owner ?? ownerOf(place);
  await removeWorktree(ctx, { repo: request.repo, path, owner });
}

function ownerOf({ name, branch }: IntegrationRequest): string {
  return integrationOwner(name ?? branch);
}

/** Under which owner and branch the folder stands there, when it is this project's: also as it was owned by its branch. */
async function findHeld(
  ctx: GitContext,
  place: IntegrationRequest,
): Promise<{ readonly owner: string; readonly branch: string } | undefined> {
  const { repo, worktree, branch } = place;
  if (!(await exists(worktree))) return undefined;
  const isOwn = (marker: Marker): boolean =>
    marker.owner === ownerOf(place) || marker.owner === integrationOwner(marker.branch);
  const commonDir = await commonDirOf(ctx, repo);
  const gitDir = (await findRegistration(commonDir, worktree)) ?? (await findMoved(commonDir, worktree));
  const marker = gitDir === undefined ? undefined : await readMarker(gitDir);
  if (marker !== undefined) return isOwn(marker) ? marker : undefined;
  const note = await readMakingNote(worktree);
  return note !== undefined && isOwn(note) ? { owner: note.owner, branch } : undefined;
}

/** Brings a checkout that stands complete under another branch, or another owner's word, to the present ones. */
async function takeOver(ctx: GitContext, place: IntegrationRequest): Promise<void> {
  const { worktree, branch } = place;
  const gitDir = (await readGitFile(worktree)) ?? '';
  const marker = await readMarker(gitDir);
  const owner = ownerOf(place);
  if (marker === undefined || (marker.owner === owner && marker.branch === branch)) return;
  if (marker.branch !== branch) await switchBranch(ctx, place, marker.branch);
  await writeMarker(gitDir, { owner, branch });
}

async function switchBranch(ctx: GitContext, place: IntegrationRequest, former: string): Promise<void> {
  const { repo, worktree, branch } = place;
  const checkout = await readCheckout(ctx, worktree);
  // Somebody put something else there (that is told later), or renamed the branch, which git carries into checkouts.
  if (checkout.ref !== `refs/heads/${former}`) return;
  const holder = (await listWorktrees(ctx, repo)).find((entry) => entry.branch === branch);
  if (holder !== undefined) {
    throw fail(
      'conflict',
      `The branch ${branch} is checked out at ${holder.path}; the hall needs it for itself.`,
      `Put another branch there: git -C '${holder.path}' switch main`,
      { branch, path: holder.path },
    );
  }
  const ref = `refs/heads/${branch}`;
  const [tip, tree] = [await gitWord(ctx, repo, ['rev-parse', '--verify', ref]), await treeOf(ctx, repo, ref)];
  await followTip(ctx, checkout);
  // The files first: a crash then leaves a checkout that is on its former branch, and the step is done again.
  await followTip(ctx, { ...checkout, ref, tip, tree }, { from: checkout.tree });
  await git(ctx, worktree, ['symbolic-ref', '-m', 'guild-hall: another integration branch', 'HEAD', ref]);
}

async function ensureBranch(ctx: GitContext, repo: string, branch: string): Promise<boolean> {
  if ((await branchTip(ctx, repo, requireBranchName(branch))) !== undefined) return false;
  const args = ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'];
  const head = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1, 128] });
  if (head.exitCode !== 0) {
    throw fail(
      'conflict',
      `The repository ${repo} has no commit yet, so there is nothing to begin from.`,
      `Make the first one: git -C '${repo}' commit --allow-empty -m "First"`,
      { repo },
    );
  }
  const none = '0'.repeat(40);
  const begin = ['update-ref', '--create-reflog', '-m', 'guild-hall: begin'];
  await git(ctx, repo, [...begin, `refs/heads/${branch}`, head.stdout.trim(), none]);
  return true;
}

/** Where a registration is made that the checkout then gets. */
function asideOf(worktree: string): string {
  return `${worktree}.attach`;
}

/**
 * The folder is still there, but the repository has forgotten it: `git worktree prune` ran while it was out of reach.
 * Or it was being registered anew, and a crash left it with a registration that names the place aside.
 */
async function wasPruned(ctx: GitContext, { repo, worktree }: IntegrationRequest): Promise<boolean> {
  const pointsTo = await readGitFile(worktree);
  if (pointsTo === undefined) return false;
  const commonDir = await commonDirOf(ctx, repo);
  if (dirname(pointsTo) !== join(commonDir, 'worktrees')) return false;
  if ((await findRegistration(commonDir, worktree)) !== undefined) return false;
  if ((await findRegistration(commonDir, asideOf(worktree))) === pointsTo) return true;
  return (await findMoved(commonDir, worktree)) === undefined && !(await exists(pointsTo));
}

/** Registers a worktree elsewhere and hands its registration to the folder, whose files are not touched. */
async function registerAnew(ctx: GitContext, place: IntegrationRequest): Promise<void> {
  const { repo, branch, worktree } = place;
  const aside = asideOf(worktree);
  const commonDir = await commonDirOf(ctx, repo);
  await removeTree(aside);
  if ((await findRegistration(commonDir, aside)) !== undefined) {
    await git(ctx, repo, ['worktree', 'remove', '--force', '--force', aside]);
  }
  await git(ctx, repo, ['worktree', 'add', '--quiet', '--no-checkout', aside, branch]);
  const gitDir = (await readGitFile(aside)) ?? '';
  await dropPatterns(ctx, { repo, worktree: aside, gitDir });
  // The index first: without it the files would look as if none of them were known.
  await gitWord(ctx, aside, ['read-tree', 'HEAD']);
  await writeMarker(gitDir, { owner: ownerOf(place), branch });
  await writeAtomically(join(worktree, '.git'), `gitdir: ${gitDir}\n`);
  await git(ctx, repo, ['worktree', 'repair', worktree]);
  await removeTree(aside);
}

/** Where that cannot be told, it may. */
async function mayRun(pid: number): Promise<boolean> {
  try {
    return (await readProcessIdentity(pid)) !== undefined;
  } catch {
    // The process table cannot be read: the copy stays for another time.
    return true;
  }
}

/** Removes copies of the index, and what was stored for a look, of processes that died. */
async function sweepLeftovers(gitDir: string): Promise<void> {
  for (const name of await readdir(gitDir)) {
    const pid = /^guild-hall-(?:index|objects)-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await mayRun(Number(pid)))) continue;
    await rm(join(gitDir, name), { recursive: true, force: true });
  }
}
