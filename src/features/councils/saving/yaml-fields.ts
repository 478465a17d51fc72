/** Fields of a text that somebody wrote. */
import type { Document } from 'yaml';
import { hasManyAliases } from '../../../kernel/artifacts/aliases.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { parseAnyYaml } from '../store/any-yaml.ts';

/**
 * @param what for the message
 * @throws `invalid` with the line
 */
export function parseYamlFields(text: string, what: string): Readonly<Record<string, unknown>> {
  const read = parseAnyYaml(text);
  if (read.ok && typeof read.value === 'object' && !Array.isArray(read.value)) {
    return (read.value ?? {}) as Readonly<Record<string, unknown>>;
  }
  const line = read.ok ? 1 : read.line;
  throw fail(
    'invalid',
    `The YAML of ${what} cannot be read at line ${line}.`,
    'Write fields, one a line: name: value.',
    { line },
  );
}

/** Undefined where aliases stand for more than anybody writes. */
export function plainOf(document: Document.Parsed): unknown {
  try {
    if (hasManyAliases(document)) return undefined;
    return document.toJS() as unknown;
  } catch {
    return undefined;
  }
}
