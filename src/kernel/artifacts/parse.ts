/** Artifact text → frontmatter and body. Never throws: what cannot be read becomes a problem with its place. */
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, visit } from 'yaml';
import { fail } from '../pure/errors.ts';
import { hasManyAliases, manyAliases } from './aliases.ts';

export interface Problem {
  readonly file: string;
  /** 1, 2, 3 … within the file. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ArtifactDocument {
  readonly frontmatter: Record<string, unknown>;
  /** Everything after the closing line of the frontmatter, byte for byte. */
  readonly body: string;
  readonly problems: readonly Problem[];
  readonly source: string;
}

/** A place in a YAML text, from 1, and what is wrong there. */
export interface YamlProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface YamlFields {
  readonly document: Document.Parsed;
  readonly fields: Record<string, unknown>;
  /** With these the text must not be edited. */
  readonly errors: readonly YamlProblem[];
  readonly warnings: readonly YamlProblem[];
  /** Line and column of an offset. */
  readonly placeOf: (offset: number) => { line: number; column: number };
}

export type ArtifactParts =
  | { readonly kind: 'none'; readonly bom: string; readonly body: string }
  | { readonly kind: 'unclosed'; readonly bom: string; readonly body: string }
  /** `bom + open + yaml + close + body` is the source. */
  | {
      readonly kind: 'frontmatter';
      readonly bom: string;
      readonly open: string;
      readonly yaml: string;
      readonly close: string;
      readonly body: string;
    };

const openingFence = /^---[ \t]*(?:\r?\n|$)/;
const closingFence = /(?<=^|\n)---[ \t]*(?:\r?\n|$)/;
const maxProblems = 20;
/** A longer frontmatter is not read: hostile text of this length already takes seconds. */
export const maxYamlLength = 2 * 1024 * 1024;

/**
 * Reads the text of an artifact. A broken frontmatter still gives the fields that could be read.
 * @param file the name that problems carry
 */
export function parseArtifact(source: string, file: string): ArtifactDocument {
  const parts = splitArtifact(source);
  if (parts.kind === 'none') return { frontmatter: {}, body: parts.body, problems: [], source };
  if (parts.kind === 'unclosed') {
    const message = 'The frontmatter that begins here has no closing line `---`.';
    return { frontmatter: {}, body: parts.body, problems: [{ file, line: 1, column: 1, message }], source };
  }
  const { fields, errors, warnings } = recallYamlFields(parts.yaml);
  const problems = [...errors, ...warnings].slice(0, maxProblems);
  return {
    frontmatter: structuredClone(fields),
    body: parts.body,
    // The YAML begins in the second line of the file.
    problems: problems.map(({ line, column, message }) => ({ file, line: line + 1, column, message })),
    source,
  };
}

export function splitArtifact(source: string): ArtifactParts {
  const bom = source.startsWith('\ufeff') ? '\ufeff' : '';
  const text = source.slice(bom.length);
  const open = openingFence.exec(text)?.[0];
  if (open === undefined) return { kind: 'none', bom, body: text };
  const rest = text.slice(open.length);
  const close = closingFence.exec(rest);
  if (close === null) return { kind: 'unclosed', bom, body: text };
  const yaml = rest.slice(0, close.index);
  return { kind: 'frontmatter', bom, open, yaml, close: close[0], body: rest.slice(close.index + close[0].length) };
}

/** Reads a YAML text that should be a map of fields. Never throws. */
export function readYamlFields(yaml: string): YamlFields {
  const lines = new LineCounter();
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (yaml.length > maxYamlLength) return unreadable(`It has more than ${maxYamlLength} characters.`, placeOf);
  try {
    // Keys are checked below: the library's own check takes quadratic time.
    const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' } as const;
    const document = parseDocument(yaml, options);
    const errors = document.errors.map(({ pos, message }) => ({ ...placeOf(pos[0]), message: plainMessage(message) }));
    if (hasManyAliases(document)) return unreadable(manyAliases, placeOf);
    const { found, values } = valuesOf(document);
    for (const { offset, message } of found) errors.push({ ...placeOf(offset), message });
    const warnings = document.warnings.map(({ pos, message }) => ({ ...placeOf(pos[0]), message }));
    return { document, fields: Object.fromEntries(values), errors, warnings, placeOf };
  } catch (error) {
    return unreadable(plainMessage(String(error)), placeOf);
  }
}

