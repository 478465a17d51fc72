/**
 * A checkout and its index. The index tells what the files of the checkout were last made to be. It is only ever
 * changed as a whole: a copy is worked on and put in its place, so that a crash leaves either the old or the new one,
 * and never a lock of ours.
 */
import type { BigIntStats } from 'node:fs';
import { copyFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { fail } from '../pure/errors.ts';
import { isSameFile, recallTree, rememberTree } from './index-sign.ts';
import { foldersOf, headRef, looseTip, looseTreeOf } from './native.ts';
import { exists } from './paths.ts';
import { type GitContext, git, gitWord, runGit } from './run.ts';

export interface Checkout {
  readonly path: string;
  /** Where git keeps what belongs to this checkout alone. */
  readonly gitDir: string;
  /** `refs/heads/…`, or null when no branch is checked out. */
  readonly ref: string | null;
  readonly tip: string;
  readonly tree: string;
}

/** One line for `git update-index --index-info`; mode `0` takes the path out. */
export interface IndexEntry {
  readonly mode: string;
  readonly oid: string;
  readonly path: string;
}

/** @throws when there is no checkout, or its branch has no commit */
export async function readCheckout(ctx: GitContext, path: string): Promise<Checkout> {
  const found = await lookAtCheckout(path);
  if (found !== undefined) return found;
  const args = ['rev-parse', '--absolute-git-dir', 'HEAD', 'HEAD^{tree}', '--symbolic-full-name', 'HEAD'];
  const lines = (await git(ctx, path, args)).trimEnd().split('\n');
  const [tip = '', tree = '', ref = ''] = lines.slice(-3);
  return { path, gitDir: lines.slice(0, -3).join('\n'), tip, tree, ref: ref.startsWith('refs/heads/') ? ref : null };
}

/** The same without a process, where everything is as git usually leaves it. */
async function lookAtCheckout(path: string): Promise<Checkout | undefined> {
  const folders = await foldersOf(path);
  if (folders === undefined) return undefined;
  const { gitDir, commonDir } = folders;
  const ref = await headRef(gitDir);
  const tip = ref === undefined ? undefined : await looseTip(commonDir, ref);
  const tree = tip === undefined ? undefined : await looseTreeOf(commonDir, tip);
  return ref === undefined || tip === undefined || tree === undefined ? undefined : { path, gitDir, ref, tip, tree };
}

/** The same, refusing a checkout on which something else than `branch` was put. */
export async function readCheckoutOf(ctx: GitContext, path: string, branch: string): Promise<Checkout> {
  const checkout = await readCheckout(ctx, path);
  if (checkout.ref === `refs/heads/${branch}`) return checkout;
  const now = checkout.ref === null ? 'no branch' : checkout.ref.slice('refs/heads/'.length);
  throw fail(
    'conflict',
    `The hall's checkout ${path} should be on ${branch}, but ${now} is checked out there.`,
    `Put it back: git -C '${path}' switch '${branch}'`,
    { path, branch },
  );
}

async function statIfThere(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

let copies = 0;

/** A copy of a checkout's index, to work on. */
export interface IndexCopy {
  /** Absolute path. */
  readonly file: string;
  /**
   * The tree that it makes, before anything was changed in it.
   * @param expected trees of commits. Only one of them is known without git: any other git may have cleared away since
   */
  treeBefore(...expected: readonly string[]): Promise<string>;
  /**
   * Puts the copy in the place of the index; false when somebody changed or locked that meanwhile: then begin anew.
   * @param tree that it makes now, where that is known
   */
  install(tree?: string): Promise<boolean>;
}

/**
 * Works on a copy of the checkout's index.
 * @param options.despiteLock works on although the index is locked; `install` then answers false
 * @throws unavailable when the index is locked for longer than a moment
 */
export async function withIndexCopy<T>(
  ctx: GitContext,
  { path, gitDir }: Pick<Checkout, 'path' | 'gitDir'>,
  work: (copy: IndexCopy) => Promise<T>,
  options: { readonly despiteLock?: boolean } = {},
): Promise<T> {
  const index = join(gitDir, 'index');
  if (options.despiteLock !== true) await requireUnlocked(ctx, gitDir);
  const before = await statIfThere(index);
  if (before === undefined) throw noIndex(gitDir);
  copies += 1;
  const copy = join(gitDir, `guild-hall-index-${process.pid}-${copies}`);
  try {
    await copyFile(index, copy);
    // Git looks closer at files that changed in the moment the index was written; the copy must not look newer.
    const written = Number(before.mtimeMs) / 1000 - 0.001;
    await utimes(copy, written, written);
    // Another one may have come between the look and the copy.
    const isExact = isSameFile(await statIfThere(index), before);
    return await work({
      file: copy,
      treeBefore: async (...expected) => {
        const known = isExact ? recallTree(index, before) : undefined;
        if (known !== undefined && expected.includes(known)) return known;
        const tree = await gitWord(ctx, path, ['write-tree'], { indexFile: copy });
        if (isExact) rememberTree(index, before, tree);
        return tree;
      },
      install: async (tree) => {
        if (!isSameFile(await statIfThere(index), before) || (await exists(`${index}.lock`))) return false;
        const facts = await stat(copy, { bigint: true });
        faultPoint(`git:before:index:${basename(gitDir)}`);
        await rename(copy, index);
        faultPoint(`git:after:index:${basename(gitDir)}`);
        if (tree !== undefined) rememberTree(index, facts, tree);
        return true;
      },
    });
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

/** An index of its own that begins empty, kept in `gitDir` while `work` runs. */
export async function withEmptyIndex<T>(gitDir: string, work: (indexFile: string) => Promise<T>): Promise<T> {
  copies += 1;
  const file = join(gitDir, `guild-hall-index-${process.pid}-${copies}`);
  try {
    return await work(file);
  } finally {
    await rm(file, { force: true });
    await rm(`${file}.lock`, { force: true });
  }
}

export async function setIndexEntries(
  ctx: GitContext,
  cwd: string,
  indexFile: string,
  entries: readonly IndexEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const zero = '0'.repeat(40);
  const lines = entries.map(({ mode, oid, path }) => `${mode} ${mode === '0' ? zero : oid}\t${path}\0`);
  await git(ctx, cwd, ['update-index', '-z', '--add', '--replace', '--index-info'], {
    indexFile,
    input: lines.join(''),
  });
}

/**
 * Moves a branch from one commit to another.
 * @returns false when it was not, or no longer, at `from`
 */
export async function moveBranch(
  ctx: GitContext,
  cwd: string,
  move: { readonly ref: string; readonly to: string; readonly from: string; readonly why: string },
): Promise<boolean> {
  // The entry in git's own log of the branch is what a checkout that stayed behind is recognised by.
  const args = ['update-ref', '--create-reflog', '-m', `guild-hall: ${move.why}`, move.ref, move.to, move.from];
  const { exitCode, stderr } = await runGit(ctx, { cwd, args, okExitCodes: [0, 1, 128] });
  if (exitCode === 0) return true;
  if (/but expected|reference already exists|unable to resolve reference/.test(stderr)) return false;
  // Asked again, so that the failure is told in the usual way.
  await git(ctx, cwd, args);
  return true;
}

const lockWaits = [20, 50, 100, 200, 400, 700, 700, 700];

async function requireUnlocked(ctx: GitContext, gitDir: string): Promise<void> {
  const lock = join(gitDir, 'index.lock');
  for (const wait of lockWaits) {
    if (!(await exists(lock))) return;
    await ctx.clock.sleep(wait);
  }
  if (!(await exists(lock))) return;
  throw fail(
    'unavailable',
    `Another git is at work, or one was broken off and left its lock: ${lock}`,
    `Wait for it to end. When no git is running there, remove the lock: rm '${lock}'`,
    { lock },
  );
}

function noIndex(gitDir: string): Error {
  return fail(
    'conflict',
    `The index of the checkout is missing in ${gitDir}; without it nobody can tell which files were deleted on purpose.`,
    'Make it again in that checkout with: git read-tree HEAD (a sparse one: git sparse-checkout reapply afterwards).',
    { gitDir },
  );
}
