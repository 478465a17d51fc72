import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBackground } from '../../kernel/background/background.ts';
import { systemIds } from '../../kernel/clock/clock.ts';
import { openEventStream } from '../../kernel/events/events.ts';
import { createLocks } from '../../kernel/locks/locks.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, type Caller, personCaller } from '../../kernel/operations/operations.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { ActivityId, ProjectName, SignInId } from '../../kernel/pure/ids.ts';
import { emptyBook, type SignInsContext } from './context.ts';
import type { SignInLink, SignInList, SignInsRevoked } from './contract.ts';
import { recoverSignIns, signInsLock } from './keeping.ts';
import { bindSignIns } from './operations.ts';
import { maxSignIns, maxWrong } from './rules.ts';
import { redeemLink, refusalOfToken, signInOfToken } from './signing-in.ts';

const origin = 'http://127.0.0.1:4747';
const minute = 60_000;
const day = 24 * 60 * minute;

let folder: string;
let now: number;
let ended: SignInId[];
let background: ReturnType<typeof createBackground>;
let ctx: SignInsContext;
let wake: () => void;
let closeEvents: () => Promise<void>;
let published: () => unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sign-ins-'));
  now = Date.parse('2026-03-14T09:20:11.482Z');
  ended = [];
  background = createBackground(silentLog);
  ctx = await startContext();
});
afterEach(async () => {
  await background.stop(10_000);
  await closeEvents();
  await rm(folder, { recursive: true, force: true });
});

/** As after a start of the hall: nothing in memory. Time goes on only when a test says so. */
async function startContext(): Promise<SignInsContext> {
  const clock = {
    nowMs: () => now,
    nowIso: () => new Date(now).toISOString(),
    monotonicMs: () => now,
    // Ends when a test says so.
    sleep: async (_ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      const slept = deferred();
      signal?.addEventListener('abort', () => slept.reject(signal.reason));
      wake = slept.resolve;
      await slept.promise;
    },
  };
  const base = { clock, ids: systemIds, log: silentLog };
  const events = await openEventStream(base, join(folder, 'events'));
  const seen: unknown[] = [];
  closeEvents = () => events.close();
  published = () => seen;
  return {
    ...base,
    locks: createLocks(),
    spawn: background.spawn,
    events: {
      ...events,
      publish: (event) => {
        seen.push([event.type, event.subject, event.data]);
        return events.publish(event);
      },
    },
    home: { state: folder },
    book: emptyBook(),
    address: origin,
    endConnections: (id) => void ended.push(id),
  };
}

async function call<Answer>(name: string, input: object = {}, caller: Caller = personCaller): Promise<Answer> {
  const operation = bindSignIns(ctx).find(({ description }) => description.name === name)!;
  return (await callOperation(operation, caller, input)) as Answer;
}

async function linkSecret(): Promise<string> {
  const { url } = await call<SignInLink>('signin.link');
  const [address, secret = ''] = url.split('#');
  expect(address).toBe(`${origin}/app/sign-in`);
  return secret;
}

const redeem = async (secret: string, userAgent?: string) => await redeemLink(ctx, { secret, origin, userAgent });
const signIn = async (userAgent?: string) => await redeem(await linkSecret(), userAgent);
const refusalOf = async (work: () => unknown) => {
  try {
    await work();
  } catch (error) {
    return errorFactsOf(error);
  }
  return undefined;
};
const keptText = async (): Promise<string> => await readFile(join(folder, 'sign-ins.json'), 'utf8');

