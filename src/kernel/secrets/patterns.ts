/**
 * Our own patterns for secrets: what the scanner's recommended rules leave out, or report with a range that does not
 * cover the secret. Each finds the secret alone, so that the words around it stay readable.
 */

/** Where a secret stands in a text: from `start` up to but not including `end`, in UTF-16 units. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** What kind of secret, for the mark that is left in its place. */
  readonly kind: string;
  /** Hardly ever anything else: worth stopping for and asking the person about. */
  readonly isSure: boolean;
}

interface Pattern {
  readonly kind: string;
  /**
   * Global, with indices; the group `secret` is what is removed, the whole match where there is none; with the group
   * `before`, where there is one, in front of it.
   */
  readonly pattern: RegExp;
  /** Says which matches count; all of them when left out. */
  readonly accepts?: (secret: string, match: RegExpMatchArray) => boolean;
  /** Says which of those are sure; all of them when left out. */
  readonly isSure?: (secret: string, match: RegExpMatchArray) => boolean;
}

const patterns: readonly Pattern[] = [
  {
    kind: 'AWS key',
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg,
    isSure: (secret) => !secret.includes('EXAMPLE'),
  },
  {
    kind: 'GitHub token',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/dg,
    isSure: isMixed,
  },
  {
    kind: 'API key',
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,250}/dg,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret.slice(3)),
    isSure: (secret) => /[A-Za-z0-9]{16}/.test(secret),
  },
  {
    kind: 'API key',
    pattern:
      /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])|(?:sk|rk)_live_[A-Za-z0-9]{16,250}|pypi-AgE[A-Za-z0-9_-]{40,250}|ya29\.[A-Za-z0-9_-]{30,1000}|AGE-SECRET-KEY-1[A-Z0-9]{50,70})/dg,
  },
  {
    kind: 'web token',
    // It begins at the dot in its middle and looks back from there: among many beginnings in one run each would be
    // read to the end of the run.
    pattern: /\.eyJ(?<=(?<before>(?<![A-Za-z0-9])eyJ[\w-]{8,4000})\.eyJ)[\w-]{8,4000}\.[\w-]{8,4000}/dg,
    isSure: (secret) => secret.length > 80,
  },
  {
    kind: 'bearer token',
    pattern: /\bBearer\s{1,8}(?<secret>[A-Za-z0-9._~+/-]{16,4000}=*)/dgi,
    accepts: (secret) => /\d/.test(secret),
    isSure: (secret) => secret.length >= 20 && isMixed(secret),
  },
  {
    kind: 'password',
    pattern: /\bBasic\s{1,8}(?<secret>[A-Za-z0-9+/]{8,1000}={0,2})/dgi,
    accepts: (secret) => /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1')),
  },
  { kind: 'sign-in link', pattern: /\/app\/sign-in#(?<secret>[\w-]{20,200})/dg },
  { kind: 'token', pattern: /[?&]ticket=(?<secret>[\w-]{20,200})/dg, isSure: () => false },
  {
    kind: 'password',
    pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:(?<secret>[^\s@/"'`<>]{3,200})@(?<host>[\w[][\w.-]*)/dgi,
    accepts: (secret) => !looksLikeCode(secret),
    isSure: (secret, match) => isMixed(secret) && secret.length >= 8 && isElsewhere(match.groups?.['host'] ?? ''),
  },
  {
    kind: 'password',
    pattern:
      /(?:password|passwd|passphrase|pwd)(?:\\?["'`])?[ \t]{0,4}(?::|=>|=)[ \t]{0,4}(?<quote>(?:\\?["'`])?)(?<secret>[^\s"'`,;)\]}\\]{6,200})/dgi,
    accepts: (secret, match) => looksLikePassword(secret, match.groups?.['quote'] !== ''),
    isSure: () => false,
  },
  {
    kind: 'token',
    pattern:
      /(?:token|secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credential|auth[_-]?key)(?:\\?["'`])?[ \t]{0,4}(?::|=>|=)[ \t]{0,4}(?:\\?["'`])?(?<secret>[^\s"'`,;&)\]}\\]{12,4000})/dgi,
    accepts: looksOpaque,
    isSure: (secret) => secret.length >= 24 && isMixed(secret) && !/[.:]/.test(secret),
  },
];

/** Letters and digits together, and not one of the words that stand in for a secret. */
function isMixed(value: string): boolean {
  return /\d/.test(value) && /[a-z]/i.test(value) && !/example|placeholder|changeme|dummy|x{4}/i.test(value);
}

/** Not this machine, and no host of an example. */
function isElsewhere(host: string): boolean {
  return !/^(?:localhost|127\.|0\.0\.0\.0|\[|db$|postgres$|mysql$|redis$|mongo$|host$)|example|invalid$|test$/i.test(
    host,
  );
}

const placeholder =
  /^(?:x+|\*+|\.+|your[-_].*|my[-_].*|example.*|placeholder.*|redacted.*|change[-_]?me|required|optional|password|passphrase|string|number|boolean|undefined|hidden|missing|unknown|invalid|REDACTED.*)$/i;

/** An expression, a type, a template or a reference instead of a value. */
function looksLikeCode(value: string): boolean {
  return /[(<{[\\|]|\$\{|^\$|^%|^@|::|=>|\?\.|^[a-z_]\w*(?:\.[a-z_]\w*)+$/i.test(value);
}

function looksLikePlace(value: string): boolean {
  return (
    value.includes('://') || /^[\w@.-]*\/[\w@./-]*\.\w{1,5}(?::\d+)*$/.test(value) || /^\d{4}-\d\d-\d\dT/.test(value)
  );
}

/** Letters with digits or signs; a plain word counts only in quotes. */
function looksLikePassword(value: string, isQuoted: boolean): boolean {
  if (placeholder.test(value) || looksLikeCode(value) || looksLikePlace(value)) return false;
  const hasLetter = /\p{L}/u.test(value);
  return hasLetter && (/\d|[!#$%^&*+?~@]/.test(value) || (isQuoted && value.length >= 8));
}

/** Twelve characters or more out of the alphabet of keys, letters mixed with digits, or twenty in mixed case. */
function looksOpaque(value: string): boolean {
  if (placeholder.test(value) || looksLikeCode(value) || looksLikePlace(value)) return false;
  if (!/^[\w\-./+=~:]+$/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return (
    /\d/.test(value) ||
    (value.length >= 20 &&
      /[a-z]/.test(value) &&
      /[A-Z]/.test(value) &&
      !/^[A-Za-z][a-z]+(?:[A-Z][a-z]+)+$/.test(value))
  );
}

function findBy(text: string, { kind, pattern, accepts, isSure }: Pattern): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(pattern)) {
    const [from, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    const start = match.indices?.groups?.['before']?.[0] ?? from;
    const secret = text.slice(start, end);
    if (accepts !== undefined && !accepts(secret, match)) continue;
    findings.push({ start, end, kind, isSure: isSure?.(secret, match) ?? true });
  }
  return findings;
}

/** Everything of ours that stands within one line. */
export function findOwnPatterns(text: string): Finding[] {
  return patterns.flatMap((pattern) => findBy(text, pattern));
}

export function markOf(kind: string): string {
  return `[secret removed: ${kind}]`;
}

/** Puts a mark in the place of each finding; findings that overlap become one, of the kind of the first. */
export function maskFindings(text: string, findings: readonly Pick<Finding, 'start' | 'end' | 'kind'>[]): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end, kind } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= kept) continue;
    if (start >= kept) parts.push(text.slice(kept, start), markOf(kind));
    kept = end;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}
