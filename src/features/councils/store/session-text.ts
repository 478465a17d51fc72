/**
 * A session as YAML: the seed's thirteen fields first, flat and in order, then the rest, a field a line, lists an item a
 * line. Each value is written in its JSON form, which YAML 1.2 reads as the same value; what somebody else wrote in
 * another form of YAML is read too. Without schemas, so that a helper starts at once.
 */
import { fail, type HallError } from '../../../kernel/pure/errors.ts';

/** In the order of the file. */
export const seedFields = [
  'session_id',
  'phase',
  'round',
  'turn_counter',
  'cadence_counter',
  'raise_hand_ledger',
  'scratchpad_state',
  'cumulative_cost',
  'last_checkpoint_at',
  'last_checkpoint_phase',
  'last_yield_emitted_at',
  'agent_dispatch_findings',
  'user_attendance',
] as const;
export type SeedField = (typeof seedFields)[number];

/** Plain data by field, under the names of the file. */
export type SessionFields = Readonly<Record<string, unknown>>;

/** What stands below these is data by name: the names stay as they are. */
const byName: ReadonlySet<string> = new Set(['tokens', 'fetched', 'ids', 'sections']);
/** Legal in JSON as they are, not so in YAML, or not the same. */
const unprintable = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

export function printFields(fields: SessionFields): string {
  return Object.entries(fields)
    .map(([key, value]) => printField(key, value))
    .join('');
}

/** The field with its line ends: what `printFields` has of it. */
export function printField(key: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return `${key}: ${printValue(value)}\n`;
  return `${key}:\n${value.map((item) => `  - ${printValue(item)}\n`).join('')}`;
}

function printValue(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * @param file names it in errors
 * @throws `conflict` with file and line for what is no YAML, or no fields
 */
export async function parseFields(text: string, file: string): Promise<SessionFields> {
  const fields = parseOwn(text);
  if (fields !== undefined) return fields;
  // Bundled, a package in the older form has no names of its own when it is loaded like this; a file of ours has.
  const { parseAnyYaml } = await import('./any-yaml.ts');
  const read = parseAnyYaml(text);
  if (!read.ok) throw unreadable(file, read.line, read.reason);
  const { value } = read;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as SessionFields;
  throw unreadable(file, 1, 'it has no fields');
}

/** The form in which this program writes; undefined for any other. */
function parseOwn(text: string): SessionFields | undefined {
  const found: [string, unknown][] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const item = line.startsWith('  - ');
    const list = item ? found.at(-1)?.[1] : undefined;
    const [, key, rest] = item ? [] : (/^([a-z][a-z0-9_]*):(?: (.*))?$/u.exec(line) ?? []);
    if (item ? !Array.isArray(list) : key === undefined) return undefined;
    const value = item ? parseJson(line.slice(4)) : rest === undefined ? [] : parseJson(rest);
    if (value === undefined) return undefined;
    if (item) (list as unknown[]).push(value);
    else found.push([key!, value]);
  }
  return found.length > 0 && new Set(found.map(([key]) => key)).size === found.length
    ? Object.fromEntries(found)
    : undefined;
}

/** `undefined`, which no JSON means, for what is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function unreadable(file: string, line: number, reason: string): HallError {
  return fail(
    'conflict',
    `The session file ${file} cannot be read at line ${line}: ${reason}. It was left as it is.`,
    'Mend the line by hand, or put a copy of the file back; then try again.',
    { file, line },
  );
}

/** Where a field begins, counted from 1. */
export function lineOfField(text: string, key: string): number {
  const place = text.split('\n').findIndex((line) => line.startsWith(`${key}:`));
  return place === -1 ? 1 : place + 1;
}

/** `turnCounter` → `turn_counter`, at every depth. */
export function toFileNames(value: unknown): unknown {
  return renamed(value, snakeOf);
}

/** `turn_counter` → `turnCounter`, at every depth. */
export function toOwnNames(value: unknown): unknown {
  return renamed(value, camelOf);
}

export function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelOf(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [rename(name), byName.has(name) ? held : renamed(held, rename)]),
  );
}
