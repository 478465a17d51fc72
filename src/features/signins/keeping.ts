/** The book of sign-ins and its file: read at the start, written at each change, those that ended taken out. */
import type { EventsContext } from '../../kernel/events/events.ts';
import type { SignInsContext } from './context.ts';
import type { EndReason, SignInEvents } from './contract.ts';
import { partByUse, remembered, type SignIn, unusedLifeMs } from './rules.ts';
import { type KeptSignIns, removeOpenPage, signInFile } from './store.ts';

/** One at a time: between the look at the book and the change of it nobody else changes it. */
export const signInsLock = 'sign-ins';

/** A sign-in that was last used before this has ended. ISO 8601, UTC. */
export function unusedSince(ctx: SignInsContext): string {
  return new Date(ctx.clock.nowMs() - unusedLifeMs).toISOString();
}

/** Until when a sign-in counts that was last used then. */
export function expiryOf({ lastUsedAt }: Pick<SignIn, 'lastUsedAt'>): string {
  return new Date(Date.parse(lastUsedAt) + unusedLifeMs).toISOString();
}

export async function writeBook(ctx: SignInsContext, kept: KeptSignIns): Promise<void> {
  await signInFile(ctx.home).write(kept);
}

/** Reads what an earlier hall kept. @throws HallError `conflict` when the file cannot be read: then nobody is signed in */
export async function recoverSignIns(ctx: SignInsContext): Promise<void> {
  await removeOpenPage(ctx.home);
  await ctx.locks.with(signInsLock, async () => {
    const kept = await signInFile(ctx.home).read();
    if (kept === undefined) return;
    ctx.book.signIns = kept.signIns;
    ctx.book.ended = kept.ended;
    await dropUnused(ctx);
  });
}

/** Tells everybody what became of a sign-in. */
export function announce<Type extends keyof SignInEvents>(
  ctx: EventsContext,
  type: Type,
  data: SignInEvents[Type],
): void {
  ctx.events.publish({ type, project: null, subject: `signin:${data.id}`, data });
}

/** Ends what nobody used for too long. Under the lock. */
export async function dropUnused(ctx: SignInsContext): Promise<void> {
  await dropSignIns(ctx, partByUse(ctx.book.signIns, unusedSince(ctx)).unused, 'unused');
}

/**
 * Ends sign-ins: first in memory and on the wire, so that nothing more is done by them whatever the disk says, then in
 * the file, then it is told. Under the lock.
 */
export async function dropSignIns(ctx: SignInsContext, dropped: readonly SignIn[], why: EndReason): Promise<void> {
  if (dropped.length === 0) return;
  const { book } = ctx;
  const endedAt = ctx.clock.nowIso();
  const gone = new Set(dropped.map(({ id }) => id));
  book.signIns = book.signIns.filter(({ id }) => !gone.has(id));
  book.ended = remembered([...dropped.map(({ id, digest }) => ({ id, digest, endedAt, why })), ...book.ended]);
  for (const { id } of dropped) ctx.endConnections(id);
  await writeBook(ctx, { signIns: book.signIns, ended: book.ended });
  for (const { id, browser } of dropped) {
    announce(ctx, 'signin.revoked', { id, browser, why });
    ctx.log.info({ signIn: id, browser, why }, 'a browser was signed out');
  }
}
