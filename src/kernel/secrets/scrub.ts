/**
 * Takes secrets out of what is written down. In place of each stands `[secret removed: <kind>]`. Text without secrets
 * comes back as it was.
 */
import { findKnown, findNow, findSecrets, isReadyToFind, type KnownSecret, mayHoldSecret } from './find.ts';
import { findOwnPatterns, markOf, maskFindings } from './patterns.ts';

/** @returns `text` with every secret that was found replaced by a mark; scrubbing twice changes nothing more */
export async function scrub(text: string): Promise<string> {
  return maskFindings(text, await findSecrets(text));
}

/** At once, for short texts. */
export function scrubNow(text: string): string {
  if (!mayHoldSecret(text) || clean.has(text)) return text;
  const scrubbed = maskFindings(text, findNow(text));
  if (scrubbed === text) rememberClean(text);
  return scrubbed;
}

/**
 * Short texts in which no secret was found by all rules: ids, times and titles come again with each event. The only state
 * of this module, and no answer depends on it.
 */
const clean = new Set<string>();
const longestRemembered = 120;
const mostRemembered = 50_000;

function rememberClean(text: string): void {
  if (text.length > longestRemembered || !isReadyToFind()) return;
  if (clean.size >= mostRemembered) clean.clear();
  // What was cut out of a long text would keep the whole of it; a copy does not.
  const copy = Buffer.from(text).toString();
  if (copy === text) clean.add(copy);
}

/** Deeper than this nothing is kept: no honest value is. */
const maxDepth = 40;

/**
 * Plain data with every text in it scrubbed, also names of fields, and the values of fields that are named like a
 * secret. What has no secret in it is the very same value.
 */
export function scrubValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubNow(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) return '[left out: too deep]';
  if (Array.isArray(value)) {
    const items = value.map((item) => scrubValue(item, depth + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const before = Object.entries(value);
  const after = before.map(([name, held]) => [scrubNow(name), scrubField(name, held, depth)] as const);
  const isSame = after.every(([name, held], index) => name === before[index]![0] && held === before[index]![1]);
  return isSame ? value : Object.fromEntries(after);
}

/** Plain data with known secrets masked in every text of it. */
export function maskKnown(value: unknown, known: readonly KnownSecret[], depth = 0): unknown {
  if (known.length === 0 || depth > maxDepth) return value;
  if (typeof value === 'string') return maskFindings(value, findKnown(value, known));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskKnown(item, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, maskKnown(held, known, depth + 1)]));
}

const tellingName = /pass|pwd|token|secret|key|credential/i;

function scrubField(name: string, held: unknown, depth: number): unknown {
  const mayTell = typeof held === 'string' && held.length <= 4000 && tellingName.test(name);
  const kind = mayTell ? kindByName(name, held) : undefined;
  return kind === undefined ? scrubValue(held, depth + 1) : markOf(kind);
}

/** As if the two stood in a text, one after the other. */
function kindByName(name: string, held: string): string | undefined {
  const start = name.length + ': "'.length;
  const found = findOwnPatterns(`${name}: "${held}"`);
  return found.find((finding) => finding.start === start && finding.end === start + held.length)?.kind;
}
