/** Search, as it runs on its own thread: texts brought up to date, looked through, ranked, and the best passages read. */
import { join } from 'node:path';
import { fold, placesOf } from './fold.ts';
import { textOf, withoutFields } from './forms.ts';
import { readAt, withPlainFile } from './plain-file.ts';
import { type Ranked, rank } from './rank.ts';
import { refresh, type Refreshed } from './refresh.ts';
import { type Match, needleOf, scan } from './scan.ts';
import type { FindRequest, Found, FoundSource, SearchedProject, Term } from './shapes.ts';
import { dropIndex, fullSegment, indexNames, longestRecord, openIndex, type Source } from './store.ts';
import type { ShelvedFile } from './walk.ts';

/** What the thread holds between two questions; made anew from the files at any time. */
export interface Engine {
  readonly known: Map<string, Pick<Refreshed, 'index' | 'files'>>;
  room: Buffer | undefined;
}

export function createEngine(): Engine {
  return { known: new Map(), room: undefined };
}

interface Opened extends Refreshed {
  readonly project: SearchedProject;
}

/** @throws what the disk says where the search's own files cannot be written */
export function find(engine: Engine, request: FindRequest): Found {
  let left = request.readBytes;
  const opened = request.projects.map((project): Opened => {
    const refreshed = refreshProject(engine, request.home, project, left);
    left = refreshed.unread > 0 ? 0 : left;
    return { ...refreshed, project };
  });
  const kinds = new Set(request.kinds);
  const isAsked = (each: Opened, source: Source): boolean =>
    kinds.size === 0 || kinds.has(each.files.get(source.key)?.kind ?? '');
  const asked = opened.map((each) => {
    const all = [...each.index.sources.values()];
    return kinds.size === 0 ? all : all.filter((source) => isAsked(each, source));
  });
  const sources = asked.flat();
  const searched = {
    sources: sources.length,
    passages: sources.reduce((sum, { passages }) => sum + passages, 0),
    unread: opened.reduce((sum, { unread }) => sum + unread, 0),
    leftOut: sources.filter(({ isLeftOut }) => isLeftOut).length,
  };
  if (request.terms.length === 0) return { hits: [], total: 0, searched };
  const needles = request.terms.map((term) => needleOf(term));
  const room = (engine.room ??= Buffer.allocUnsafeSlow(fullSegment + longestRecord * 4));
  const scanned = opened.map((each) => scan(each.index, needles, (source) => isAsked(each, source), room));
  const ranked = rank(
    opened.map((owner, at) => ({
      owner,
      matches: scanned[at]!.matches,
      titled: asked[at]!.map((source) => [source, titleOf(owner, source)] as const),
    })),
    request.terms,
    request.terms.map((_term, at) => scanned.reduce((sum, { counts }) => sum + counts[at]!, 0)),
    searched.passages,
    request.nowMs,
  );
  const different = withoutTwins(ranked);
  return { hits: readBest(different, request), total: different.length, searched };
}

function refreshProject(
  engine: Engine,
  home: string,
  { name, shelves }: SearchedProject,
  readBytes: number,
): Refreshed {
  const folder = join(home, name);
  const before = engine.known.get(name) ?? { index: openIndex(folder), files: new Map() };
  const refreshed = refresh(before, shelves, readBytes);
  engine.known.set(name, { index: refreshed.index, files: refreshed.files });
  return refreshed;
}

/** Forgets what is kept of projects that are not among these. */
export function keepOnly(engine: Engine, home: string, names: readonly string[]): void {
  for (const name of indexNames(home).filter((each) => !names.includes(each))) {
    engine.known.delete(name);
    dropIndex(join(home, name));
  }
}

/** Of a source that has no title of its own, that of the page which tells it. */
function titleOf({ index, files }: Opened, source: Source): string {
  const file = files.get(source.key);
  const given = file?.shelf.titles?.get(file.id ?? '');
  if (given !== undefined) return given;
  const page = file?.shelf.titleOf?.replaceAll('<id>', file.id ?? '');
  if (page === undefined) return source.title;
  return index.sources.get(page)?.title ?? file?.id ?? source.title;
}

/** What is told in several files, as a record and what was said, is one thing: its best passage stands for it. */
function withoutTwins(ranked: readonly Ranked<Opened>[]): Ranked<Opened>[] {
  const kept = new Map<string, Ranked<Opened>>();
  for (const each of ranked) {
    const file = each.owner.files.get(each.source.key)!;
    const name = JSON.stringify([each.owner.project.name, file.kind, file.id ?? file.key, file.id === null]);
    const before = kept.get(name);
    kept.set(name, before ? { ...before, passages: before.passages + each.passages } : each);
  }
  return [...kept.values()];
}

/** A source that went or changed since is left out, and the next one takes its place. */
function readBest(ranked: readonly Ranked<Opened>[], { terms, limit }: FindRequest): FoundSource[] {
  const hits: FoundSource[] = [];
  for (const each of ranked) {
    if (hits.length >= limit) break;
    const hit = readHit(each, terms);
    if (hit) hits.push(hit);
  }
  return hits;
}

const contextBytes = 400;
/** Where something that may be a key of many lines begins or ends nearby. */
const longContextBytes = 6_000;

function readHit({ owner, source, match, score, passages, atMs }: Ranked<Opened>, terms: readonly Term[]) {
  const file = owner.files.get(source.key);
  const text = file && (match ? readPassage(file, match) : readBeginning(file));
  if (!file || text === undefined) return undefined;
  const title = titleOf(owner, source);
  const folded = [text.text, title].map((each) => fold(each).replaceAll(/\s+/g, ' '));
  if (!folded.some((each) => terms.some((term) => placesOf(each, term, 1).length > 0))) return undefined;
  const { kind, id, path } = file;
  return { project: owner.project.name, kind, id, path, title, atMs, score, passages, ...text };
}

type PassageText = Pick<FoundSource, 'text' | 'before' | 'after'>;

/** Of what is found by its title. */
function readBeginning({ file, shelf: { form } }: ShelvedFile): PassageText | undefined {
  return withPlainFile(file, (fd) => {
    const bytes = withoutFields(readAt(fd, 0, longContextBytes));
    return { text: textOf(form, bytes.subarray(0, 1_000)), before: '', after: textOf(form, bytes.subarray(1_000)) };
  });
}

function readPassage(
  { file, shelf: { form } }: ShelvedFile,
  { offset, length, isFields }: Match,
): PassageText | undefined {
  return withPlainFile(file, (fd) => {
    const text = textOf(form, readAt(fd, offset, length), isFields);
    if (form.kind === 'lines') return { text, before: '', after: '' };
    const from = Math.max(0, offset - longContextBytes);
    const before = around(readAt(fd, from, offset - from).toString('utf8'), -contextBytes);
    const after = around(readAt(fd, offset + length, longContextBytes).toString('utf8'), contextBytes);
    return { text, before, after };
  });
}

function around(text: string, short: number): string {
  if (text.includes('-----')) return text;
  return short < 0 ? text.slice(short) : text.slice(0, short);
}
