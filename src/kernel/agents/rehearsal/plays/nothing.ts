/** An honest answer when nothing was found: what was searched, in how much, and what is there instead. */
import type { Situation } from '../situation.ts';
import { totalsOf } from './evidence.ts';
import { code, listed, paragraphs, plural } from './markdown.ts';
import { grepCount, type Step } from './search.ts';

export function* nothingFound(situation: Situation, terms: readonly string[]): Step<string> {
  const [call] = yield [grepCount('', { head_limit: 400 })];
  const totals = totalsOf(situation, call);
  const folders = foldersOf((call?.result?.text ?? '').split('\n'));
  const searched = listed(
    terms.map((term) => code(term)),
    'or',
  );
  const scope =
    totals === undefined
      ? 'the files that I can see'
      : `${totals.files === 1 ? 'the only file' : `all ${totals.files} files`} (${plural(totals.matches, 'line')}) that I can see here`;
  return paragraphs(
    `I searched ${scope} for ${searched}, also without regard to case and by the stem of the words, and found nothing.`,
    folders.length > 0 && `What there is: ${folders.slice(0, 8).join(', ')}.`,
    onlyLore((call?.result?.text ?? '').split('\n')),
    'Perhaps the code has another word for it. A name or a file name from the code finds more than a description; *give me an overview* shows where things are.',
  );
}

/** Said where a worker sees no code at all; undefined elsewhere. */
export function onlyLore(rows: readonly string[]): string | undefined {
  const paths = rows.filter((row) => /^.+:\d+$/.test(row));
  return paths.length > 0 && paths.every((row) => row.startsWith('.lore/'))
    ? 'Only `.lore/` is checked out here: this worker sees the artifacts, not the code. A worker with a full checkout sees both.'
    : undefined;
}

/** `folder/` (number of files), the fullest first. */
export function foldersOf(rows: readonly string[]): string[] {
  const paths = rows.flatMap((row) => /^(.+):\d+$/.exec(row)?.[1] ?? []);
  const deep = [1, 2, 3, 4].find((level) => new Set(paths.map((path) => folderOf(path, level))).size > 7) ?? 4;
  return countedFolders(paths, deep);
}

function folderOf(path: string, depth: number): string {
  const parts = path.split('/');
  return parts.length === 1 ? path : `${parts.slice(0, Math.min(depth, parts.length - 1)).join('/')}/`;
}

function countedFolders(paths: readonly string[], depth: number): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = folderOf(path, depth);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  return sorted.map(([folder, count]) =>
    folder.endsWith('/') ? `\`${folder}\` (${plural(count, 'file')})` : `\`${folder}\``,
  );
}
