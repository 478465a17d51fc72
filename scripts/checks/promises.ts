/**
 * The promises gate: docs/promises.yaml lists what users may rely on; tests cite its ids in square brackets in their
 * titles. A promise marked `kept` that no live test cites, an id that is cited but not listed, and a doubled id fail.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Citation, parseCitations } from './citations.ts';
import type { Check } from './step.ts';
import { isTest, listFiles } from './tree.ts';

export interface HallPromise {
  readonly id: string;
  readonly promise: string;
  readonly status: 'planned' | 'kept';
  readonly settled?: string;
  /** The section of the list that it stands in: a feature, or a part that all share. */
  readonly part: string;
}

export const promisesFile = 'docs/promises.yaml';
const countLine = /(<!-- promises -->)([^\n]*)(<!-- \/promises -->)/;

export const promisesCheck: Check = {
  name: 'promises',
  holds: 'every kept promise is proved by a test; every cited id exists; the README counts rightly',
  find: async (root) => {
    const promises = readPromises(root);
    const citations = await readCitations(root);
    return [...judgePromises(promises, citations), ...judgeReadme(root, promises)];
  },
};

export function readPromises(root: string): HallPromise[] {
  const parts = parse(readFileSync(join(root, promisesFile), 'utf8')) as Record<string, Omit<HallPromise, 'part'>[]>;
  return Object.entries(parts).flatMap(([part, list]) => list.map((promise) => ({ ...promise, part })));
}

/** Citations of all test files under src, web and test. Skipped and todo tests do not count. */
export async function readCitations(root: string): Promise<Citation[]> {
  const files = (await listFiles(root)).filter((file) => isTest(file) && /^(src|web|test)\//.test(file));
  return files.flatMap((file) => parseCitations(readFileSync(join(root, file), 'utf8'), file));
}

/** True when a citation of `cited` proves `id`: the id itself, or a bare id for its dotted parts. */
export const covers = (cited: string, id: string): boolean => id === cited || id.startsWith(`${cited}.`);

export function judgePromises(promises: readonly HallPromise[], citations: readonly Citation[]): string[] {
  const ids = promises.map(({ id }) => id);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unknown = citations.filter(({ id: cited }) => !ids.some((id) => covers(cited, id)));
  const odd = promises.filter(({ status }) => status !== 'planned' && status !== 'kept');
  const unproved = promises.filter(
    ({ id, status }) => status === 'kept' && !citations.some((citation) => covers(citation.id, id)),
  );
  return [
    ...doubled.map((id) => `${promisesFile}: ${id} is listed twice`),
    ...odd.map(({ id }) => `${promisesFile}: the status of ${id} is neither planned nor kept`),
    ...unknown.map(
      ({ id, file }) => `${file}: cites ${id}, which is not in ${promisesFile}: correct the id, or add the promise`,
    ),
    ...unproved.map(
      ({ id }) => `${promisesFile}: ${id} is kept, but no live test cites [${id}]: write the test, or mark it planned`,
    ),
  ];
}

/** The sentence between the README's markers. */
export function countSentence(promises: readonly HallPromise[]): string {
  const kept = promises.filter(({ status }) => status === 'kept').length;
  return `${kept} of ${promises.length} promises are kept, each proved by a test.`;
}

/** The README's text with the count put right; undefined when it has no markers. */
export function withCount(readme: string, promises: readonly HallPromise[]): string | undefined {
  if (!countLine.test(readme)) return undefined;
  return readme.replace(
    countLine,
    (_all, open: string, _text, close: string) => `${open}${countSentence(promises)}${close}`,
  );
}

function judgeReadme(root: string, promises: readonly HallPromise[]): string[] {
  const path = join(root, 'README.md');
  const readme = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const right = withCount(readme, promises);
  if (right === undefined)
    return ['README.md: no line <!-- promises -->…<!-- /promises -->: add one, then npm run promises -- count'];
  return right === readme ? [] : ['README.md: the count of promises is old: npm run promises -- count'];
}
