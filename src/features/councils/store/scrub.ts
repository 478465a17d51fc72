/**
 * Takes secrets out of what a council keeps: the one scrubber of engine and helper. What the original named keeps its
 * four names; whatever else the hall's own scanner finds gets the hall's mark.
 */
import { findSecrets } from '../../../kernel/secrets/find.ts';
import { type Finding, markOf } from '../../../kernel/secrets/patterns.ts';

interface Found {
  readonly start: number;
  readonly end: number;
  readonly instead: string;
}

/** Names before an opaque value. The value may be quoted; the quotes go with it. */
const named =
  /(?<name>api[_-]?key|token|secret|password)[ \t]*[:=][ \t]*(?<quote>["']?)(?<value>[A-Za-z0-9+/_=-]{20,})\k<quote>/gi;
const loneFooter = /-----END ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const footerOfKey = /(?<before>[ \t>]*)-----END ?(?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----\s*$/;

/** What stands in place of a secret may follow a name that announces one; that settles within two or three. */
const mostPasses = 6;

/** Scrubbing twice changes nothing more. Text without secrets comes back as it was. */
export async function scrubCouncil(text: string): Promise<string> {
  let before = text;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const after = await scrubOnce(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

async function scrubOnce(text: string): Promise<string> {
  const findings = await findSecrets(text);
  const found = findings.map((finding) => ({ ...finding, instead: insteadOf(text, finding) }));
  const isNamed = (end: number): boolean => findings.some((finding) => finding.end === end && hasName(finding));
  // A value that has a name of its own keeps it.
  const opaque = findOpaque(text).filter(({ valueEnd }) => !isNamed(valueEnd));
  return replaceAll(text, [...found, ...opaque, ...findFooters(text)]);
}

/** Every text in plain data, names of fields left alone. What has no secret in it is the very same value. */
export async function scrubTexts<T>(value: T): Promise<T> {
  return (await scrubAny(value)) as T;
}

async function scrubAny(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return await scrubCouncil(value);
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries(value);
  const after: [string, unknown][] = [];
  for (const [name, held] of before) after.push([name, await scrubAny(held)]);
  if (after.every(([, held], at) => held === before[at]![1])) return value;
  return Array.isArray(value) ? after.map(([, held]) => held) : Object.fromEntries(after);
}

function hasName({ kind }: Finding): boolean {
  return kind === 'AWS key' || kind === 'GitHub token' || kind === 'private key';
}

function insteadOf(text: string, { start, end, kind }: Finding): string {
  if (kind === 'AWS key') return 'REDACTED-AWS-KEY';
  if (kind === 'GitHub token') return 'REDACTED-GITHUB-TOKEN';
  if (kind === 'private key') return insteadOfKey(text.slice(start, end));
  return markOf(kind);
}

/** Its first line and its last one; nothing of what stood between them. */
function insteadOfKey(key: string): string {
  const footer = footerOfKey.exec(key);
  if (footer === null) return key.endsWith('\n') ? 'REDACTED-PRIVATE-KEY-HEADER\n' : 'REDACTED-PRIVATE-KEY-HEADER';
  const between = key.includes('\n') ? `\n${footer.groups!['before']!}` : ' ';
  return `REDACTED-PRIVATE-KEY-HEADER${between}REDACTED-PRIVATE-KEY-FOOTER`;
}

function findOpaque(text: string): (Found & { readonly valueEnd: number })[] {
  return [...text.matchAll(named)].flatMap(({ index, 0: whole, groups }) => {
    const value = groups!['value']!;
    if (value.startsWith('REDACTED-') || isPath(value)) return [];
    const end = index + whole.length;
    const valueEnd = end - groups!['quote']!.length;
    return [{ start: index, end, valueEnd, instead: `${groups!['name']!}=REDACTED-OPAQUE-SECRET` }];
  });
}

/** Words between slashes; a key in base64 mixes cases and digits. */
function isPath(value: string): boolean {
  return /^\/?(?:[a-z_-]+\/)+[a-z_-]+\/?$/.test(value);
}

/** The end of a key whose beginning is not in the text. */
function findFooters(text: string): Found[] {
  return [...text.matchAll(loneFooter)].map(({ index, 0: whole }) => ({
    start: index,
    end: index + whole.length,
    instead: 'REDACTED-PRIVATE-KEY-FOOTER',
  }));
}

/** Where two overlap the one that begins first covers both. */
function replaceAll(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  const parts: string[] = [];
  let kept = 0;
  for (const one of joined(found)) {
    parts.push(text.slice(kept, one.start), one.instead);
    kept = one.end;
  }
  return parts.join('') + text.slice(kept);
}

function joined(found: readonly Found[]): Found[] {
  const all: Found[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || one.start >= last.end) all.push(one);
    else if (one.end > last.end) all[all.length - 1] = { ...last, end: one.end };
  }
  return all;
}
