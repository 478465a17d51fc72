/** Before a checkout goes: nothing that a person wrote there may go with it. */
import { readdir } from 'node:fs/promises';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import { commitFiles } from '../../kernel/git/commit.ts';
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { git, splitNul } from '../../kernel/git/run.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { ProjectsContext } from './context.ts';

/** How many files a refusal names. */
const shownFiles = 10;

/**
 * Commits the artifacts of the integration checkout that were edited by hand. The caller holds the project's lock.
 * @returns their paths
 * @throws conflict, with the list, when files other than artifacts are changed there
 */
export async function keepHandEdits(ctx: ProjectsContext, project: Project): Promise<string[]> {
  const { name, path: repo, integrationBranch: branch, integrationWorktree: worktree } = project;
  if (!(await holdsFiles(worktree))) return [];
  // What a crash or a moved repository left behind would look like somebody's changes.
  await ensureIntegration(ctx, { name, repo, branch, worktree });
  const changed = await changedIn(ctx, worktree);
  const others = changed.filter((path) => !isArtifact(path));
  if (others.length > 0) throw wouldBeLost(project, others);
  const text = { message: 'Keep artifacts edited by hand', trailer: 'project remove' };
  if (changed.length > 0) await commitFiles(ctx, { worktree, paths: changed, ...text });
  return changed;
}

async function holdsFiles(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length > 0;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Changed, deleted and new files, and artifacts that the person's git leaves out of sight. */
async function changedIn(ctx: ProjectsContext, worktree: string): Promise<string[]> {
  const status = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=none'];
  const visible = splitNul(await git(ctx, worktree, status)).map((line) => line.slice(3));
  const ignored = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', '.lore'];
  const hidden = splitNul(await git(ctx, worktree, ignored)).filter((path) => path.endsWith('.md'));
  return [...new Set([...visible, ...hidden])].toSorted();
}

/** A path that ends with a slash is a repository within, of which git knows no files. */
function isArtifact(path: string): boolean {
  return path.startsWith('.lore/') && !path.endsWith('/');
}

function wouldBeLost({ name, integrationWorktree: at }: Project, files: readonly string[]): Error {
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : '';
  return fail(
    'conflict',
    `The checkout ${at} holds changes that are not committed and would be lost: ${files.slice(0, shownFiles).join(', ')}${more}.`,
    `Move them elsewhere, or commit them there (git -C '${at}' status); then again: guild-hall project remove ${name}`,
    { path: at, files: [...files] },
  );
}
