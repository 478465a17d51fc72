/** Files cut into passages: pieces that one looks at as a whole, and that a hit shows. Never fails, whatever the bytes. */
import type { Form, LinesForm } from './shapes.ts';

export interface Passage {
  /** Bytes, from the beginning of the chunk. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds since 1970; undefined where the passage does not say. */
  readonly atMs: number | undefined;
  /** Of a page, its frontmatter. */
  readonly isFields: boolean;
  readonly text: string;
}

export interface Cut {
  readonly passages: readonly Passage[];
  /** So many bytes are dealt with; the rest belongs to a passage that goes on in the next chunk. */
  readonly used: number;
}

/** A passage ends where it has so many bytes, at the end of a line. */
const usualBytes = 1_500;
/** A line that is longer is cut. */
const longestLine = 6_000;

/**
 * @param isEnd nothing comes behind the chunk now
 * @param since when what the chunk begins with was said, where an entry goes on in it
 */
export function cut(form: Form, chunk: Buffer, isEnd: boolean, since?: number): Cut {
  const lines = chunk.lastIndexOf(10) + 1;
  if (form.kind === 'lines') return cutLines(form, chunk, lines);
  const end = isEnd || lines === 0 ? chunk.length : lines;
  const isHeading = form.kind === 'talk' ? new RegExp(form.heading, 'u') : /^#{1,6} /;
  const passages: Passage[] = [];
  let atMs = since;
  let from = 0;
  const fields = form.kind === 'page' ? endOfFields(chunk) : 0;
  const close = (to: number): void => {
    const isFields = to <= fields;
    const text = textOf(form, chunk.subarray(from, to), isFields);
    if (/[\p{L}\p{N}]/u.test(text)) passages.push({ from, to, atMs, isFields, text });
    from = to;
  };
  for (let line = 0; line < end;) {
    const next = lineEnd(chunk, line, end);
    const head = isHeading.exec(chunk.toString('utf8', line, Math.min(next, line + 200)).trimEnd());
    if (head && line > from) close(line);
    if (head && form.kind === 'talk') atMs = timeOf(head.groups?.['at']) ?? atMs;
    if (next - from >= usualBytes || next === fields) close(next);
    line = next;
  }
  // The last one may go on; where nothing closed within a whole chunk it is taken as it is.
  if (isEnd || from === 0) close(end);
  return { passages, used: from };
}

/** Behind the frontmatter, where the chunk begins with one: what is found in the text is shown without it. */
function endOfFields(chunk: Buffer): number {
  if (!/^---\r?\n/.test(chunk.toString('latin1', 0, 5))) return 0;
  const closing = chunk.indexOf('\n---', 3);
  const end = closing === -1 ? -1 : chunk.indexOf(10, closing + 1);
  return end + 1;
}

/** Behind the line's end, or where a very long line is cut: between two characters. */
function lineEnd(chunk: Buffer, start: number, end: number): number {
  const feed = chunk.indexOf(10, start);
  const next = feed === -1 || feed >= end ? end : feed + 1;
  if (next - start <= longestLine) return next;
  let at = start + longestLine;
  while (at > start + 1 && (chunk[at]! & 0xc0) === 0x80) at -= 1;
  return at;
}

interface Line {
  readonly tag: string;
  readonly words: readonly string[];
  readonly atMs: number | undefined;
}

function cutLines(form: LinesForm, chunk: Buffer, end: number): Cut {
  const passages: Passage[] = [];
  let from = 0;
  let open: { tag: string; words: string[]; atMs: number | undefined } | undefined;
  const close = (to: number): void => {
    const text = open?.words.join('') ?? '';
    if (open && /[\p{L}\p{N}]/u.test(text)) passages.push({ from, to, atMs: open.atMs, isFields: false, text });
    open = undefined;
    from = to;
  };
  for (let at = 0; at < end;) {
    const next = chunk.indexOf(10, at) + 1;
    const line = readLine(form, chunk.toString('utf8', at, next - 1));
    const goesOn = open !== undefined && line?.tag === open.tag && form.joined.includes(line.tag);
    if (open && (!goesOn || at - from >= usualBytes)) close(at);
    if (line && open) open.words.push(...line.words);
    else if (line) [open, from] = [{ tag: line.tag, words: [line.words.join('\n')], atMs: line.atMs }, at];
    at = next;
  }
  close(end);
  return { passages, used: end };
}

