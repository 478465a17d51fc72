/** Commits: of chosen files of the integration checkout, and of all that stands in an activity's worktree. */
import { fail } from '../pure/errors.ts';
import { isAncestor } from './branches.ts';
import { type Checkout, type IndexCopy, moveBranch, readCheckout, withIndexCopy } from './checkout.ts';
import { followTip } from './follow.ts';
import { readMarker } from './marker.ts';
import { mergeCommits } from './mergetree.ts';
import { type CommitText, commitTree, composeMessage, firstLine } from './message.ts';
import { requireRepositoryPath } from './paths.ts';
import { type GitContext, git, gitWord } from './run.ts';
import { stageEverything } from './staging.ts';

const tries = 5;

/**
 * Commits exactly these files of a checkout on top of its branch, as they stand on the disk: new, changed or deleted.
 * Whatever else is changed there stays uncommitted, and a checkout that had not followed its branch follows first.
 * @returns the commit, or undefined when nothing had changed
 */
export async function commitFiles(
  ctx: GitContext,
  request: CommitText & { readonly worktree: string; readonly paths: readonly string[] },
): Promise<string | undefined> {
  const paths = request.paths.map(requireRepositoryPath);
  if (paths.length === 0) return undefined;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const checkout = await readCheckout(ctx, request.worktree);
    const outcome = await commitInCopy(ctx, checkout, paths, request);
    if (outcome === 'behind') await followTip(ctx, checkout);
    if (typeof outcome === 'object') return outcome.commit;
  }
  throw movedTooOften(request.worktree);
}

async function commitInCopy(
  ctx: GitContext,
  checkout: Checkout,
  paths: readonly string[],
  text: CommitText,
): Promise<{ commit: string | undefined } | 'behind' | 'moved'> {
  const { ref, path: cwd } = checkout;
  if (ref === null) throw notOnBranch(cwd);
  return withIndexCopy(ctx, checkout, async ({ file: indexFile, treeBefore, install }) => {
    if ((await treeBefore(checkout.tree)) !== checkout.tree) return 'behind';
    const input = paths.map((path) => `${path}\0`).join('');
    // As they stand: a file whose bytes differ from its commit would count as changed at the next step.
    const options = { indexFile, input, asStored: true };
    await git(ctx, cwd, ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], options);
    const tree = await gitWord(ctx, cwd, ['write-tree'], { indexFile });
    if (tree === checkout.tree) return { commit: undefined };
    const commit = await commitTree(ctx, cwd, { tree, parents: [checkout.tip], text: composeMessage(text) });
    const why = firstLine(text.message);
    if (!(await moveBranch(ctx, cwd, { ref, to: commit, from: checkout.tip, why }))) return 'moved';
    if (!(await install(tree))) await followTip(ctx, { ...checkout, tip: commit, tree });
    return { commit };
  });
}

function notOnBranch(path: string): Error {
  return fail(
    'conflict',
    `No branch is checked out in ${path}, so a commit there would belong to nothing.`,
    `Put its branch back: git -C '${path}' switch <branch>`,
    { path },
  );
}

function movedTooOften(path: string): Error {
  return fail(
    'unavailable',
    `The branch of ${path} was moved by somebody else, again and again, while a commit was made.`,
    'Repeat when the other git is done.',
    { path },
  );
}

/**
 * Commits all that stands in an activity's worktree and is not ignored, onto the branch that the worktree was made
 * for: also when another branch, none, or an unfinished merge is checked out there. Does not wait for a lock that an
 * agent's git, ended half-way, may have left.
 * @returns the commit, or undefined when nothing was to be committed
 * @throws conflict when work on another branch, checked out there, does not merge into the activity's own
 */
export async function commitAll(
  ctx: GitContext,
  request: CommitText & { readonly worktree: string },
): Promise<string | undefined> {
  const { worktree } = request;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const checkout = await readCheckout(ctx, worktree);
    const marker = await readMarker(checkout.gitDir);
    const ref = marker === undefined ? checkout.ref : `refs/heads/${marker.branch}`;
    if (ref === null) throw notOnBranch(worktree);
    const outcome = await commitOnto(ctx, checkout, ref, request);
    if (outcome !== 'moved') return outcome.commit;
  }
  throw movedTooOften(worktree);
}

type Outcome = { readonly commit: string | undefined } | 'moved';

async function commitOnto(ctx: GitContext, checkout: Checkout, ref: string, text: CommitText): Promise<Outcome> {
  const cwd = checkout.path;
  const message = composeMessage(text);
  const why = firstLine(text.message);
  const work = async ({ file, install }: IndexCopy): Promise<Outcome> => {
    const tree = await stageEverything(ctx, cwd, file);
    const isClean = tree === checkout.tree;
    const here = isClean ? checkout.tip : await commitTree(ctx, cwd, { tree, parents: [checkout.tip], text: message });
    if (ref !== checkout.ref) return bringOver(ctx, { cwd, ref, here, message, why });
    if (isClean) return { commit: undefined };
    if (!(await moveBranch(ctx, cwd, { ref, to: here, from: checkout.tip, why }))) return 'moved';
    // An index that stays behind is no harm here: what is committed is always what stands in the worktree.
    await install(tree);
    return { commit: here };
  };
  return withIndexCopy(ctx, checkout, work, { despiteLock: true });
}

/** Brings work that was done beside the activity's branch onto it. */
async function bringOver(
  ctx: GitContext,
  work: {
    readonly cwd: string;
    readonly ref: string;
    readonly here: string;
    readonly message: string;
    readonly why: string;
  },
): Promise<Outcome> {
  const { cwd, ref, here, message, why } = work;
  const tip = await gitWord(ctx, cwd, ['rev-parse', '--verify', `${ref}^{commit}`]);
  if (await isAncestor(ctx, cwd, here, tip)) return { commit: undefined };
  if (await isAncestor(ctx, cwd, tip, here)) {
    return (await moveBranch(ctx, cwd, { ref, to: here, from: tip, why })) ? { commit: here } : 'moved';
  }
  const merge = await mergeCommits(ctx, cwd, tip, here);
  if (merge.kind === 'conflict') throw besideTheBranch(cwd, ref, merge.files);
  if (merge.tree === (await gitWord(ctx, cwd, ['rev-parse', `${tip}^{tree}`]))) return { commit: undefined };
  const commit = await commitTree(ctx, cwd, { tree: merge.tree, parents: [tip, here], text: message });
  return (await moveBranch(ctx, cwd, { ref, to: commit, from: tip, why })) ? { commit } : 'moved';
}

function besideTheBranch(cwd: string, ref: string, files: readonly string[]): Error {
  const branch = ref.slice('refs/heads/'.length);
  return fail(
    'conflict',
    `Work in ${cwd} was done beside its branch ${branch} and does not merge with it (${files.join(', ')}).`,
    `Nothing is lost. Merge by hand: git -C '${cwd}' merge '${branch}'; then git -C '${cwd}' branch -f '${branch}'`,
    { path: cwd, branch, files },
  );
}
