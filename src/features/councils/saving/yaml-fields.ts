/** Fields of a text that somebody wrote. */
import { type Document, LineCounter, parseDocument } from 'yaml';
import { fail } from '../../../kernel/pure/errors.ts';

/**
 * @param what for the message
 * @throws `invalid` with the line
 */
export function parseYamlFields(text: string, what: string): Readonly<Record<string, unknown>> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const [problem] = document.errors;
  const value = problem === undefined ? plainOf(document) : undefined;
  if (problem === undefined && (value === null || (typeof value === 'object' && !Array.isArray(value)))) {
    return (value ?? {}) as Readonly<Record<string, unknown>>;
  }
  const { line } = problem === undefined ? { line: 1 } : lineCounter.linePos(problem.pos[0]);
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
    return document.toJS() as unknown;
  } catch {
    return undefined;
  }
}
