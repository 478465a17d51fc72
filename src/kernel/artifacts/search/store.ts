/**
 * What search keeps of one project, below `<home>/state/search/<project>/`: never the truth, may be deleted at any moment.
 *
 * | file | what it is |
 * |---|---|
 * | `<n>.text` | folded passages one after the other, added at the end until it is full: `\x1e<source>:<offset>:<length>:<seconds>:<is frontmatter>\x1f<words>\n` |
 * | `<n>.words` | the different words of a full one: whether it is worth looking through |
 * | `sources.jsonl` | a line each time that a source was read or went: where its passages are. The last line of a source counts |
 *
 * Text is written before the line that names it. What a killed process left behind that, the next one cuts off; what
 * does not fit together is thrown away as a whole and made anew. Own writes, not those of `write.ts`: nothing here has to
 * survive a power cut.
 */
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasErrorCode } from '../write.ts';
import { wordsIn } from './words.ts';

/** What is known of a source. */
export interface Source {
  /** In the order in which they were met first; never given twice. */
  readonly n: number;
  readonly key: string;
  readonly title: string;
  /** Milliseconds since 1970: what the source itself says, else when its file changed. */
  readonly atMs: number;
  readonly sign: string;
  readonly inode: number;
  /** Bytes of the file that are dealt with. */
  readonly read: number;
  /** It is not searched, or only its beginning is. */
  readonly isLeftOut: boolean;
  readonly passages: number;
  /** Where its records are: segment, from, to. */
  readonly spans: readonly Span[];
  /** Of its last record: where it begins, and where it begins in the file. Taken back when the file grows. */
  readonly last: { readonly segment: number; readonly from: number; readonly offset: number } | null;
}
export type Span = readonly [segment: number, from: number, to: number];

export interface Index {
  readonly folder: string;
  readonly sources: Map<string, Source>;
  readonly byNumber: Map<number, Source>;
  /** Bytes of each segment that count. */
  readonly lengths: number[];
  /** Of full segments. */
  readonly words: Map<number, Buffer>;
  next: number;
  /** Lines of `sources.jsonl`. */
  lines: number;
  /** Records that wait to be written to the last segment. */
  waiting: { parts: Buffer[]; bytes: number };
  /** Lines that wait for the text to be written. */
  readonly saying: string[];
}

const version = 1;
const listName = 'sources.jsonl';
/** A segment is full from here on: it is read in one piece. Bytes. */
export const fullSegment = 512 * 1024;
/** Of one record. */
export const longestRecord = 64 * 1024;
const writeAt = 256 * 1024;
const mode = 0o600;

export function openIndex(folder: string): Index {
  const index = readIndex(folder);
  if (index !== undefined) return index;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, listName), `${JSON.stringify({ version })}\n`, { mode });
  return emptyIndex(folder);
}

export function dropIndex(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function emptyIndex(folder: string): Index {
  return {
    folder,
    sources: new Map(),
    byNumber: new Map(),
    lengths: [],
    words: new Map(),
    next: 1,
    lines: 1,
    waiting: { parts: [], bytes: 0 },
    saying: [],
  };
}

/** Undefined where nothing is, or nothing that fits together. */
function readIndex(folder: string): Index | undefined {
  try {
    const bytes = readFileSync(join(folder, listName));
    const whole = bytes.lastIndexOf(10) + 1;
    const lines = bytes.toString('utf8', 0, whole).split('\n').slice(0, -1);
    if ((JSON.parse(lines[0] ?? '{}') as { version?: number }).version !== version) return undefined;
    const index = emptyIndex(folder);
    for (const line of lines.slice(1)) takeLine(index, JSON.parse(line) as Source & { readonly gone?: true });
    index.lines = lines.length;
    cutOff(join(folder, listName), whole);
    if (!index.lengths.every((length, n) => cutOff(segmentFile(index, n), length))) return undefined;
    removeEarlyWords(index);
    return index;
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      error instanceof TypeError ||
      hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')
    )
      return undefined;
    throw error;
  }
}

/** What was cut off was full perhaps: it will be full again, with other words. */
function removeEarlyWords(index: Index): void {
  for (const name of readdirSync(index.folder)) {
    const n = /^(\d+)\.words$/.exec(name)?.[1];
    if (n !== undefined && (index.lengths[Number(n)] ?? 0) < fullSegment) rmSync(join(index.folder, name));
  }
}

function takeLine(index: Index, source: Source & { readonly gone?: true }): void {
  const before = index.sources.get(source.key);
  if (before) index.byNumber.delete(before.n);
  index.next = Math.max(index.next, source.n + 1);
  for (const [segment, , to] of source.spans) {
    while (index.lengths.length <= segment) index.lengths.push(0);
    index.lengths[segment] = Math.max(index.lengths[segment]!, to);
  }
  if (source.gone) index.sources.delete(source.key);
  else {
    index.sources.set(source.key, source);
    index.byNumber.set(source.n, source);
  }
}

