/** The book of sign-ins and its file: read at the start, written at each change, those that ended taken out. */
import type { EventsContext } from '../../kernel/events/events.ts';
import { fail } from '../../kernel/pure/errors.ts';
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

/** After it the file says what the book says, and nothing is owed to the disk any more. Under the lock. */
export async function writeBook(ctx: SignInsContext, { signIns, ended }: KeptSignIns = ctx.book): Promise<void> {
  await signInFile(ctx.home).write({ signIns, ended });
  ctx.book.owed = [];
}

/** Between two tries to write what is owed to the disk: first, and at most. Milliseconds. */
const retryMs = { first: 5000, most: 300_000 };

/**
 * Writes that somebody was signed out. Where the disk takes nothing, it is tried again until it does. Under the lock.
 * @throws HallError `unavailable`, which says what holds now and what does not yet
 */
export async function settleBook(ctx: SignInsContext): Promise<void> {
  if (ctx.book.owed.length === 0) return;
  try {
    await writeBook(ctx);
  } catch (error) {
    if (!ctx.book.isRetrying) ctx.spawn('write down who was signed out', (stopping) => retryWriting(ctx, stopping));
    throw signedOutForNow(error as Error);
  }
}

/** A hall that stops tries once more at once. */
async function retryWriting(ctx: SignInsContext, stopping: AbortSignal): Promise<void> {
  const { book } = ctx;
  book.isRetrying = true;
  for (let waitMs = retryMs.first; book.owed.length > 0; waitMs = Math.min(2 * waitMs, retryMs.most)) {
    const isStopping = !(await sleptThrough(ctx, waitMs, stopping));
    await ctx.locks.with(signInsLock, () => writeIfOwed(ctx));
    if (isStopping) break;
  }
  book.isRetrying = false;
}

/** False when it was ended before its time. */
async function sleptThrough(ctx: SignInsContext, ms: number, stopping: AbortSignal): Promise<boolean> {
  try {
    await ctx.clock.sleep(ms, stopping);
    return true;
  } catch (error) {
    if (!stopping.aborted) throw error;
    return false;
  }
}

async function writeIfOwed(ctx: SignInsContext): Promise<void> {
  if (ctx.book.owed.length === 0) return;
  try {
    await writeBook(ctx);
    ctx.log.info({}, 'it is written down now who was signed out');
  } catch (error) {
    ctx.log.warn({ err: error }, 'it could not be written down who was signed out');
  }
}

function signedOutForNow(error: Error) {
  return fail(
    'unavailable',
    `Signed out, but a restart of the hall would undo it, since it could not be written down: ${error.message}`,
    'The hall goes on trying. Mend what is said there, then type the same again: it is written at once.',
    undefined,
    error,
  );
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

/** Ends sign-ins, then writes it. Under the lock. @throws HallError `unavailable` when it could not be written */
export async function dropSignIns(ctx: SignInsContext, dropped: readonly SignIn[], why: EndReason): Promise<void> {
  endSignIns(ctx, dropped, why);
  await settleBook(ctx);
}

/**
 * Ends sign-ins at once, in memory and on the wire, and tells it: nothing more is done by them whatever the disk says.
 * It is to be written with `settleBook`. Under the lock.
 */
export function endSignIns(ctx: SignInsContext, dropped: readonly SignIn[], why: EndReason): void {
  if (dropped.length === 0) return;
  const { book } = ctx;
  const endedAt = ctx.clock.nowIso();
  const gone = new Set(dropped.map(({ id }) => id));
  book.signIns = book.signIns.filter(({ id }) => !gone.has(id));
  book.ended = remembered([...dropped.map(({ id, digest }) => ({ id, digest, endedAt, why })), ...book.ended]);
  book.owed = [...book.owed, ...dropped.map(({ id, browser }) => ({ id, browser }))];
  for (const { id } of dropped) ctx.endConnections(id);
  for (const { id, browser } of dropped) {
    announce(ctx, 'signin.revoked', { id, browser, why });
    ctx.log.info({ signIn: id, browser, why }, 'a browser was signed out');
  }
}
