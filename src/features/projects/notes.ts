/** What is good to know when a repository is registered, in sentences. */
import type { RepositoryFacts } from '../../kernel/git/repository.ts';

export interface AddingFacts {
  readonly repository: RepositoryFacts;
  readonly branch: string;
  readonly worktree: string;
  /** The integration branch was made just now. */
  readonly isNewBranch: boolean;
  readonly hasLore: boolean;
  /** The repository's own settings allow settings by worktree already. */
  readonly sparseWasSet: boolean;
  /** The branch that `project sync` brings in; none was checked out when it is undefined. */
  readonly personBranch: string | undefined;
}

export function notesOfAdding(facts: AddingFacts): string[] {
  const { repository, branch, worktree, isNewBranch, hasLore, sparseWasSet, personBranch } = facts;
  const from = repository.headBranch ?? 'the present commit';
  const notes = [
    isNewBranch
      ? `Work is gathered on the branch ${branch}, made from ${from}; your own branches are not touched.`
      : `Work is gathered on the branch ${branch}, which was there already.`,
    `Its checkout is ${worktree}.`,
  ];
  if (personBranch !== undefined) notes.push(`\`project sync\` brings in what is new on ${personBranch}.`);
  if (!sparseWasSet) {
    notes.push(
      'Workers that see only .lore/ need extensions.worktreeConfig in .git/config; `project remove` undoes it.',
    );
  }
  if (!hasLore) notes.push('There is no .lore/ folder yet; it comes with the first artifact.');
  if (repository.isDirty)
    notes.push('You have uncommitted changes; they stay with you, and workers see what is committed.');
  if (repository.headBranch === null) notes.push('No branch is checked out in your folder; that does not matter here.');
  if (repository.hasSubmodules)
    notes.push('It has submodules; their folders are empty in the checkouts that workers see.');
  if (repository.usesLfs) notes.push('It uses Git LFS; large files may be pointers in the checkouts that workers see.');
  return notes;
}
