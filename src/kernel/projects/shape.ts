/**
 * Tolerant reading of a YAML settings file: each entry by itself. A bad one is left out and named with its place;
 * the others count.
 */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair } from 'yaml';
import type { z } from 'zod';
import { nearestOf } from '../pure/nearest.ts';

export type Shape =
  /** One value. `expected` completes "expected …". */
  | { readonly is: 'value'; readonly schema: z.ZodType; readonly expected: string; readonly isSecret?: boolean }
  /** Known fields. Without a required one the whole is left out. */
  | { readonly is: 'fields'; readonly fields: Readonly<Record<string, Shape>>; readonly required?: readonly string[] }
  | { readonly is: 'list'; readonly of: Shape }
  /** Any names that `keys` takes, all with values of one shape. */
  | { readonly is: 'table'; readonly keys: z.ZodType; readonly expectedKeys: string; readonly of: Shape };

export interface Finding {
  readonly offset: number;
  readonly message: string;
}

/** A value that was read, with the place of what it was made from. */
export interface Reading {
  readonly document: Document;
  readonly findings: Finding[];
  /** Offsets of the entries of lists, for checks that compare them. */
  readonly offsets: Map<unknown, number>;
}

/** The value of `node`, or undefined when it had to be left out. `path` is its name for people. */
export function readShape(reading: Reading, shape: Shape, given: unknown, path: string): unknown {
  const node = isAlias(given) ? given.resolve(reading.document) : (given as Node | null | undefined);
  if (shape.is === 'value') return readValue(reading, shape, node, path);
  if (node === undefined || node === null || (isScalar(node) && node.value === null)) {
    return shape.is === 'list' ? [] : shape.is === 'table' ? {} : undefined;
  }
  if (shape.is === 'list') {
    if (!isSeq(node)) return leaveOut(reading, node, path, 'a list, each entry after a `-`');
    const items = node.items.map((item, index) => readShape(reading, shape.of, item, `${path}[${index + 1}]`));
    for (const [index, item] of items.entries()) reading.offsets.set(item, offsetOf(node.items[index]));
    return items.filter((item) => item !== undefined);
  }
  if (!isMap(node)) return leaveOut(reading, node, path, 'fields, as `name: value`');
  const value = Object.fromEntries(
    pairsOf(reading, node.items, path).flatMap((pair) => readPair(reading, shape, pair, path)),
  );
  const missing = shape.is === 'fields' ? shape.required?.find((name) => value[name] === undefined) : undefined;
  if (missing === undefined) return value;
  const isThere = node.has(missing);
  const what = isThere ? `its \`${missing}\` cannot be used` : `the field \`${missing}\` is missing`;
  return note(reading, offsetOf(node), `\`${path}\` is left out: ${what}.`);
}

function readPair(
  reading: Reading,
  shape: Extract<Shape, { is: 'fields' | 'table' }>,
  pair: Pair,
  path: string,
): [string, unknown][] {
  const key = keyOf(pair);
  const name = path === '' ? key : `${path}.${key}`;
  if (shape.is === 'table') {
    if (!shape.keys.safeParse(key).success) {
      note(reading, offsetOf(pair.key), `\`${name}\` is left out: expected ${shape.expectedKeys} as its name.`);
      return [];
    }
  } else if (!Object.hasOwn(shape.fields, key)) {
    const near = nearestOf(key, Object.keys(shape.fields));
    const hint =
      near === undefined ? `Known here: ${Object.keys(shape.fields).join(', ')}.` : `Did you mean \`${near}\`?`;
    note(reading, offsetOf(pair.key), `There is no setting \`${name.slice(0, 100)}\`. ${hint}`);
    return [];
  }
  const inner = shape.is === 'table' ? shape.of : shape.fields[key]!;
  const value = readShape(reading, inner, pair.value, name);
  return value === undefined ? [] : [[key, value]];
}

/** Of a field that stands twice, the first counts. */
function pairsOf(reading: Reading, pairs: readonly Pair[], path: string): Pair[] {
  const seen = new Set<string>();
  return pairs.filter((pair) => {
    const key = keyOf(pair);
    if (!seen.has(key)) return seen.add(key);
    note(
      reading,
      offsetOf(pair.key),
      `\`${path === '' ? key : `${path}.${key}`}\` stands here a second time; the first counts.`,
    );
    return false;
  });
}

function readValue(
  reading: Reading,
  shape: Extract<Shape, { is: 'value' }>,
  node: Node | null | undefined,
  path: string,
): unknown {
  let value: unknown = null;
  try {
    value = node === undefined || node === null ? null : node.toJS(reading.document);
    const parsed = shape.schema.safeParse(value);
    if (parsed.success) return parsed.data;
  } catch {
    // A check that throws has found the setting wrong; the other settings are not to suffer from that.
  }
  return leaveOut(reading, node, path, shape.expected, shape.isSecret === true ? undefined : value);
}

function leaveOut(reading: Reading, node: unknown, path: string, expected: string, value?: unknown): undefined {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const found = isPlain
    ? `is ${
        value === null
          ? 'empty'
          : JSON.stringify(value)
              .replace(/\/\/[^/\s]*@/, '//[kept back]@')
              .slice(0, 80)
      }`
    : 'cannot be used';
  return note(reading, offsetOf(node), `\`${path}\` ${found}; expected ${expected}.`);
}

function note(reading: Reading, offset: number, message: string): undefined {
  reading.findings.push({ offset, message });
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : '';
}

function offsetOf(node: unknown): number {
  return (node as { range?: readonly number[] | null } | null | undefined)?.range?.[0] ?? 0;
}
