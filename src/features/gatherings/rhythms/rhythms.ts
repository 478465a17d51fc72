/** Rhythms: the hall's own, and files of the person in the home, which win. Never of a repository. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { HomePaths } from '../../../kernel/projects/home.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import type { RhythmList, RhythmView } from '../contract/gathering-views.ts';
import { parseRhythm } from './parse.ts';

export interface RhythmsContext {
  readonly home: Pick<HomePaths, 'root'>;
  /** Folder of those that come with the program; absolute. */
  readonly shippedRhythms: string;
}

/** A trail has the name of its rhythm: it is a part of paths in repositories. */
const fileName = /^(?<name>[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)\.md$/;
const maxBytes = 64 * 1024;

export function rhythmsFolder({ home }: RhythmsContext): string {
  return join(home.root, 'rhythms');
}

/** By name. A file that cannot be understood is told among the problems, and hides the hall's own of that name. */
export async function listRhythms(ctx: RhythmsContext): Promise<RhythmList> {
  const places = await placesOf(ctx);
  const read = await Promise.all(
    [...places.values()].map(async (place) => {
      try {
        return { rhythm: await readRhythm(place) };
      } catch (error) {
        return { problem: errorFactsOf(error).message };
      }
    }),
  );
  return {
    rhythms: read.flatMap(({ rhythm }) => rhythm ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    problems: read.flatMap(({ problem }) => problem ?? []).toSorted(),
  };
}

/** @throws `not_found`, with the names that there are; `invalid` with file and line for one that cannot be understood */
export async function requireRhythm(ctx: RhythmsContext, name: string): Promise<RhythmView> {
  const places = await placesOf(ctx);
  const place = places.get(name.trim().toLowerCase().replace(/\.md$/, ''));
  if (place !== undefined) return await readRhythm(place);
  const names = [...places.keys()].toSorted();
  throw fail(
    'not_found',
    `There is no rhythm ${JSON.stringify(name.slice(0, 100))}; there are: ${names.join(', ')}.`,
    `${didYouMean(name, names)}One of your own is a file ${rhythmsFolder(ctx)}/<name>.md. See: guild-hall gathering rhythms`,
    { known: names },
  );
}

interface Place {
  readonly name: string;
  readonly path: string;
  readonly source: RhythmView['source'];
}

async function placesOf(ctx: RhythmsContext): Promise<Map<string, Place>> {
  const shipped = await placesIn(ctx.shippedRhythms, 'hall');
  const own = await placesIn(rhythmsFolder(ctx), 'person');
  return new Map([...shipped, ...own].map((place) => [place.name, place]));
}

async function placesIn(folder: string, source: Place['source']): Promise<Place[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  return names.flatMap((file) => {
    const name = fileName.exec(file)?.groups?.['name'];
    return name === undefined ? [] : [{ name, path: join(folder, file), source }];
  });
}

async function readRhythm({ name, path, source }: Place): Promise<RhythmView> {
  return { name, source, ...parseRhythm(await readText(path), path, name) };
}

async function readText(path: string): Promise<string> {
  // A link to nothing is no file either.
  const facts = await stat(path).catch(() => undefined);
  const bytes = facts?.isFile() === true && facts.size <= maxBytes ? await readFile(path) : undefined;
  if (bytes !== undefined && isUtf8(bytes)) return bytes.toString('utf8');
  throw fail(
    'invalid',
    `The rhythm ${path} cannot be used: it is no file of UTF-8 text of at most ${maxBytes} bytes.`,
    'Write it anew as a short Markdown file, or move it away: then the hall’s own of that name is used.',
    { file: path },
  );
}
