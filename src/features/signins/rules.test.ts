import { describe, expect, test } from 'vitest';
import type { SignInId } from '../../kernel/pure/ids.ts';
import {
  browserOf,
  hourOf,
  maxSignIns,
  partByUse,
  refusalOfEnded,
  refusalOfLink,
  refusalOfSignIn,
  remembered,
  type SignIn,
  withSignIn,
} from './rules.ts';

const now = '2026-03-14T09:20:00.000Z';
const link = { digest: 'd', expiresAt: '2026-03-14T09:20:00.001Z', spentAt: undefined };

function signIn(id: string, facts: Partial<SignIn> = {}): SignIn {
  return {
    id: id as SignInId,
    digest: id,
    origin: 'http://127.0.0.1:4747',
    browser: 'Firefox on Linux',
    madeAt: now,
    lastUsedAt: '2026-03-14T09:00:00.000Z',
    ...facts,
  };
}

describe('a link', () => {
  test.each([
    ['that is fresh', link, undefined],
    ['that nobody knows', undefined, 'not one of this hall'],
    ['that was used', { ...link, spentAt: '2026-03-14T09:15:30.000Z' }, 'was spent at 2026-03-14 09:15 UTC'],
    ['that is ten minutes old to the millisecond', { ...link, expiresAt: now }, 'was good for ten minutes'],
    ['that was used and is old', { ...link, expiresAt: now, spentAt: now }, 'was spent'],
  ])('%s', (_which, given, expected) => {
    const refusal = refusalOfLink(given, now);
    if (expected === undefined) return expect(refusal).toBeUndefined();
    expect(refusal).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(expected) });
    expect(refusal?.hint).toContain('guild-hall open');
  });
});

describe('a token', () => {
  test.each([
    ['at its own address', 'http://127.0.0.1:4747', undefined],
    ['at the other name of the machine', 'http://localhost:4747', 'its token counts there alone'],
    ['at another port', 'http://127.0.0.1:4748', 'its token counts there alone'],
  ])('%s', (_where, origin, expected) => {
    const refusal = refusalOfSignIn(signIn('a'), origin, '2026-03-01T00:00:00.000Z');
    if (expected === undefined) return expect(refusal).toBeUndefined();
    expect(refusal).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(expected) });
    expect(refusal?.hint).toContain('http://127.0.0.1:4747/app/');
  });

  test('that was not used since then has ended', () => {
    const { origin, lastUsedAt } = signIn('a');
    expect(refusalOfSignIn(signIn('a'), origin, lastUsedAt)).toBeUndefined();
    expect(refusalOfSignIn(signIn('a'), origin, '2026-03-14T09:00:00.001Z')?.message).toContain('30 days');
  });

  test.each(['revoked', 'unused', 'room'] as const)('that ended (%s) says so and what to type', (why) => {
    const { code, message, hint } = refusalOfEnded({ why, endedAt: now });
    expect(code).toBe('unauthorized');
    expect(message).toMatch(/signed out at 2026-03-14 09:20 UTC|30 days|make room/);
    expect(hint).toContain('guild-hall open');
  });
});

describe('the book', () => {
  test(`keeps ${maxSignIns}: the one goes that was not used for longest, never the new one`, () => {
    const hour = (count: number): string => `2026-03-14T${String(count % 24).padStart(2, '0')}:00:00.000Z`;
    const full = Array.from({ length: maxSignIns }, (_, count) =>
      signIn(`s-${count}`, { lastUsedAt: hour(count + 1) }),
    );
    full[7] = signIn('oldest', { lastUsedAt: '2026-03-13T00:00:00.000Z' });
    const made = signIn('new', { lastUsedAt: '2026-03-01T00:00:00.000Z' });
    const { kept, dropped } = withSignIn(full, made);
    expect(kept).toHaveLength(maxSignIns);
    expect(kept).toContain(made);
    expect(dropped.map(({ id }) => id)).toEqual(['oldest']);
    expect(withSignIn(full.slice(1), made).dropped).toEqual([]);
  });

  test('of two that were last used in one hour the one goes that was made first', () => {
    const full = Array.from({ length: maxSignIns }, (_, count) =>
      signIn(`s-${count}`, { madeAt: `2026-03-14T09:20:${String(59 - count).padStart(2, '0')}.000Z` }),
    );
    expect(withSignIn(full, signIn('new')).dropped.map(({ id }) => id)).toEqual([`s-${maxSignIns - 1}`]);
  });

  test('parts what is used from what is not', () => {
    const [used, unused] = [signIn('a'), signIn('b', { lastUsedAt: '2026-01-01T00:00:00.000Z' })];
    expect(partByUse([used, unused], '2026-02-01T00:00:00.000Z')).toEqual({ live: [used], unused: [unused] });
  });

  test('remembers the newest only', () => {
    expect(remembered(Array.from({ length: 90 }, (_, index) => index))).toEqual(
      Array.from({ length: 50 }, (_, index) => index),
    );
  });

  test('notes use to the hour', () => {
    expect(hourOf('2026-03-14T09:59:59.999Z')).toBe('2026-03-14T09:00:00.000Z');
  });
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1',
    'Chrome on iOS',
  ],
  ['<script>alert(1)</script>\u001b[2J', 'a browser'],
  ['x'.repeat(100_000), 'a browser'],
  [undefined, 'a browser'],
])('%s is named in our own words', (userAgent, expected) => {
  expect(browserOf(userAgent)).toBe(expected);
});
