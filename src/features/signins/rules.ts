/** Which links and tokens count. Pure: times are ISO 8601 text in UTC, always to the millisecond, so text order is time order. */
import { refuse, type ErrorFacts } from '../../kernel/pure/errors.ts';
import type { SignInId } from '../../kernel/pure/ids.ts';
import type { EndReason } from './contract.ts';

/** A link is good for so long. Milliseconds. */
export const linkLifeMs = 10 * 60_000;
/** A sign-in that is not used for so long ends. Milliseconds. */
export const unusedLifeMs = 30 * 24 * 3_600_000;
export const maxSignIns = 50;
/** Of links and of ended sign-ins so many are remembered, to say what became of them. */
export const maxRemembered = 50;
/** More wrong links than this within `wrongWindowMs` are no longer explained. */
export const maxWrong = 10;
export const wrongWindowMs = 60_000;

/** What tells one secret from another without being it. */
export interface Digested {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

export interface Link extends Digested {
  readonly expiresAt: string;
  readonly spentAt: string | undefined;
}

export interface SignIn extends Digested {
  readonly id: SignInId;
  /** The one address at which its token counts: `http://127.0.0.1:4747`. */
  readonly origin: string;
  readonly browser: string;
  readonly madeAt: string;
  /** To the hour; at first when it was made. */
  readonly lastUsedAt: string;
}

export interface EndedSignIn extends Digested {
  readonly id: SignInId;
  readonly endedAt: string;
  readonly why: EndReason;
}

const signInAgain = 'Sign in again: guild-hall open';
const newLink = 'Make a new one: guild-hall open';

/** Why a link lets nobody in; undefined when it does. */
export function refusalOfLink(link: Link | undefined, now: string): ErrorFacts | undefined {
  if (link === undefined) {
    return refuse(
      'unauthorized',
      'This sign-in link is not one of this hall, or was made before the hall was last started.',
      newLink,
    ).refusal;
  }
  if (link.spentAt !== undefined) {
    return refuse(
      'unauthorized',
      `This sign-in link was spent at ${minuteOf(link.spentAt)} UTC; each works once.`,
      `${newLink}. If it was not you who used it, see: guild-hall signin list`,
    ).refusal;
  }
  if (link.expiresAt > now) return undefined;
  return refuse(
    'unauthorized',
    `This sign-in link was good for ten minutes, until ${minuteOf(link.expiresAt)} UTC.`,
    newLink,
  ).refusal;
}

/**
 * Why a sign-in does not count here and now; undefined when it does.
 * @param origin the address that the request was sent to
 * @param unusedSince one that was not used since then has ended
 */
export function refusalOfSignIn(
  signIn: Pick<SignIn, 'origin' | 'lastUsedAt'>,
  origin: string,
  unusedSince: string,
): ErrorFacts | undefined {
  if (signIn.lastUsedAt < unusedSince) return refusalOfEnded({ why: 'unused', endedAt: unusedSince });
  if (signIn.origin === origin) return undefined;
  return refuse(
    'unauthorized',
    `This browser signed in at ${signIn.origin}; its token counts there alone, and this request was sent to ${origin}.`,
    `Open ${signIn.origin}/app/, or sign in at this address too: guild-hall open`,
  ).refusal;
}

/** What a page is told whose sign-in has ended. */
export function refusalOfEnded({ why, endedAt }: Pick<EndedSignIn, 'why' | 'endedAt'>): ErrorFacts {
  const at = `${minuteOf(endedAt)} UTC`;
  switch (why) {
    case 'revoked':
      return refuse('unauthorized', `This browser was signed out at ${at}.`, signInAgain).refusal;
    case 'unused':
      return refuse('unauthorized', 'This sign-in was not used for 30 days and has ended.', signInAgain).refusal;
    case 'room':
      return refuse(
        'unauthorized',
        `This sign-in ended at ${at} to make room for a newer one: the hall keeps ${maxSignIns}.`,
        signInAgain,
      ).refusal;
  }
}

export const tooManyWrong: ErrorFacts = refuse(
  'limit',
  `More than ${maxWrong} wrong sign-in links were tried within a minute.`,
  'Wait a minute, then: guild-hall open',
).refusal;

/**
 * The sign-ins with a new one: of more than `maxSignIns` those go that were not used for longest, but never the new one.
 */
export function withSignIn(
  signIns: readonly SignIn[],
  made: SignIn,
): { readonly kept: SignIn[]; readonly dropped: SignIn[] } {
  const byUse = signIns.toSorted((a, b) => compare(b.lastUsedAt, a.lastUsedAt) || compare(b.madeAt, a.madeAt));
  return { kept: [made, ...byUse.slice(0, maxSignIns - 1)], dropped: byUse.slice(maxSignIns - 1) };
}

/** Those that go on, and those that nobody used since `unusedSince`. */
export function partByUse(
  signIns: readonly SignIn[],
  unusedSince: string,
): { readonly live: SignIn[]; readonly unused: SignIn[] } {
  return {
    live: signIns.filter(({ lastUsedAt }) => lastUsedAt >= unusedSince),
    unused: signIns.filter(({ lastUsedAt }) => lastUsedAt < unusedSince),
  };
}

/** The newest so many. */
export function remembered<T>(newestFirst: readonly T[]): T[] {
  return newestFirst.slice(0, maxRemembered);
}

/** The hour in which a time lies, as a time. */
export function hourOf(iso: string): string {
  return `${iso.slice(0, 13)}:00:00.000Z`;
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Those that others claim to be come first. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A few words of our own for a `User-Agent`, which may hold anything: `Firefox on Linux`, or `a browser`. */
export function browserOf(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 500);
  const browser = browsers.find(([, sign]) => sign.test(text))?.[0] ?? 'a browser';
  const system = systems.find(([, sign]) => sign.test(text))?.[0];
  return system === undefined ? browser : `${browser} on ${system}`;
}
