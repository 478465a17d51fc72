/**
 * Edits of the fields of a YAML map, done in its text: the parsed document tells where a value stands, only its
 * characters are replaced. Every result is read back before it is given out; where replacing text would not do
 * (anchors, a map in brackets), the whole text is printed anew, which still keeps comments and order.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, type Node, type Pair, type Scalar } from 'yaml';
import type { HallError } from '../pure/errors.ts';
import { keyOfPair, readYamlFields, recallYamlFields, requireReadableLength, type YamlFields } from './parse.ts';
import { plainValue, printFields, printInline, printOptions, styleOf, type PlainValue } from './yaml-text.ts';

export interface FieldEdit {
  readonly set: Readonly<Record<string, PlainValue>>;
  readonly append: Readonly<Record<string, readonly PlainValue[]>>;
  readonly remove: readonly string[];
}

/** Makes the error for a text that cannot be edited. Line and column count from 1 within the YAML. */
export type RefuseAt = (line: number, column: number, message: string) => HallError;

/** Replace `text[from, to)` by `text`. */
interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The map's text with the edit done. `eol` is the line end of what is added. */
export function editYamlFields(yaml: string, edit: FieldEdit, refuseAt: RefuseAt, eol = '\n'): string {
  const before = recallYamlFields(yaml);
  const broken = before.errors[0];
  if (broken !== undefined) throw refuseAt(broken.line, broken.column, lowerFirst(broken.message));
  const wanted = decideValues(before, edit, refuseAt);
  const changed = new Set([...wanted.keys()].filter((key) => !isDeepStrictEqual(wanted.get(key), plain(before, key))));
  if (changed.size === 0) return yaml;
  const expected = { ...before.fields };
  for (const key of changed) {
    if (wanted.get(key) === undefined) delete expected[key];
    else Object.defineProperty(expected, key, { value: wanted.get(key), ...ownProperty });
  }
  const attempts = [
    () => spliceFields(yaml, before, wanted, changed, eol),
    () => reprint(readYamlFields(yaml), wanted, changed, eol),
  ];
  for (const attempt of attempts) {
    const text = attempt();
    if (text === undefined) continue;
    requireReadableLength(text);
    if (readsAs(text, expected)) return text;
  }
  const { line, column } = before.placeOf(offsetOf(before, changed));
  throw refuseAt(line, column, 'this field cannot be changed without changing others, they share an anchor');
}

const ownProperty = { enumerable: true, configurable: true, writable: true } as const;

/** The new value of every field that the edit names; undefined for one that goes. */
function decideValues(before: YamlFields, edit: FieldEdit, refuseAt: RefuseAt): Map<string, PlainValue | undefined> {
  const wanted = new Map<string, PlainValue | undefined>(edit.remove.map((key) => [key, undefined]));
  for (const [key, value] of Object.entries(edit.set)) wanted.set(key, value);
  for (const [key, items] of Object.entries(edit.append)) {
    const present = wanted.has(key) ? wanted.get(key) : plain(before, key);
    if (present !== undefined && present !== null && !Array.isArray(present)) {
      const { line, column } = before.placeOf(offsetOf(before, new Set([key])));
      throw refuseAt(line, column, `the field ${JSON.stringify(key)} is no list, so nothing can be added to it`);
    }
    wanted.set(key, [...(present ?? []), ...items]);
  }
  return wanted;
}

function plain(fields: YamlFields, key: string): PlainValue | undefined {
  return Object.hasOwn(fields.fields, key) ? plainValue(fields.fields[key]) : undefined;
}

function readsAs(yaml: string, expected: Record<string, unknown>): boolean {
  const { fields, errors } = recallYamlFields(yaml);
  return errors.length === 0 && isDeepStrictEqual(fields, expected);
}

function offsetOf(fields: YamlFields, keys: ReadonlySet<string>): number {
  return pairsOf(fields.document).find((pair) => keys.has(keyOfPair(pair)))?.key.range?.[0] ?? 0;
}

type FieldPair = Pair<Scalar, Node | null>;

function pairsOf(document: Document): FieldPair[] {
  return isMap(document.contents) ? (document.contents.items as FieldPair[]) : [];
}

/** Undefined where the text has a form that is not edited in place. */
function spliceFields(
  yaml: string,
  before: YamlFields,
  wanted: ReadonlyMap<string, PlainValue | undefined>,
  changed: ReadonlySet<string>,
  eol: string,
): string | undefined {
  const { contents } = before.document;
  if (contents !== null && (!isMap(contents) || contents.flow === true)) return undefined;
  const added = new Set(changed);
  const splices: Splice[] = [];
  let indent = '';
  for (const pair of pairsOf(before.document)) {
    const key = keyOfPair(pair);
    indent = yaml.slice(lineStart(yaml, startOf(pair.key)), startOf(pair.key));
    if (!changed.has(key)) continue;
    added.delete(key);
    const splice = splicePair(yaml, pair, indent, { present: plain(before, key), wanted: wanted.get(key) });
    if (splice === undefined) return undefined;
    splices.push({ ...splice, text: splice.text.replaceAll('\n', eol) });
  }
  const fields = Object.fromEntries([...added].map((key) => [key, wanted.get(key) ?? null]));
  if (indent.trim() !== '') return undefined;
  const lines = indentBy(indent, printFields(fields)).replaceAll('\n', eol);
  const start = yaml === '' || yaml.endsWith('\n') || lines === '' ? yaml : yaml + eol;
  return splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), start + lines);
}