/** So many texts are remembered, and none that is longer. Characters. */
const maxRemembered = 12;
const maxRememberedLength = 100_000;
const remembered = new Map<string, YamlFields>();

/**
 * The same for a text that was read a moment ago, as happens several times at each change of an artifact. What it gives
 * belongs to others, too: neither its document nor its fields may be changed.
 */
export function recallYamlFields(yaml: string): YamlFields {
  const known = remembered.get(yaml);
  if (known !== undefined) return known;
  const read = readYamlFields(yaml);
  if (yaml.length > maxRememberedLength) return read;
  remembered.set(yaml, read);
  for (const oldest of [...remembered.keys()].slice(0, Math.max(0, remembered.size - maxRemembered))) {
    remembered.delete(oldest);
  }
  return read;
}

function unreadable(message: string, placeOf: YamlFields['placeOf']): YamlFields {
  return { document: parseDocument(''), fields: {}, errors: [{ line: 1, column: 1, message }], warnings: [], placeOf };
}

function plainMessage(message: string): string {
  return /call stack|string length/i.test(message) ? 'It is nested too deeply.' : message.slice(0, 200);
}

interface Finding {
  readonly offset: number;
  readonly message: string;
}

function valuesOf(document: Document.Parsed): { found: Finding[]; values: [string, unknown][] } {
  const { contents } = document;
  const values: [string, unknown][] = [];
  if (contents === null) return { found: [], values };
  if (!isMap(contents)) {
    const message = 'Fields were expected here, as `name: value`.';
    return { found: document.errors.length > 0 ? [] : [{ offset: contents.range[0], message }], values };
  }
  const found = duplicateKeys(document).map((offset) => ({ offset, message: 'This field stands here a second time.' }));
  for (const pair of contents.items as Pair[]) {
    const value = valueOfPair(pair, document);
    if ('message' in value) found.push(value);
    else values.push([keyOfPair(pair), value.value]);
  }
  return { found, values };
}

/** @throws `too_large` for a frontmatter that would not be read back */
export function requireReadableLength(yaml: string): void {
  if (yaml.length <= maxYamlLength) return;
  throw fail(
    'too_large',
    `The frontmatter would have ${yaml.length} characters; at most ${maxYamlLength} are taken.`,
    'Put long text into the body, or into a file of its own.',
  );
}

/** The field's name. */
export function keyOfPair(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value ?? '') : '';
}

function valueOfPair(pair: Pair, document: Document): { value: unknown } | Finding {
  const node = pair.value as { toJS(document: Document): unknown; range?: number[] } | null;
  if (!isScalar(pair.key))
    return { offset: node?.range?.[0] ?? 0, message: 'The name of this field is no plain text.' };
  if (node === null) return { value: null };
  try {
    const value = node.toJS(document);
    // A list that contains itself, and what is nested too deeply, would break whoever prints the value.
    JSON.stringify(value);
    return { value };
  } catch (error) {
    const reason = /circular/.test(String(error)) ? 'It contains itself.' : plainMessage(String(error));
    return { offset: node.range?.[0] ?? 0, message: `The value cannot be read: ${reason}` };
  }
}

/** Offsets of keys that stand in their map already. */
function duplicateKeys(document: Document): number[] {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const pair of map.items) {
        if (!isScalar(pair.key)) continue;
        if (seen.has(keyOfPair(pair))) offsets.push(pair.key.range?.[0] ?? 0);
        seen.add(keyOfPair(pair));
      }
    },
  });
  return offsets;
}
