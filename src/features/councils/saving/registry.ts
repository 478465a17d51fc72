/**
 * The action-items registry as a text that grows. Whatever legal YAML it is, the bytes of its entries stay, new ones come
 * after them, and `schema_version: 2` stands in it once. What comes out is read again before it counts: a registry is
 * extended rightly, or not at all.
 */
import { type Document, isMap, isScalar, isSeq, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { hasManyAliases } from '../../../kernel/artifacts/aliases.ts';
import { maxYamlLength } from '../../../kernel/artifacts/parse.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { entryFields, type EntryStyle, printBlockEntry, printFlowEntry, type RegistryEntry } from './entries.ts';
import { apply, columnOf, type Edit, endOfContents, indentLines, nextLine } from './text-edits.ts';

export const registryVersion = 2;
const heading = '# Action items of councils. Entries are appended; ids are AI-<date>-<number>.';

export interface RegistryFacts {
  /** Values as they stand, in order; mostly maps of fields. */
  readonly items: readonly unknown[];
}

interface Registry extends RegistryFacts {
  readonly source: string;
  readonly document: Document.Parsed;
  readonly root: YAMLMap | undefined;
  readonly pairs: readonly Pair[];
}

/**
 * @param name for messages: the path as the person knows it
 * @throws `conflict` with file, line and what to do, when it is no YAML or no registry
 */
export function readRegistry(source: string, name: string): RegistryFacts {
  return parseRegistry(source, name);
}

/**
 * The text with these entries at the end of its list.
 * @throws as `readRegistry`; `conflict` too where a form of YAML cannot be extended without touching what stands there
 */
export function extendRegistry(source: string, given: readonly RegistryEntry[], name: string): string {
  const before = parseRegistry(source, name);
  const entries = given.map(printable);
  const lineEnd = /\r?\n/.exec(source)?.[0] ?? '\n';
  for (const candidate of candidatesFor(before, entries, lineEnd)) {
    if (isExtended(candidate, before, entries)) return candidate;
  }
  throw fail(
    'conflict',
    `${name} is written in a form of YAML to which nothing can be added without touching what stands in it; nothing was written.`,
    `Write its entries as a list under \`items:\`, one \`- id:\` each, then repeat.`,
  );
}

function printable(entry: RegistryEntry): RegistryEntry {
  return Object.fromEntries(entryFields.map((field) => [field, wellFormed(entry[field])])) as unknown as RegistryEntry;
}

function parseRegistry(source: string, name: string): Registry {
  if (source.length > maxYamlLength) throw noRegistry(name, 1, `is longer than ${maxYamlLength} characters`);
  const counter = new LineCounter();
  const document = parseDocument(source, { uniqueKeys: false, lineCounter: counter });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line } = counter.linePos(problem.pos[0]);
    throw noRegistry(name, line, `is not legal YAML: ${problem.message.split('\n', 1)[0]!.replace(/ at line .*/, '')}`);
  }
  const { contents } = document;
  const root = isMap(contents) ? contents : undefined;
  if (root === undefined && contents !== null && !isSeq(contents) && plainOf(document) !== null) {
    throw noRegistry(name, 1, 'holds neither fields nor a list');
  }
  const pairs = (root?.items ?? []) as Pair[];
  requireVersion(pairs, name, counter);
  return { source, document, root, pairs, items: itemsOf(document, name) };
}

/** @throws for what is nested too deeply, or refers to itself too often */
function plainOf(document: Document.Parsed): unknown {
  if (hasManyAliases(document)) throw new RangeError('it has very many aliases');
  return document.toJS() as unknown;
}

