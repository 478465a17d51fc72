/** An honest answer when nothing was found: what was searched, in how much, and what is there instead. */
import type { Situation } from '../situation.ts';
import { hitsOf, totalsOf } from './evidence.ts';
import { at, bullets, code, codeLine, listed, paragraphs, plural } from './markdown.ts';
import type { Scope } from './scope.ts';
import { grep, grepAllFiles, type Step } from './search.ts';
import { anyStem, type WordSurvey } from './survey.ts';
import { unique } from './words.ts';

export function* nothingFound(situation: Situation, terms: readonly string[], within?: Scope): Step<string> {
  if (terms.length === 0) return 'I have not understood the question: it names nothing that I could search for.';
  if (within !== undefined && within.says !== '') return nothingWithin(terms, within.says);
  const [call] = yield [grepAllFiles(situation)];
  const totals = totalsOf(situation, call);
  const folders = foldersOf((call?.result?.text ?? '').split('\n'));
  const searched = listed(
    unique(terms).map((term) => code(term)),
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

function nothingWithin(terms: readonly string[], where: string): string {
  const searched = listed(
    terms.map((term) => code(term)),
    'or',
  );
  return `I searched for ${searched}${where} only, and found nothing there. Without the folder I search the whole project.`;
}

/** Some words occur, but nothing speaks for an answer: the words, how often they occur, and a few lines, as what they are. */
export function* notUnderstood(situation: Situation, survey: WordSurvey, absentNames: readonly string[]): Step<string> {
  const present = survey.words.filter((word) => word.files > 0);
  const [call] = yield present.length === 0
    ? []
    : [grep(anyStem(present.flatMap((word) => word.roots)), { head_limit: 12 })];
  const rows = hitsOf(situation, call)
    .slice(0, 3)
    .map((hit) => `${at(hit)} ${codeLine(hit.text, 90)}`);
  const counts = [
    ...absentNames.map((name) => `${code(name)} (nowhere)`),
    ...survey.words.map((word) => `*${word.word}* (${word.files === 0 ? 'nowhere' : plural(word.files, 'file')})`),
  ];
  return paragraphs(
    `I have no answer to this: I only search this project, by names and words. I searched for ${listed(counts)}.`,
    rows.length > 0 && `Lines with a word of it, which may have nothing to do with the question:\n\n${bullets(rows)}`,
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
