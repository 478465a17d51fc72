/** The proof that a turn changed nothing of the checkout: how it stands before and afterwards. */
import { changedBetween, readStanding, type Standing } from '../../../kernel/git/standing.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import { type CouncilRef, sessionsFolder } from '../store/place.ts';
import type { TurnsContext } from './context.ts';

type CheckoutContext = Pick<TurnsContext, 'clock' | 'locks' | 'log'>;

/**
 * Not while the hall itself is about to move the branch on: what it does there is done as a whole. The hall writes the
 * session files meanwhile, so these are not looked at.
 */
export async function lookAtCheckout(ctx: CheckoutContext, ref: CouncilRef): Promise<Standing> {
  return ctx.locks.with(integrationLock(ref.project.name), () => readStanding(ctx, ref.root, [sessionsFolder]));
}

/**
 * Paths that are not as they were, relative to the root; empty where nothing changed. That the hall committed other work
 * meanwhile is no change of files that are not committed; in place, where it commits nothing, another commit is one.
 */
export async function changedSince(ctx: CheckoutContext, ref: CouncilRef, before: Standing): Promise<string[]> {
  const after = await lookAtCheckout(ctx, ref);
  const files = changedBetween(before, after);
  const isInPlace = ref.root !== ref.project.integrationWorktree;
  return isInPlace && after.head !== before.head ? ['HEAD', ...files] : files;
}
