/** Values as YAML text. What is printed here reads back as the same value in any YAML 1.2 reader. */
import { Document, isCollection, isScalar, Scalar, visit } from 'yaml';
import { fail } from '../pure/errors.ts';
import { wellFormed } from '../pure/text.ts';

/** What frontmatter can hold: JSON's values. */
export type PlainValue = string | number | boolean | null | PlainValue[] | { [key: string]: PlainValue };

export const printOptions = {
  lineWidth: 0,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  flowCollectionPadding: false,
} as const;

/** Control characters and invisible line ends, which YAML has only in escaped form. Line feed and tab are plain. */
const unprintable = /(?![\n\t])[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/gu;
/** Text of several lines that a block literal shows well; the rest is clearer in double quotes. */
const blockText = /^[^\s].*\n/u;

/**
 * The value as it will be read back: no `undefined`, dates as ISO text, text well-formed.
 * @throws `invalid` for what has no JSON form (cycles, bigint, functions at the top)
 */
export function plainValue(value: unknown): PlainValue {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw notPlain(error);
  }
  if (json === undefined) throw notPlain(undefined);
  return mapStrings(JSON.parse(json) as PlainValue);
}

function notPlain(cause: unknown) {
  return fail(
    'invalid',
    'A field of an artifact was given something that is neither text, number, yes or no, list nor fields.',
    'Give a value that JSON can hold.',
    undefined,
    cause,
  );
}

function mapStrings(value: PlainValue): PlainValue {
  if (typeof value === 'string') return wellFormed(value);
  if (Array.isArray(value)) return value.map(mapStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [wellFormed(key), mapStrings(item)]));
}

export interface PrintStyle {
  /** Lists and maps inline, in brackets. */
  readonly flow?: boolean;
  /** How to quote, when the value is text. */
  readonly quotes?: Scalar.Type | undefined;
}

/** `fields` as the lines of a block map, ending with a line feed; '' for none. */
export function printFields(fields: Readonly<Record<string, PlainValue>>, style: PrintStyle = {}): string {
  if (Object.keys(fields).length === 0) return '';
  const document = new Document(fields);
  visit(document, {
    Scalar: (key, node, path) => {
      const isValueOfField = key === 'value' && path.length === 3;
      chooseQuotes(node, isValueOfField ? style.quotes : undefined);
    },
    Collection: (_key, node, path) => {
      if (style.flow === true && path.length === 3) node.flow = true;
    },
  });
  return document.toString(printOptions).replaceAll(unprintable, escapeOf);
}

/** One value as it stands within brackets. */
export function printInline(value: PlainValue): string {
  const printed = printFields({ k: [value] }, { flow: true }).trimEnd();
  return printed.slice('k: ['.length, -1);
}

function chooseQuotes(node: Scalar, wanted: Scalar.Type | undefined): void {
  const { value } = node;
  if (typeof value !== 'string') return;
  const trailing = value.length - value.replace(/\n+$/, '').length;
  if (value.search(unprintable) !== -1) node.type = Scalar.QUOTE_DOUBLE;
  else if (wanted !== undefined) node.type = wanted;
  else if (value.includes('\n') && (trailing > 1 || !blockText.test(value))) node.type = Scalar.QUOTE_DOUBLE;
}

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The style in which an existing value is written, for a new value that takes its place. `[]` and `{}` have none. */
export function styleOf(node: unknown, value: PlainValue): PrintStyle {
  if (isCollection(node)) return { flow: node.flow === true && node.items.length > 0 };
  if (!isScalar(node) || typeof value !== 'string' || node.value === '') return {};
  const isQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
  const wasLong = typeof node.value === 'string' && node.value.includes('\n');
  return isQuoted && (wasLong || !value.includes('\n')) ? { quotes: node.type } : {};
}