describe('a link', () => {
  test('works once, and the answer is a token that counts [SEC-SIGNIN-LINK]', async () => {
    const secret = await linkSecret();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { token, id } = await redeem(secret, 'Mozilla/5.0 (X11; Linux) Gecko Firefox/128.0');
    expect(signInOfToken(ctx, token, origin)).toBe(id);
    expect(id).toMatch(/^firefox-on-linux-20260314-092011-\w{4}$/);
    expect(published()).toEqual([['signin.made', `signin:${id}`, { id, browser: 'Firefox on Linux', origin }]]);
    expect(await refusalOf(() => redeem(secret))).toMatchObject({
      code: 'unauthorized',
      message: 'This sign-in link was spent at 2026-03-14 09:20 UTC; each works once.',
    });
  });

  test('that two open at once lets one in [SEC-SIGNIN-LINK]', async () => {
    const secret = await linkSecret();
    const both = await Promise.allSettled([redeem(secret), redeem(secret), redeem(secret)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(ctx.book.signIns).toHaveLength(1);
  });

  test('is good for ten minutes [SEC-SIGNIN-LINK]', async () => {
    const [first, second] = [await linkSecret(), await linkSecret()];
    now += 10 * minute - 1;
    await redeem(first);
    now += 1;
    expect(await refusalOf(() => redeem(second))).toMatchObject({
      message: 'This sign-in link was good for ten minutes, until 2026-03-14 09:30 UTC.',
      hint: 'Make a new one: guild-hall open',
    });
  });

  test('of another hall, or of before a restart, is none of this one [SEC-SIGNIN-LINK]', async () => {
    const secret = await linkSecret();
    await closeEvents();
    ctx = await startContext();
    for (const wrong of [secret, '', 'x'.repeat(43), `${secret}x`, secret.toUpperCase()]) {
      expect(await refusalOf(() => redeem(wrong))).toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining('not one of this hall'),
      });
    }
  });

  test('is not explained after many wrong ones in a minute; a right one works all the same', async () => {
    for (let count = 0; count < maxWrong; count += 1) {
      expect(await refusalOf(() => redeem('wrong'))).toMatchObject({ code: 'unauthorized' });
    }
    expect(await refusalOf(() => redeem('wrong'))).toMatchObject({ code: 'limit' });
    await signIn();
    now += minute;
    expect(await refusalOf(() => redeem('wrong'))).toMatchObject({ code: 'unauthorized' });
  });

  test('is not spent when the disk takes nothing', async () => {
    const secret = await linkSecret();
    await writeFile(join(folder, 'sign-ins.json'), 'damaged');
    expect(await refusalOf(() => redeem(secret))).toMatchObject({ code: 'conflict' });
    expect(ctx.book.signIns).toEqual([]);
    await rm(join(folder, 'sign-ins.json'));
    await redeem(secret);
  });
});

