/** Entries of the action-items registry as YAML text: what is printed reads back as the same text in YAML 1.1 and 1.2. */
import { wellFormed } from '../../../kernel/pure/text.ts';

/** Fields of one entry under their names in the registry, in their order there. All text. */
export interface RegistryEntry {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly source_meeting: string;
  readonly type: string;
  readonly priority: string;
  readonly status: string;
  readonly target_command: string;
  readonly assignee: string;
  readonly context_for_target: string;
  readonly acceptance: string;
}

export const entryFields = [
  'id',
  'created',
  'source_meeting',
  'type',
  'priority',
  'status',
  'target_command',
  'assignee',
  'context_for_target',
  'acceptance',
] as const satisfies readonly (keyof RegistryEntry)[];

const quoted: ReadonlySet<string> = new Set(['created', 'target_command']);
/** Plain in every YAML: no number, no date, no sign that means something. */
const plain = /^[A-Za-z][\w-]*(?:[ .][\w-]+)*$/;
const notPlain = /^(?:y|n|yes|no|on|off|true|false|null|inf|nan)$/i;
const unprintable = /(?![\n\t])[\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/gu;

export interface EntryStyle {
  /** Column of the dash. */
  readonly indent: number;
  /** `\n`, or `\r\n`. */
  readonly lineEnd: string;
}

/** A block entry, ending with a line end. */
export function printBlockEntry(entry: RegistryEntry, { indent, lineEnd }: EntryStyle): string {
  const lines = entryFields.map((field, at) => {
    const start = `${' '.repeat(indent)}${at === 0 ? '- ' : '  '}${field}: `;
    return start + printValue(field, entry[field], { indent: indent + 4, lineEnd });
  });
  return lines.map((line) => line + lineEnd).join('');
}

/** An entry within brackets, on one line. */
export function printFlowEntry(entry: RegistryEntry): string {
  const fields = entryFields.map((field) => `${quote(field)}: ${quote(entry[field])}`);
  return `{${fields.join(', ')}}`;
}

function printValue(field: string, given: string, style: EntryStyle): string {
  const value = wellFormed(given);
  if (quoted.has(field)) return quote(value);
  return isForBlock(value, style) ? printBlock(value, style) : printPlain(value);
}

/** One line: as it is where every YAML reads it as text, else in double quotes. */
export function printPlain(given: string): string {
  const value = wellFormed(given);
  return plain.test(value) && !notPlain.test(value) ? value : quote(value);
}

export function printPlainList(values: readonly string[]): string {
  return `[${values.map(printPlain).join(', ')}]`;
}

/** The fields of an item as the lines of a list entry, in their order. */
export function printFieldsOf(fields: readonly (readonly [name: string, value: string])[]): string {
  const style = { indent: 4, lineEnd: '\n' };
  return fields
    .map(([name, value], at) => `${at === 0 ? '- ' : '  '}${name}: ${printValue(name, value, style)}\n`)
    .join('');
}

/** Text of several lines that stands as it is; all other is clearer in quotes. */
function isForBlock(value: string, { lineEnd }: EntryStyle): boolean {
  if (!value.includes('\n') || lineEnd !== '\n' || value.search(unprintable) !== -1) return false;
  if (!/^[^\s]/.test(value) || value.endsWith('\n\n')) return false;
  return !value.split('\n').some((line) => line !== '' && line.trim() === '');
}

function printBlock(value: string, { indent }: EntryStyle): string {
  const ends = value.endsWith('\n');
  const lines = (ends ? value.slice(0, -1) : value).split('\n');
  return `${ends ? '|' : '|-'}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
}

/** In double quotes. */
export function quote(value: string): string {
  return JSON.stringify(value).replaceAll(unprintable, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
