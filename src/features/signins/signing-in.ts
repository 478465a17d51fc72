/** What a browser does: it redeems a link once, and bears its token from then on. */
import { composeId, type SignInId, signInIdSchema } from '../../kernel/pure/ids.ts';
import { type ErrorFacts, fail } from '../../kernel/pure/errors.ts';
import type { SignInsContext } from './context.ts';
import { announce, dropSignIns, signInsLock, unusedSince, writeBook } from './keeping.ts';
import {
  browserOf,
  hourOf,
  maxWrong,
  refusalOfEnded,
  refusalOfLink,
  refusalOfSignIn,
  type SignIn,
  tooManyWrong,
  withSignIn,
  wrongWindowMs,
} from './rules.ts';
import { digestOf, findByDigest, removeOpenPage } from './store.ts';

export interface SignInAttempt {
  /** What stood behind the `#` of the link. */
  readonly secret: string;
  /** Of the page that asks, which is the hall's own: `http://127.0.0.1:4747`. */
  readonly origin: string;
  /** Whatever the browser says of itself. */
  readonly userAgent: string | undefined;
}

/**
 * A token for a link. The link is spent from then on.
 * @throws HallError `unauthorized` for a link that is spent, too old, or none of this hall; `limit` after many of them
 */
export async function redeemLink(
  ctx: SignInsContext,
  attempt: SignInAttempt,
): Promise<{ readonly token: string; readonly id: SignInId }> {
  return await ctx.locks.with(signInsLock, async () => {
    const now = ctx.clock.nowIso();
    const link = findByDigest(ctx.book.links, digestOf(attempt.secret));
    const refusal = refusalOfLink(link, now);
    if (refusal) throw wrongLink(ctx, refusal);
    const token = ctx.ids.secret();
    const signIn = makeSignIn(ctx, attempt, { now, digest: digestOf(token) });
    const { kept, dropped } = withSignIn(ctx.book.signIns, signIn);
    // On disk before the link is spent: when the disk takes nothing, the same link works again.
    await writeBook(ctx, { signIns: [...kept, ...dropped], ended: ctx.book.ended });
    ctx.book.links = ctx.book.links.map((each) => (each === link ? { ...each, spentAt: now } : each));
    ctx.book.signIns = [...kept, ...dropped];
    const { id, browser, origin } = signIn;
    announce(ctx, 'signin.made', { id, browser, origin });
    ctx.log.info({ signIn: id, browser, origin }, 'a browser signed in');
    await dropSignIns(ctx, dropped, 'room');
    await removeOpenPage(ctx.home);
    return { token, id };
  });
}

function makeSignIn(
  ctx: SignInsContext,
  { origin, userAgent }: SignInAttempt,
  { now, digest }: { readonly now: string; readonly digest: string },
): SignIn {
  const browser = browserOf(userAgent);
  const id = signInIdSchema.parse(composeId(browser, now, ctx.ids.random(4)));
  return { id, digest, origin, browser, madeAt: now, lastUsedAt: now };
}

/**
 * A right link is always taken: nobody can lock the person out by trying wrong ones. The secrets are too long to be
 * guessed, so the limit only keeps the answers short and the log small.
 */
function wrongLink(ctx: SignInsContext, refusal: ErrorFacts): Error {
  const now = ctx.clock.nowMs();
  const recent = ctx.book.wrongAt.filter((at) => at > now - wrongWindowMs && at <= now);
  if (recent.length >= maxWrong) return fail(tooManyWrong.code, tooManyWrong.message, tooManyWrong.hint);
  ctx.book.wrongAt = [...recent, now];
  ctx.log.warn({ why: refusal.message }, 'a sign-in link was refused');
  return fail(refusal.code, refusal.message, refusal.hint);
}

/**
 * The sign-in whose token this is and that counts now, at the address that the request was sent to.
 * @param origin `http://<Host>`, which is one of the hall's own
 */
export function signInOfToken(ctx: SignInsContext, token: string, origin: string): SignInId | undefined {
  const signIn = findByDigest(ctx.book.signIns, digestOf(token));
  if (signIn === undefined || refusalOfSignIn(signIn, origin, unusedSince(ctx))) return undefined;
  noteUse(ctx, signIn.id);
  return signIn.id;
}

/** Why a token counts no more, or not there; undefined for one that is good, and for one that never was a sign-in's. */
export function refusalOfToken(ctx: SignInsContext, token: string, origin: string): ErrorFacts | undefined {
  const digest = digestOf(token);
  const signIn = findByDigest(ctx.book.signIns, digest);
  if (signIn !== undefined) return refusalOfSignIn(signIn, origin, unusedSince(ctx));
  const ended = findByDigest(ctx.book.ended, digest);
  return ended && refusalOfEnded(ended);
}

/** To the hour; the file is written when an hour has begun. A page that stays open is in use as long as it is. */
function noteUse(ctx: SignInsContext, id: SignInId): void {
  const hour = hourOf(ctx.clock.nowIso());
  if (!ctx.book.signIns.some((each) => each.id === id && each.lastUsedAt < hour)) return;
  ctx.book.signIns = ctx.book.signIns.map((each) => (each.id === id ? { ...each, lastUsedAt: hour } : each));
  ctx.spawn('note that a sign-in is used', () =>
    ctx.locks.with(signInsLock, () => writeBook(ctx, { signIns: ctx.book.signIns, ended: ctx.book.ended })),
  );
}
