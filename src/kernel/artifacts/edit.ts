/** Changes artifact text. What is not meant to change stays byte for byte: order, comments, quotes, unknown fields, body. */
import { fail, type HallError } from '../pure/errors.ts';
import { wellFormed } from '../pure/text.ts';
import { editYamlFields, type FieldEdit } from './fields.ts';
import { requireReadableLength, splitArtifact } from './parse.ts';
import { plainValue, printFields, type PlainValue } from './yaml-text.ts';

/** Fields given as `undefined` are not touched. */
export interface ArtifactEdit {
  /** New values; a field that is not there is added at the end. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Items to add to lists; a list that is not there, or null, is made. */
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  readonly remove?: readonly string[];
  /** The whole new body. */
  readonly body?: string;
}

/**
 * The text of a new artifact. Half surrogate pairs, which no file can hold, become U+FFFD.
 * @throws `invalid` for a value that has no JSON form, `too_large` for a frontmatter of more than 2 MiB
 */
export function printArtifact(frontmatter: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = printFields(plainFields(frontmatter));
  requireReadableLength(yaml);
  return `---\n${yaml}---\n${wellFormed(body)}`;
}

/**
 * `source` with the edit done. Text without frontmatter gets one when fields are set.
 * @throws `conflict`, naming the line, when the frontmatter cannot be parsed, or when items are to be added to
 *   something that is no list; `invalid` for a value that has no JSON form; `too_large` as above
 */
export function editArtifact(source: string, edit: ArtifactEdit): string {
  const fields: FieldEdit = {
    set: plainFields(edit.set ?? {}),
    append: plainFields(edit.append ?? {}) as Record<string, PlainValue[]>,
    remove: edit.remove ?? [],
  };
  const parts = splitArtifact(source);
  const body = edit.body === undefined ? parts.body : wellFormed(edit.body);
  const changesFields = Object.keys({ ...fields.set, ...fields.append }).length + fields.remove.length > 0;
  if (parts.kind === 'unclosed') {
    throw unparsable(1, 1, 'the frontmatter that begins there has no closing line `---`');
  }
  if (parts.kind === 'none') {
    const yaml = changesFields ? editYamlFields('', fields, refuseAt) : '';
    const eol = /\r?\n/.exec(body)?.[0] ?? '\n';
    return yaml === '' ? parts.bom + body : `${parts.bom}---${eol}${yaml.replaceAll('\n', eol)}---${eol}${body}`;
  }
  const yaml = changesFields ? editYamlFields(parts.yaml, fields, refuseAt, eolOf(parts.open)) : parts.yaml;
  requireReadableLength(yaml);
  return (
    parts.bom + (parts.open.includes('\n') ? parts.open : `${parts.open}\n`) + yaml + closeOf(parts.close, body) + body
  );
}

/** A closing line at the very end of the file may lack its line feed. */
function closeOf(close: string, body: string): string {
  return close.includes('\n') || body === '' ? close : `${close}\n`;
}

function eolOf(fence: string): string {
  return fence.endsWith('\r\n') ? '\r\n' : '\n';
}

function plainFields(fields: Readonly<Record<string, unknown>>): Record<string, PlainValue> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [wellFormed(key), plainValue(value)]));
}

/** @param line within the YAML, which begins in the second line of the file */
function refuseAt(line: number, column: number, message: string): HallError {
  return unparsable(line + 1, column, message);
}

function unparsable(line: number, column: number, message: string): HallError {
  return fail(
    'conflict',
    `The artifact was not changed: line ${line}, column ${column}: ${message}.`,
    `Mend the frontmatter at line ${line} by hand, then try again.`,
    { line, column },
  );
}