/** Makes the file as long as it should be. False where it is shorter. */
function cutOff(file: string, length: number): boolean {
  if (!existsSync(file)) return length === 0;
  const fd = openSync(file, 'r+');
  try {
    const size = readSync(fd, Buffer.alloc(1), 0, 1, Math.max(0, length - 1));
    if (length > 0 && size === 0) return false;
    ftruncateSync(fd, length);
    return true;
  } finally {
    closeSync(fd);
  }
}

export function segmentFile({ folder }: Pick<Index, 'folder'>, n: number): string {
  return join(folder, `${n}.text`);
}

/** Adds a record. @returns where it will stand */
export function addRecord(index: Index, record: Buffer): { segment: number; from: number; to: number } {
  const last = index.lengths.length - 1;
  if (last < 0 || index.lengths[last]! >= fullSegment) {
    writeText(index);
    index.lengths.push(0);
  }
  const segment = index.lengths.length - 1;
  const from = index.lengths[segment]!;
  index.waiting.parts.push(record);
  index.waiting.bytes += record.length;
  index.lengths[segment] = from + record.length;
  if (index.waiting.bytes >= writeAt) writeText(index);
  return { segment, from, to: from + record.length };
}

function writeText(index: Index): void {
  const { parts, bytes } = index.waiting;
  if (bytes === 0) return;
  const n = index.lengths.length - 1;
  const fd = openSync(segmentFile(index, n), existsSync(segmentFile(index, n)) ? 'r+' : 'w', mode);
  try {
    const whole = Buffer.concat(parts, bytes);
    for (let done = 0; done < bytes;)
      done += writeSync(fd, whole, done, bytes - done, index.lengths[n]! - bytes + done);
  } finally {
    closeSync(fd);
  }
  index.waiting = { parts: [], bytes: 0 };
}

export function setSource(index: Index, source: Source): void {
  takeLine(index, source);
  index.saying.push(JSON.stringify(source));
}

export function dropSource(index: Index, source: Source): void {
  takeLine(index, { ...source, spans: [], gone: true } as Source & { gone: true });
  index.saying.push(JSON.stringify({ ...source, spans: [], gone: true }));
}

/** Writes what waits: the text, then the lines that name it. */
export function writeIndex(index: Index): void {
  writeText(index);
  if (index.saying.length === 0) return;
  index.lines += index.saying.length;
  const lines = index.saying.splice(0).map((line) => `${line}\n`);
  writeFileSync(join(index.folder, listName), lines.join(''), { flag: 'a', mode });
  if (index.lines > 4 * index.sources.size + 1_000) shorten(index);
}

/** Only the last line of each source is needed. */
function shorten(index: Index): void {
  const lines = [JSON.stringify({ version }), ...[...index.sources.values()].map((source) => JSON.stringify(source))];
  replace(join(index.folder, listName), `${lines.join('\n')}\n`);
  index.lines = lines.length;
}

function replace(file: string, content: string | Buffer): void {
  writeFileSync(`${file}.tmp`, content, { mode });
  renameSync(`${file}.tmp`, file);
}

/** True when less than half of what is kept is still of any source: it is time to make all anew. */
export function isMostlyDead(index: Index): boolean {
  const all = index.lengths.reduce((sum, length) => sum + length, 0);
  let live = 0;
  for (const { spans } of index.sources.values()) for (const [, from, to] of spans) live += to - from;
  return all > 8 * fullSegment && live < all / 2;
}

/** The text of a segment, in `room` where it fits. */
export function readSegmentText(index: Index, n: number, room: Buffer): Buffer {
  const length = index.lengths[n]!;
  const bytes = length <= room.length ? room : Buffer.alloc(length);
  const fd = openSync(segmentFile(index, n), 'r');
  try {
    let done = 0;
    for (let read = 1; read > 0 && done < length; done += read) read = readSync(fd, bytes, done, length - done, done);
    return bytes.subarray(0, done);
  } finally {
    closeSync(fd);
  }
}

/** The different words of a full segment, each with a line end before and behind it; undefined of one that still grows. */
export function segmentWords(index: Index, n: number, room: Buffer): Buffer | undefined {
  if (n === index.lengths.length - 1 && index.lengths[n]! < fullSegment) return undefined;
  const known = index.words.get(n);
  if (known) return known;
  const file = wordsFile(index, n);
  const words = readIfThere(file) ?? wordsIn(readSegmentText(index, n, room));
  index.words.set(n, words);
  if (!existsSync(file)) replace(file, words);
  return words;
}

/** Of full segments that have none yet, so that no question waits for them. */
export function writeWords(index: Index): void {
  const room = Buffer.allocUnsafe(fullSegment + longestRecord);
  for (const n of index.lengths.keys()) if (!existsSync(wordsFile(index, n))) segmentWords(index, n, room);
}

function wordsFile({ folder }: Pick<Index, 'folder'>, n: number): string {
  return join(folder, `${n}.words`);
}

function readIfThere(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    return bytes.length > 0 && bytes.at(-1) === 10 ? bytes : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Projects that something is kept of. */
export function indexNames(home: string): string[] {
  return existsSync(home) ? readdirSync(home) : [];
}
