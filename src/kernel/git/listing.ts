/** Which checkouts a repository has. */
import { type GitContext, git, splitNul } from './run.ts';

/** One checkout of a repository, as `git worktree list` tells. */
export interface WorktreeEntry {
  readonly path: string;
  readonly head: string | null;
  /** Short name; null when detached or bare. */
  readonly branch: string | null;
  /** Its folder is gone, or does not point back. */
  readonly isStale: boolean;
}

/** Every checkout of the repository, the person's own first. */
export async function listWorktrees(ctx: GitContext, repo: string): Promise<WorktreeEntry[]> {
  const output = await git(ctx, repo, ['worktree', 'list', '--porcelain', '-z']);
  return output
    .split('\0\0')
    .filter((block) => block !== '')
    .map(parseWorktree);
}

function parseWorktree(block: string): WorktreeEntry {
  const fields = new Map(
    splitNul(block).map((line): [string, string] => {
      const blank = line.indexOf(' ');
      return blank < 0 ? [line, ''] : [line.slice(0, blank), line.slice(blank + 1)];
    }),
  );
  return {
    path: fields.get('worktree') ?? '',
    head: fields.get('HEAD') ?? null,
    branch: fields.get('branch')?.replace(/^refs\/heads\//, '') ?? null,
    isStale: fields.has('prunable'),
  };
}