/** Undefined for a line without words. */
function readLine({ lead = '', tag, texts, at }: LinesForm, source: string): Line | undefined {
  if (!source.startsWith(lead)) return undefined;
  const value = parsed(source.slice(lead.length));
  const word = tag === '' ? '' : textAt(value, tag);
  const fields = word === undefined || !Object.hasOwn(texts, word) ? undefined : texts[word];
  if (word === undefined || fields === undefined) return undefined;
  const words = fields.flatMap((field) => textAt(value, field) ?? []);
  return words.length === 0
    ? undefined
    : { tag: word, words, atMs: at.map((field) => timeOf(textAt(value, field))).find(Boolean) };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    // A line that was cut off, or that somebody else wrote: it has no words.
    return undefined;
  }
}

function textAt(value: unknown, path: string): string | undefined {
  let held = value;
  for (const name of path.split('.')) {
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, name)) return undefined;
    held = (held as Record<string, unknown>)[name];
  }
  return typeof held === 'string' ? held : undefined;
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isFinite(ms) ? ms : undefined;
}

/** The words in a passage's bytes. */
export function textOf(form: Form, bytes: Buffer, isFields = false): string {
  if (form.kind === 'lines')
    return cutLines(form, bytes, bytes.lastIndexOf(10) + 1)
      .passages.map(({ text }) => text)
      .join('\n');
  const text = bytes.toString('utf8');
  if (form.kind === 'page') return isFields ? valuesIn(text) : text;
  const [heading, skip] = [new RegExp(form.heading, 'u'), new RegExp(form.skip, 'u')];
  return text
    .split('\n')
    .filter((line) => !heading.test(line) && !skip.test(line))
    .join('\n');
}

/** Fields as a reader wants them: their values. The title stands over a hit anyway. */
function valuesIn(fields: string): string {
  const values = fields.split('\n').flatMap((line) => {
    // One step after the other: a pattern for all of it goes over a long line again from each of its blanks.
    const begun = line.replace(/^[\s-]+/, '');
    const value = begun.replace(/^[A-Za-z_][\w-]*:(?=\s|$)/, '').trim();
    const bare = value.replace(/^(?:[|>][+-]?|\[\]|\{\})$/, '').replace(/^["'[](.*)["'\]]$/s, '$1');
    return bare.trim() === '' || /^title:\s/.test(line) ? [] : [bare.trim()];
  });
  return values.join(' · ');
}

/** The beginning of a page without its frontmatter. */
export function withoutFields(beginning: Buffer): Buffer {
  return beginning.subarray(endOfFields(beginning));
}

const frontmatter = /^---\r?\n(.{0,100000}?)\r?\n---\r?(?:\n|$)/s;

export interface PageFacts {
  readonly title: string | undefined;
  readonly atMs: number | undefined;
}

/** What the beginning of a page says of itself. As far as a search needs it: no YAML is read. */
export function pageFacts(beginning: string): PageFacts {
  const fields = beginning.startsWith('---') ? (frontmatter.exec(beginning)?.[1] ?? '') : '';
  const field = (name: string): string | undefined =>
    unquoted(new RegExp(`^${name}:[ \\t]+(.{1,500})`, 'm').exec(fields)?.[1]);
  const heading = /^# +(.{1,500})/m.exec(beginning)?.[1]?.replace(/[ #]+$/, '');
  return { title: field('title') ?? unquoted(heading), atMs: timeOf(field('date')) };
}

function unquoted(text: string | undefined): string | undefined {
  const bare = text
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
  return bare === undefined || bare === '' ? undefined : bare;
}

/** It is no text: other encodings have zeros between their letters. */
export function isBinary(beginning: Buffer): boolean {
  return beginning.subarray(0, 8_192).includes(0);
}
