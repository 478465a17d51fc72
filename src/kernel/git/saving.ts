/** Keeping all that an agent left in its worktree, before that is merged or goes. */
import { join } from 'node:path';
import { writeAtomically } from '../artifacts/write.ts';
import { commitAll } from './commit.ts';
import { commonDirOf, findRegistration, readGitFile, readMarker } from './marker.ts';
import type { CommitText } from './message.ts';
import { exists } from './paths.ts';
import { openFiles, removeOdd, removeTree } from './removal.ts';
import type { GitContext } from './run.ts';

export interface SaveRequest extends CommitText {
  /** Any checkout of the repository. */
  readonly repo: string;
  readonly worktree: string;
  /** For whom it was made. */
  readonly owner: string;
}

/**
 * Commits what lies uncommitted or untracked in a worktree to the branch that it was made for; hooks do not run. One that
 * is gone, or was never this owner's, has nothing to keep.
 * @returns the commit, or undefined when there was nothing to commit
 */
export async function saveEverything(ctx: GitContext, request: SaveRequest): Promise<string | undefined> {
  const { repo, worktree, owner } = request;
  if (!(await exists(worktree))) return undefined;
  const gitDir = await findRegistration(await commonDirOf(ctx, repo), worktree);
  if (gitDir === undefined || (await readMarker(gitDir))?.owner !== owner) return undefined;
  await ensureOwnLink(worktree, gitDir);
  await removeOdd(worktree);
  return commitOpened(ctx, request);
}

/** An agent can close files to everybody, itself included; what they hold is work all the same. */
async function commitOpened(ctx: GitContext, request: SaveRequest): Promise<string | undefined> {
  try {
    return await commitAll(ctx, request);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('Permission denied')) throw error;
    await openFiles(request.worktree);
    return commitAll(ctx, request);
  }
}

/**
 * An agent can put anything in the place of the worktree's `.git`, a repository with settings of its own too, which git
 * would obey. The hall's own link is put back; the agent's thing is thrown away.
 */
async function ensureOwnLink(worktree: string, gitDir: string): Promise<void> {
  // What cannot be read is not the hall's link either.
  const link = await readGitFile(worktree).catch(() => undefined);
  if (link === gitDir) return;
  const file = join(worktree, '.git');
  await removeTree(file);
  await writeAtomically(file, `gitdir: ${gitDir}\n`);
}
