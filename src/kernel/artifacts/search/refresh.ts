/** Brings what is kept of a project up to date: what came, grew, changed or went since. */
import { basename } from 'node:path';
import { fold, withoutKeys } from './fold.ts';
import { cut, isBinary, pageFacts, type Passage } from './forms.ts';
import { readAt, withPlainFile } from './plain-file.ts';
import type { Shelf } from './shapes.ts';
import {
  addRecord,
  dropIndex,
  dropSource,
  type Index,
  isMostlyDead,
  longestRecord,
  openIndex,
  setSource,
  type Source,
  type Span,
  writeIndex,
  writeWords,
} from './store.ts';
import { filesOn, type ShelvedFile, type ShelvedFiles } from './walk.ts';

export interface Refreshed {
  readonly index: Index;
  /** What is on the shelves now, by key. */
  readonly files: ShelvedFiles;
  readonly unread: number;
}

const chunkBytes = 512 * 1024;
/** Of a file, no more is searched. Bytes. */
const longestPage = 2 * 1024 * 1024;
const longestTalk = 64 * 1024 * 1024;
/** Of a project, no more is kept. Bytes of text. */
const mostText = 256 * 1024 * 1024;

/** @param readBytes no file is begun once so many bytes were read; at least one is */
export function refresh(
  before: Pick<Refreshed, 'index' | 'files'>,
  shelves: readonly Shelf[],
  readBytes: number,
): Refreshed {
  const index = isMostlyDead(before.index) ? anew(before.index) : before.index;
  const found = shelves.flatMap((shelf) => filesOn(shelf, before.files));
  const files = new Map(found.map((file) => [file.key, file]));
  for (const source of index.sources.values()) if (!files.has(source.key)) dropSource(index, source);
  const changed = found
    .filter((file) => index.sources.get(file.key)?.sign !== file.sign)
    // The newest last: they are looked through first.
    .toSorted((a, b) => a.changedMs - b.changedMs || (a.key < b.key ? -1 : 1));
  let left = readBytes;
  let unread = 0;
  let kept = index.lengths.reduce((sum, length) => sum + length, 0);
  for (const file of changed) {
    if (left <= 0) unread += 1;
    else {
      const source = readSource(index, file, kept > mostText);
      left -= Math.max(1_000, source.read - (index.sources.get(file.key)?.read ?? 0));
      for (const [, from, to] of source.spans) kept += to - from;
      setSource(index, source);
    }
  }
  writeIndex(index);
  if (changed.length > 0) writeWords(index);
  return { index, files, unread };
}

function anew({ folder }: Index): Index {
  dropIndex(folder);
  return openIndex(folder);
}

/** Reads what is new of a file, and adds it to the text. */
function readSource(index: Index, file: ShelvedFile, isFull: boolean): Source {
  const known = index.sources.get(file.key);
  const start = known !== undefined && hasGrown(known, file) ? takenBack(known) : fresh(index, file, known);
  const source = isFull ? undefined : withPlainFile(file.file, (fd, size) => readOn(index, file, start, fd, size));
  return { ...(source ?? { ...start, isLeftOut: true }), sign: file.sign };
}

/** Added to at the end, as it seems: then only the end is read. */
function hasGrown(known: Source, { shelf, inode, size }: ShelvedFile): boolean {
  return shelf.form.kind !== 'page' && known.inode === inode && size >= known.read && known.last !== null;
}

/** Without its last passage, which may have gone on. */
function takenBack(known: Source): Source {
  const { segment, from, offset } = known.last!;
  const spans = known.spans.flatMap((span): Span[] => {
    if (span[0] !== segment || from < span[1] || from >= span[2]) return [span];
    return from === span[1] ? [] : [[span[0], span[1], from]];
  });
  return { ...known, spans, read: offset, passages: known.passages - 1, last: null };
}

function fresh(index: Index, { key, file, changedMs, inode, sign }: ShelvedFile, known: Source | undefined): Source {
  const n = known?.n ?? index.next;
  index.next = Math.max(index.next, n + 1);
  const title = basename(file).replace(/\.md$/i, '');
  const facts = { n, key, title, atMs: changedMs, sign, inode, read: 0, isLeftOut: false, passages: 0 };
  return { ...facts, spans: [], last: null };
}

function readOn(index: Index, file: ShelvedFile, start: Source, fd: number, size: number): Source {
  const { form } = file.shelf;
  const isPage = form.kind === 'page';
  const end = Math.min(size, isPage ? longestPage : longestTalk);
  let source = { ...start, atMs: isPage ? file.changedMs : start.atMs, isLeftOut: size > end };
  for (let offset = source.read; offset < end;) {
    const chunk = readAt(fd, offset, Math.min(chunkBytes, end - offset));
    if (offset === 0 && isBinary(chunk)) return { ...source, isLeftOut: true };
    if (offset === 0 && isPage) source = { ...source, ...known(pageFacts(chunk.toString('utf8'))) };
    const isEnd = chunk.length === 0 || offset + chunk.length >= end;
    const { passages, used } = cut(form, chunk, isEnd, isPage ? undefined : source.atMs);
    for (const passage of passages) source = addPassage(index, source, passage, offset);
    // Nothing of it can be cut: one line that is longer than a chunk. It is passed over.
    offset += used > 0 || isEnd ? used : chunk.length;
    source = { ...source, read: offset };
    if (isEnd) break;
  }
  return source;
}

/** Without what is not known. */
function known<T extends object>(facts: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as never;
}

function addPassage(index: Index, source: Source, { from, to, atMs, isFields, text }: Passage, offset: number): Source {
  const seconds = Math.max(0, Math.floor((atMs ?? source.atMs) / 1000));
  const head = [source.n, offset + from, to - from, seconds, Number(isFields)]
    .map((each) => each.toString(36))
    .join(':');
  const words = withoutKeys(fold(text)).replaceAll(/\s+/g, ' ').trim();
  const record = Buffer.from(`\u001e${head}\u001f${words}`.slice(0, longestRecord) + '\n');
  const place = addRecord(index, record);
  const before = source.spans.at(-1);
  const isNext = before !== undefined && before[0] === place.segment && before[2] === place.from;
  const spans: readonly Span[] = isNext
    ? [...source.spans.slice(0, -1), [before[0], before[1], place.to]]
    : [...source.spans, [place.segment, place.from, place.to]];
  const last = { segment: place.segment, from: place.from, offset: offset + from };
  return { ...source, spans, last, passages: source.passages + 1, atMs: atMs ?? source.atMs };
}