describe('a token', () => {
  test('counts at the address where it was made, nowhere else [SEC-SIGNIN-ORIGIN]', async () => {
    const { token } = await signIn();
    for (const other of ['http://localhost:4747', 'http://127.0.0.1:4748', 'http://[::1]:4747', 'null', '']) {
      expect(signInOfToken(ctx, token, other)).toBeUndefined();
      expect(refusalOfToken(ctx, token, other)).toMatchObject({
        code: 'unauthorized',
        message: expect.stringContaining(`signed in at ${origin}`),
      });
    }
    expect(signInOfToken(ctx, token, origin)).toBeDefined();
    for (const wrong of ['', token.slice(1), `${token}x`]) {
      expect(signInOfToken(ctx, wrong, origin)).toBeUndefined();
      expect(refusalOfToken(ctx, wrong, origin)).toBeUndefined();
    }
  });

  test('is on disk as a digest only, in a file of the owner alone, and works after a restart', async () => {
    const secret = await linkSecret();
    const { token, id } = await redeem(secret);
    const text = await keptText();
    for (const hidden of [token, secret]) expect(text).not.toContain(hidden);
    expect((await stat(join(folder, 'sign-ins.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(published())).not.toContain(token);
    await closeEvents();
    ctx = await startContext();
    expect(signInOfToken(ctx, token, origin)).toBeUndefined();
    await recoverSignIns(ctx);
    expect(signInOfToken(ctx, token, origin)).toBe(id);
  });

  test('ends when nobody uses it for 30 days; each use, to the hour, counts', async () => {
    const { token, id } = await signIn();
    const { signIns } = await call<SignInList>('signin.list');
    expect(signIns[0]).toMatchObject({ lastUsedAt: '2026-03-14T09:20:11.482Z', expiresAt: '2026-04-13T09:20:11.482Z' });
    now += 29 * day;
    expect(signInOfToken(ctx, token, origin)).toBe(id);
    await background.idle();
    expect(await keptText()).toContain('"lastUsedAt": "2026-04-12T09:00:00.000Z"');
    now += 29 * day;
    signInOfToken(ctx, token, origin);
    now += 30 * day + 60 * minute;
    expect(refusalOfToken(ctx, token, origin)).toMatchObject({
      message: 'This sign-in was not used for 30 days and has ended.',
    });
    expect(await call<SignInList>('signin.list')).toEqual({ signIns: [] });
    await background.idle();
    await closeEvents();
    ctx = await startContext();
    await recoverSignIns(ctx);
    expect(ctx.book.signIns).toEqual([]);
    expect(published()).toEqual([['signin.revoked', `signin:${id}`, { id, browser: 'a browser', why: 'unused' }]]);
  });

  test(`beyond ${maxSignIns} the one goes that was used least lately`, async () => {
    const first = await signIn();
    const second = await signIn();
    now += 60 * minute;
    signInOfToken(ctx, first.token, origin);
    for (let count = 2; count < maxSignIns; count += 1) await signIn();
    expect(ended).toEqual([]);
    await signIn();
    expect(ended).toEqual([second.id]);
    expect(refusalOfToken(ctx, second.token, origin)).toMatchObject({
      message: expect.stringContaining('make room'),
    });
    expect(signInOfToken(ctx, first.token, origin)).toBe(first.id);
    expect((await call<SignInList>('signin.list')).signIns).toHaveLength(maxSignIns);
  });
});

describe('revoking', () => {
  test('ends one by any part of its id, at once, and for good [SEC-SIGNIN-REVOKE]', async () => {
    const [first, second] = [await signIn(), await signIn()];
    const { revoked } = await call<SignInsRevoked>('signin.revoke', { id: first.id.slice(-4) });
    expect(revoked).toEqual([{ id: first.id, browser: 'a browser' }]);
    expect(ended).toEqual([first.id]);
    const refusal = { code: 'unauthorized', message: 'This browser was signed out at 2026-03-14 09:20 UTC.' };
    expect(signInOfToken(ctx, first.token, origin)).toBeUndefined();
    expect(refusalOfToken(ctx, first.token, origin)).toMatchObject(refusal);
    expect(signInOfToken(ctx, second.token, origin)).toBe(second.id);
    expect(published().at(-1)).toEqual([
      'signin.revoked',
      `signin:${first.id}`,
      { id: first.id, browser: 'a browser', why: 'revoked' },
    ]);
    await closeEvents();
    ctx = await startContext();
    await recoverSignIns(ctx);
    expect(signInOfToken(ctx, first.token, origin)).toBeUndefined();
    expect(refusalOfToken(ctx, first.token, origin)).toMatchObject(refusal);
  });

  test('ends all, and links that nobody opened with them [SEC-SIGNIN-REVOKE]', async () => {
    await signIn();
    await signIn();
    const secret = await linkSecret();
    const answer = await call<SignInsRevoked>('signin.revoke', { all: true });
    expect(answer.revoked).toHaveLength(2);
    expect(answer.spentLinks).toBe(1);
    expect(await refusalOf(() => redeem(secret))).toMatchObject({ message: expect.stringContaining('was spent') });
    expect(await call<SignInList>('signin.list')).toEqual({ signIns: [] });
  });

  describe('when the disk takes nothing', () => {
    let token: string;
    let id: SignInId;
    const file = (): string => join(folder, 'sign-ins.json');
    const isInAfterRestart = async (): Promise<boolean> => {
      await closeEvents();
      ctx = await startContext();
      await recoverSignIns(ctx);
      return signInOfToken(ctx, token, origin) !== undefined;
    };
    let kept: string;
    beforeEach(async () => {
      ({ token, id } = await signIn());
      kept = await keptText();
      await writeFile(file(), 'damaged');
    });
    const mend = async (): Promise<void> => await writeFile(file(), kept);

    test('acts at once, tells it, and says what a restart would do [SEC-SIGNIN-REVOKE]', async () => {
      expect(await refusalOf(() => call('signin.revoke', { id }))).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('a restart of the hall would undo it'),
      });
      expect(ended).toEqual([id]);
      expect(published().at(-1)).toMatchObject(['signin.revoked', `signin:${id}`, { why: 'revoked' }]);
      expect(refusalOfToken(ctx, token, origin)).toMatchObject({ code: 'unauthorized' });
      expect(signInOfToken(ctx, token, origin)).toBeUndefined();
    });

    test.each([[() => ({ id: id.slice(-4) })], [() => ({ all: true })]])(
      'typed again it is written, and says no more than that [SEC-SIGNIN-REVOKE]',
      async (input) => {
        for (let times = 0; times < 2; times += 1) {
          expect(await refusalOf(() => call('signin.revoke', input()))).toMatchObject({ code: 'unavailable' });
        }
        await mend();
        const { revoked } = await call<SignInsRevoked>('signin.revoke', input());
        expect(revoked).toEqual([{ id, browser: 'a browser' }]);
        expect(ended).toEqual([id]);
        expect(await isInAfterRestart()).toBe(false);
      },
    );

    test('the hall writes it by itself as soon as it can [SEC-SIGNIN-REVOKE]', async () => {
      await refusalOf(() => call('signin.revoke', { id }));
      await mend();
      wake();
      await background.idle();
      expect(await isInAfterRestart()).toBe(false);
      expect(await refusalOf(() => call('signin.revoke', { id }))).toMatchObject({ code: 'not_found' });
    });

    test('a hall that stops tries once more [SEC-SIGNIN-REVOKE]', async () => {
      await refusalOf(() => call('signin.revoke', { id }));
      await mend();
      expect(await background.stop(10_000)).toEqual([]);
      expect(await isInAfterRestart()).toBe(false);
    });
  });

  test('a link asked for while somebody is signed out is spent with the others [SEC-SIGNIN-REVOKE]', async () => {
    await signIn();
    const busy = deferred();
    const held = ctx.locks.with(signInsLock, () => busy.promise);
    const revoked = call<SignInsRevoked>('signin.revoke', { all: true });
    const link = linkSecret();
    busy.resolve();
    await held;
    expect(await revoked).toMatchObject({ spentLinks: 1 });
    const secret = await link;
    expect(await refusalOf(() => redeem(secret))).toMatchObject({ message: expect.stringContaining('was spent') });
  });

  test.each([{}, { id: 'a', all: true }])('%j says neither one nor all', async (input) => {
    await signIn();
    expect(await refusalOf(() => call('signin.revoke', input))).toMatchObject({ code: 'invalid' });
    expect(ctx.book.signIns).toHaveLength(1);
  });

  test('of none is named, with the command that lists them', async () => {
    expect(await refusalOf(() => call('signin.revoke', { id: 'nobody' }))).toMatchObject({
      code: 'not_found',
      hint: 'See: guild-hall signin list',
    });
  });
});

test('agents may do none of it', async () => {
  const activity = { project: 'shop' as ProjectName, kind: 'meeting', id: 'talk-1' as ActivityId };
  for (const name of ['signin.link', 'signin.list', 'signin.revoke']) {
    expect(await refusalOf(() => call(name, {}, { kind: 'agent', activity }))).toMatchObject({ code: 'forbidden' });
  }
});