function itemsOf(document: Document.Parsed, name: string): unknown[] {
  let value: unknown;
  try {
    value = plainOf(document);
  } catch (error) {
    throw noRegistry(name, 1, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (Array.isArray(value)) return value;
  const items = (value as { readonly items?: unknown } | null)?.items ?? [];
  if (!Array.isArray(items)) throw noRegistry(name, 1, 'has an `items` that is no list');
  return items;
}

function requireVersion(pairs: readonly Pair[], name: string, counter: LineCounter): void {
  for (const pair of pairsNamed(pairs, 'schema_version')) {
    const value = isScalar(pair.value) ? pair.value.value : undefined;
    if (value === null || [0, 1, registryVersion].includes(Number(value))) continue;
    const at = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
    throw noRegistry(name, counter.linePos(at).line, `has a \`schema_version\` other than 1 and ${registryVersion}`);
  }
}

function noRegistry(name: string, line: number, reason: string): Error {
  return fail(
    'conflict',
    `The registry of action items ${name}:${line} ${reason}; nothing was written.`,
    `Mend that line, or put the file aside (mv '${name}' '${name}.old'), then repeat.`,
    { path: name, line },
  );
}

function pairsNamed(pairs: readonly Pair[], key: string): Pair[] {
  return pairs.filter((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** Ways to write it, the plainest first. */
function* candidatesFor(
  registry: Registry,
  entries: readonly RegistryEntry[],
  lineEnd: string,
): Generator<string, void, undefined> {
  const { source, document, root } = registry;
  if (source.replace('\uFEFF', '').trim() === '') {
    const bom = source.startsWith('\uFEFF') ? '\uFEFF' : '';
    yield `${bom}${heading}${lineEnd}${head(lineEnd)}${printAll(entries, { indent: 0, lineEnd })}`;
    return;
  }
  const place: Place = { source, entries, lineEnd };
  if (root !== undefined && root.flow === true && root.items.length === 0) {
    const [from, to] = root.range!;
    const list = block(place, nextLine(source, to), head(lineEnd) + printAll(entries, { indent: 0, lineEnd }));
    yield apply(source, [{ from, to, text: '' }, list]);
    return;
  }
  if (root !== undefined) {
    const version = editVersion(registry, lineEnd);
    for (const edits of editsOfMap(place, registry)) yield apply(source, [...version, ...edits]);
    return;
  }
  const { contents } = document;
  if (!isSeq(contents)) {
    const at = endOfContents(source, contents?.range?.[2] ?? 0);
    yield apply(source, [block(place, at, head(lineEnd) + printAll(entries, { indent: 0, lineEnd }))]);
    return;
  }
  // A bare list: the header comes before it, and its entries stay where they are.
  const start = contents.range![0];
  const column = columnOf(source, start);
  const lead = source.slice(start - column, start);
  if (contents.flow === true) {
    const header = { from: start, to: start, text: `${lead.trim() === '' ? '' : lineEnd}${head(lineEnd).trimEnd()} ` };
    const edits = [header, flowEdit(place, contents.range!, contents.items.length, lastEnd(contents))];
    yield apply(source, edits);
    yield apply(source, [...edits, ...indentLines(source, start, contents.range![1])]);
    return;
  }
  const from = start - column;
  const list = printAll(entries, { indent: column, lineEnd });
  yield apply(source, [
    { from, to: from, text: head(lineEnd) },
    block(place, endOfContents(source, contents.range![2]), list),
  ]);
}

interface Place {
  readonly source: string;
  readonly entries: readonly RegistryEntry[];
  readonly lineEnd: string;
}

function* editsOfMap(place: Place, { root, pairs, source }: Registry): Generator<Edit[], void, undefined> {
  const { entries, lineEnd } = place;
  const items = pairsNamed(pairs, 'items');
  const [pair] = items;
  if (items.length > 1) return;
  const isFlow = root!.flow === true;
  if (pair === undefined) {
    yield isFlow ? [addToFlowMap(root!, `"items": [${flowList(entries)}]`)] : [addItems(place, root!)];
    return;
  }
  const { value } = pair;
  const isLast = pair === pairs.at(-1);
  if (isSeq(value) && value.flow !== true) {
    const indent = columnOf(source, value.range![0]);
    const at = isLast ? endOfContents(source, root!.range![2]) : nextLine(source, value.range![1]);
    yield [block(place, at, printAll(entries, { indent, lineEnd }))];
    return;
  }
  const range = isSeq(value) || isScalar(value) ? value.range! : undefined;
  if (range === undefined) return;
  const isEmpty = !isSeq(value) || value.items.length === 0;
  if (isEmpty && !isFlow) {
    const indent = columnOf(source, root!.range![0]);
    const at = nextLine(source, range[1]);
    const list = block(place, at, printAll(entries, { indent, lineEnd }));
    const from = source[range[0] - 1] === ' ' && range[1] > range[0] ? range[0] - 1 : range[0];
    yield [{ from, to: range[1], text: '' }, list];
  }
  if (isSeq(value)) yield [flowEdit(place, value.range!, value.items.length, lastEnd(value))];
  else yield [{ from: range[0], to: range[1], text: ` [${flowList(entries)}]` }];
}

function addItems(place: Place, root: YAMLMap): Edit {
  const indent = columnOf(place.source, root.range![0]);
  const list = printAll(place.entries, { indent, lineEnd: place.lineEnd });
  const text = `${' '.repeat(indent)}items:${place.lineEnd}${list}`;
  return block(place, endOfContents(place.source, root.range![2]), text);
}

function editVersion({ root, pairs, source }: Registry, lineEnd: string): Edit[] {
  const [first, ...more] = pairsNamed(pairs, 'schema_version');
  if (first === undefined) {
    if (root!.flow === true) return [addToFlowMap(root!, `"schema_version": ${registryVersion}`)];
    const at = root!.range![0];
    const column = columnOf(source, at);
    return [{ from: at, to: at, text: `schema_version: ${registryVersion}${lineEnd}${' '.repeat(column)}` }];
  }
  const removed = more.map((pair) => wholeLine(source, pair));
  const value = isScalar(first.value) ? first.value : undefined;
  if (value === undefined || Number(value.value) === registryVersion) return removed;
  const [from, to] = value.range!;
  return [{ from, to, text: from === to ? ` ${registryVersion}` : String(registryVersion) }, ...removed];
}

function wholeLine(source: string, { key }: Pair): Edit {
  const at = isScalar(key) ? key.range![0] : 0;
  return { from: at - columnOf(source, at), to: nextLine(source, at + 1), text: '' };
}

function addToFlowMap(root: YAMLMap, text: string): Edit {
  const at = root.range![0] + 1;
  return { from: at, to: at, text: `${text}, ` };
}

function flowEdit({ entries }: Place, range: readonly number[], count: number, last: number): Edit {
  const at = count === 0 ? range[0]! + 1 : last;
  return { from: at, to: at, text: `${count === 0 ? '' : ', '}${flowList(entries)}` };
}

function lastEnd({ items }: { readonly items: readonly unknown[] }): number {
  return (items.at(-1) as { readonly range?: readonly number[] } | undefined)?.range?.[1] ?? 0;
}

function flowList(entries: readonly RegistryEntry[]): string {
  return entries.map(printFlowEntry).join(', ');
}

function printAll(entries: readonly RegistryEntry[], style: EntryStyle): string {
  return entries.map((entry) => printBlockEntry(entry, style)).join('');
}

function head(lineEnd: string): string {
  return `schema_version: ${registryVersion}${lineEnd}items:${lineEnd}`;
}

/** Lines at a place where a line begins, or after one that has no end yet. */
function block({ source, lineEnd }: Place, at: number, text: string): Edit {
  const isLineStart = at === 0 || source[at - 1] === '\n' || source[at - 1] === '\uFEFF';
  return { from: at, to: at, text: isLineStart ? text : lineEnd + text };
}

function isExtended(text: string, before: RegistryFacts, entries: readonly RegistryEntry[]): boolean {
  const document = parseDocument(text, { uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return false;
  if (pairsNamed(document.contents.items as Pair[], 'schema_version').length !== 1) return false;
  const after = plainOf(document) as { readonly schema_version?: unknown; readonly items?: unknown };
  if (Number(after.schema_version) !== registryVersion) return false;
  return JSON.stringify(after.items) === JSON.stringify([...before.items, ...entries]);
}
