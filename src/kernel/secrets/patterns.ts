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
}

interface Pattern {
  readonly kind: string;
  /** Global, with indices; the group `secret` is what is removed, the whole match where there is none. */
  readonly pattern: RegExp;
  /** Says which matches count; all of them when left out. */
  readonly accepts?: (secret: string, match: RegExpMatchArray) => boolean;
}

/** Runs over the whole text, since a key spreads over many lines. A block that was cut off counts up to its last key-like line. */
const privateKey: Pattern = {
  kind: 'private key',
  pattern: new RegExp(
    String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,20000}-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|(?:\\n|\r?\n)?(?:[ \t>]*[A-Za-z0-9+/=]{16,}(?:\\n|\r?\n|$))*)`,
    'gd',
  ),
};

const patterns: readonly Pattern[] = [
  { kind: 'AWS key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/dg },
  {
    kind: 'GitHub token',
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})/dg,
  },
  {
    kind: 'API key',
    pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,250}/dg,
    accepts: (secret) => /\d/.test(secret) && /[A-Za-z]/.test(secret.slice(3)),
  },
  { kind: 'API key', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/dg },
  { kind: 'web token', pattern: /(?<![A-Za-z0-9])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}\.[\w-]{8,4000}/dg },
  {
    kind: 'bearer token',
    pattern: /\bBearer\s+(?<secret>[A-Za-z0-9._~+/-]{16,4000}=*)/dgi,
    accepts: (secret) => /\d/.test(secret),
  },
  {
    kind: 'password',
    pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:(?<secret>[^\s@/"'`<>]{3,200})@[\w[]/dgi,
    accepts: (secret) => !looksLikeCode(secret),
  },
  {
    kind: 'password',
    pattern:
      /(?:password|passwd|passphrase|pwd)(?<quoteOfKey>["'`]?)[ \t]{0,4}(?::|=>|=)[ \t]{0,4}(?<quote>["'`]?)(?<secret>[^\s"'`,;)\]}]{6,200})/dgi,
    accepts: (secret, match) => looksLikePassword(secret, match.groups?.['quote'] !== ''),
  },
  {
    kind: 'token',
    pattern:
      /(?:token|secret|api[_-]?key|access[_-]?key|private[_-]?key|credential|auth[_-]?key)(?<quoteOfKey>["'`]?)[ \t]{0,4}(?::|=>|=)[ \t]{0,4}["'`]?(?<secret>[^\s"'`,;&)\]}]{12,4000})/dgi,
    accepts: looksOpaque,
  },
];

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

function findBy(text: string, { kind, pattern, accepts }: Pattern): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
    if (accepts === undefined || accepts(text.slice(start, end), match)) findings.push({ start, end, kind });
  }
  return findings;
}

export function findPrivateKeys(text: string): Finding[] {
  return findBy(text, privateKey);
}

/** Everything of ours that stands within one line. */
export function findOwnPatterns(text: string): Finding[] {
  return patterns.flatMap((pattern) => findBy(text, pattern));
}

/** Puts a mark in the place of each finding; findings that overlap become one, of the kind of the first. */
export function maskFindings(text: string, findings: readonly Finding[]): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end, kind } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= kept) continue;
    if (start >= kept) parts.push(text.slice(kept, start), `[secret removed: ${kind}]`);
    kept = end;
  }
  parts.push(text.slice(kept));
  return parts.join('');
}