function splicePair(
  yaml: string,
  pair: FieldPair,
  indent: string,
  value: { present: PlainValue | undefined; wanted: PlainValue | undefined },
): Splice | undefined {
  if (indent.trim() !== '') return undefined;
  const keyEnd = pair.key.range?.[1] ?? yaml.length;
  const colon = yaml.indexOf(':', keyEnd);
  if (colon === -1 || yaml.slice(keyEnd, colon).trim() !== '') return undefined;
  if (value.wanted !== undefined) {
    const items = { node: pair.value, present: value.present, wanted: value.wanted };
    const inList = appendItems(yaml, items) ?? removeItems(yaml, items);
    return inList ?? replaceValue(yaml, pair.value, colon, indent, value.wanted);
  }
  const to = lineEnd(yaml, valueEnd(yaml, pair.value, colon));
  return { from: lineStart(yaml, startOf(pair.key)), to, text: '' };
}

interface ListChange {
  readonly node: Node | null;
  readonly present: PlainValue | undefined;
  readonly wanted: PlainValue;
}

/** Where the new list is the old one with more at its end, only that is put in. */
function appendItems(yaml: string, list: ListChange): Splice | undefined {
  const { node, present, wanted: value } = list;
  if (!isSeq(node) || !Array.isArray(present) || present.length === 0) return undefined;
  if (!Array.isArray(value) || !isDeepStrictEqual(value.slice(0, present.length), present)) return undefined;
  const items = value.slice(present.length);
  if (node.flow === true) {
    const end = (node.items.at(-1) as Node).range?.[1];
    return end === undefined ? undefined : { from: end, to: end, text: `, ${items.map(printInline).join(', ')}` };
  }
  const first = startOf(node);
  const column = yaml.slice(lineStart(yaml, first), first);
  if (column.trim() !== '') return undefined;
  const at = lineEnd(yaml, node.range?.[1] ?? 0);
  const lines = indentBy(column, printFields({ k: items }).slice('k:\n'.length), 2);
  return { from: at, to: at, text: yaml[at - 1] === '\n' ? lines : `\n${lines.slice(0, -1)}` };
}

/** Where the new list is the old one less one item, only the lines of that item go. */
function removeItems(yaml: string, list: ListChange): Splice | undefined {
  const { node, present, wanted } = list;
  if (!isSeq(node) || node.flow === true || !Array.isArray(present) || !Array.isArray(wanted)) return undefined;
  const gone = present.findIndex((item, index) => !isDeepStrictEqual(item, wanted[index]));
  if (wanted.length === 0 || !isDeepStrictEqual(present.toSpliced(gone, 1), wanted)) return undefined;
  const item = node.items[gone] as Node;
  const from = lineStart(yaml, startOf(item));
  if (!/^[ \t]*-[ \t]+$/.test(yaml.slice(from, startOf(item)))) return undefined;
  return { from, to: lineEnd(yaml, valueEnd(yaml, item, from)), text: '' };
}

/** Comments on the lines of the old value's start and end stay, on the first line of the new one. */
function replaceValue(yaml: string, node: Node | null, colon: number, indent: string, value: PlainValue): Splice {
  const printed = indentBy(indent, printFields({ k: value }, styleOf(node, value))).slice(indent.length + 'k:'.length);
  const end = valueEnd(yaml, node, colon);
  const eol = lineEnd(yaml, end);
  const around = [yaml.slice(colon + 1, node === null ? colon + 1 : startOf(node)), yaml.slice(end, eol)];
  const [firstLine = '', ...rest] = printed.slice(0, -1).split('\n');
  const lines = [firstLine + around.flatMap(commentsIn).join(''), ...rest].join('\n');
  return { from: colon + 1, to: eol, text: yaml[eol - 1] === '\n' ? `${lines}\n` : lines };
}

/** The comments in what stands between a colon and its value, or after the value, each with a space before it. */
function commentsIn(text: string): string[] {
  return [...text.matchAll(/(?:^|\s)(#[^\r\n]*)/g)].map((match) => ` ${match[1]}`);
}

/** Just behind the value's last character; block values end with their line feed, which is not counted. */
function valueEnd(yaml: string, node: Node | null, colon: number): number {
  const end = Math.max(node?.range?.[1] ?? 0, colon + 1);
  if (yaml[end - 1] !== '\n') return end;
  return yaml[end - 2] === '\r' ? end - 2 : end - 1;
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset behind the line feed of the line that `offset` is in. At the start of a line, that offset itself. */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const feed = text.indexOf('\n', offset);
  return feed === -1 ? text.length : feed + 1;
}

/** Every line behind `indent` instead of the first `less` characters that it has. Empty lines stay empty. */
function indentBy(indent: string, lines: string, less = 0): string {
  return lines.replaceAll(/[^\n]+/g, (line) => indent + line.slice(less));
}

/** The whole document printed by the library; undefined when it cannot, because an anchor went that others refer to. */
function reprint(
  before: YamlFields,
  wanted: ReadonlyMap<string, PlainValue | undefined>,
  changed: ReadonlySet<string>,
  eol: string,
): string | undefined {
  const { document } = before;
  for (const key of changed) {
    const value = wanted.get(key);
    if (value === undefined) document.delete(key);
    else document.set(key, document.createNode(value));
  }
  try {
    return document.toString(printOptions).replaceAll('\n', eol);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
}
