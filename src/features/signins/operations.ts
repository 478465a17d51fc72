/** What a person does about browsers: a link for one, the list of them, out with one. */
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { SignInId } from '../../kernel/pure/ids.ts';
import { resolveShortId } from '../../kernel/pure/short-ids.ts';
import type { SignInsContext } from './context.ts';
import {
  type SignInLink,
  signInLink,
  type SignInList,
  signInList,
  signInRevoke,
  type SignInsRevoked,
} from './contract.ts';
import { endSignIns, expiryOf, settleBook, signInsLock, unusedSince } from './keeping.ts';
import { linkLifeMs, partByUse, remembered, type SignIn } from './rules.ts';
import { digestOf } from './store.ts';

export function bindSignIns(ctx: SignInsContext): BoundOperation[] {
  return [
    bindOperation(signInLink, () => makeLink(ctx)),
    bindOperation(signInList, () => listSignIns(ctx)),
    bindOperation(signInRevoke, (_caller, input) => revokeSignIns(ctx, input)),
  ];
}

/** The secret stands behind `#`: a browser sends that part to nobody, and it is in no log. */
async function makeLink(ctx: SignInsContext): Promise<SignInLink> {
  const secret = ctx.ids.secret();
  const expiresAt = new Date(ctx.clock.nowMs() + linkLifeMs).toISOString();
  // At once, not under the lock: it would wait for who is being signed out just now, and outlive their links.
  const link = { digest: digestOf(secret), expiresAt, spentAt: undefined };
  ctx.book.links = remembered([link, ...ctx.book.links]);
  return { url: `${ctx.address}/app/sign-in#${secret}`, expiresAt };
}

async function listSignIns(ctx: SignInsContext): Promise<SignInList> {
  const { live } = partByUse(ctx.book.signIns, unusedSince(ctx));
  const signIns = live
    .map((signIn) => ({ ...withoutDigest(signIn), expiresAt: expiryOf(signIn) }))
    .toSorted((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt) || b.madeAt.localeCompare(a.madeAt));
  return { signIns };
}

function withoutDigest({ id, browser, origin, madeAt, lastUsedAt }: SignIn) {
  return { id, browser, origin, madeAt, lastUsedAt };
}

/** Links that nobody opened are spent too: whoever had the browser may have made one for later. */
async function revokeSignIns(
  ctx: SignInsContext,
  wanted: { readonly id?: string | undefined; readonly all: boolean },
): Promise<SignInsRevoked> {
  if (wanted.all === (wanted.id !== undefined)) throw oneOrAll();
  return await ctx.locks.with(signInsLock, async () => {
    const { live, unused } = partByUse(ctx.book.signIns, unusedSince(ctx));
    // Also who was signed out when the disk took nothing: now it may.
    const all = [...live, ...ctx.book.owed];
    const revoked = wanted.id === undefined ? all : [oneOf(all, wanted.id)];
    const now = ctx.clock.nowIso();
    const open = ctx.book.links.filter(({ spentAt, expiresAt }) => spentAt === undefined && expiresAt > now);
    ctx.book.links = ctx.book.links.map((link) => (open.includes(link) ? { ...link, spentAt: now } : link));
    const ids = new Set(revoked.map(({ id }) => id));
    endSignIns(ctx, unused, 'unused');
    endSignIns(
      ctx,
      live.filter(({ id }) => ids.has(id)),
      'revoked',
    );
    await settleBook(ctx);
    return { revoked: revoked.map(({ id, browser }) => ({ id, browser })), spentLinks: open.length };
  });
}

function oneOf<One extends { readonly id: SignInId }>(all: readonly One[], given: string): One {
  const ids = all.map(({ id }) => id);
  const id = resolveShortId(given, ids, { noun: 'sign-in', listCommand: 'guild-hall signin list' });
  return all.find((each) => each.id === id)!;
}

function oneOrAll() {
  return fail(
    'invalid',
    'Which browser is to be signed out? One id was expected, or all of them.',
    'guild-hall signin list, then: guild-hall signin revoke <id>, or: guild-hall signin revoke --all',
  );
}
