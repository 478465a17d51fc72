/** The proof that a turn changed nothing of the checkout: how it stands before and afterwards. */
import { changedBetween, readStanding, type Standing, writtenSince } from '../../../kernel/git/standing.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { type CouncilRef, sessionsFolder } from '../store/place.ts';
import type { TurnsContext } from './context.ts';

type CheckoutContext = Pick<TurnsContext, 'clock' | 'locks' | 'log' | 'recordFolders'>;

/**
 * Not while the hall itself is about to move the branch on: what it does there is done as a whole. The hall writes the
 * session files and the records of other work meanwhile, so these are not looked at.
 */
export async function lookAtCheckout(ctx: CheckoutContext, ref: CouncilRef): Promise<Standing> {
  return ctx.locks.with(integrationLock(ref.project.name), () =>
    readStanding(ctx, ref.root, [sessionsFolder, ...ctx.recordFolders()]),
  );
}

/**
 * Paths that are not as they were, relative to the root; empty where nothing changed. That the hall committed other work
 * meanwhile, or what lay there uncommitted, is none; in place, where it commits nothing, another commit is one.
 */
export async function changedSince(ctx: CheckoutContext, ref: CouncilRef, before: Standing): Promise<string[]> {
  const after = await lookAtCheckout(ctx, ref);
  const files = changedBetween(before, after);
  if (after.head === before.head) return files;
  const isInPlace = ref.root !== ref.project.integrationWorktree;
  return isInPlace ? ['HEAD', ...files] : writtenSince(ref.root, before, files);
}
