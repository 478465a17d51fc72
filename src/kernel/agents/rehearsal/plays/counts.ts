/** "How many …": counted by the search itself, never by the length of a list that may be cut. */
import type { Situation, SituationCall } from '../situation.ts';
import { countsOf, kindOfFile, totalsOf } from './evidence.ts';
import { bullets, code, paragraphs, plural } from './markdown.ts';
import { lookUpNames } from './names.ts';
import { foldersOf, nothingFound } from './nothing.ts';
import { type Question, subjectsOf } from './question.ts';
import { missingPlace, scopeOf } from './scope.ts';
import { grepAllFiles, type Step } from './search.ts';
import { testTitle } from './tests.ts';
import { mentionsByFile } from './usage.ts';
import { rootOf } from './words.ts';

/** Things that can be counted by a pattern rather than by a name. */
const countable: readonly (readonly [RegExp, string, string])[] = [
  [/\btests?\b/i, testTitle, 'test title'],
  [/\bclass(es)?\b/i, String.raw`^\s*(export |default |abstract )*class \w`, 'class'],
  [/\binterfaces?\b/i, String.raw`^\s*(export |declare )*interface \w`, 'interface'],
  [/\bfunctions?\b/i, String.raw`^\s*(export |default |async |pub )*(function\*?|def|fn|func) \w`, 'function'],
  [/\bexports?\b/i, String.raw`^export\b`, 'export'],
  [/\blines?\b/i, '', 'line'],
];

export function* answerCount(situation: Situation, question: Question): Step<string> {
  const subjects = subjectsOf(question);
  const thing = countable.find(([form]) => form.test(question.text));
  if (/\bfiles?\b/i.test(question.text) && question.terms.names.length === 0)
    return yield* countFiles(situation, question);
  if (thing !== undefined && question.terms.names.length === 0) {
    const scope = yield* scopeOf(situation, question, thing[0]);
    if (scope.missing !== undefined) return missingPlace(scope.missing);
    const within = scope.says.startsWith(' in ') ? scope : { options: {}, says: '' };
    const word = within.says === '' ? question.terms.words.find((candidate) => !thing[0].test(candidate)) : undefined;
    const [call] = yield [grepAllFiles(situation, { pattern: thing[1], ...within.options })];
    return countText(situation, call, thing[2], word === undefined ? '' : rootOf(word), within.says);
  }
  const findings = yield* lookUpNames(situation, subjects);
  const known = findings.filter((finding) => finding.lines > 0);
  if (known.length === 0) return yield* nothingFound(situation, subjects);
  return paragraphs(
    ...known.map((finding) =>
      paragraphs(
        `${code(finding.name)} occurs in **${plural(finding.lines, 'line')}** of ${plural(finding.files, 'file')}${finding.definitions.length > 0 ? `; ${plural(finding.definitions.length, 'line')} of them define${finding.definitions.length === 1 ? 's' : ''} it` : ''}.`,
        mentionsByFile(finding),
      ),
    ),
  );
}

/** Files with text in them: what a search can see. */
function* countFiles(situation: Situation, question: Question): Step<string> {
  const scope = yield* scopeOf(situation, question, /^(files?|there|here|project|code|total)$/i);
  if (scope.missing !== undefined) return missingPlace(scope.missing);
  const within = scope.says.startsWith(' in ') ? scope : { options: {}, says: '' };
  const isTests = /\btest files?\b/i.test(question.text);
  const [call] = yield [grepAllFiles(situation, within.options)];
  const all = [...countsOf(situation, call)].filter(([path]) => !isTests || kindOfFile(path) === 'test');
  const totals = totalsOf(situation, call);
  const isCut = totals !== undefined && totals.files > countsOf(situation, call).size;
  const total = isTests ? all.length : (totals?.files ?? all.length);
  const kinds = new Map<string, number>();
  for (const [path] of all) {
    const ending = /\.(\w+)$/.exec(path)?.[0] ?? 'no ending';
    kinds.set(ending, (kinds.get(ending) ?? 0) + 1);
  }
  const byEnding = [...kinds].toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  return paragraphs(
    `I count **${isTests && isCut ? 'at least ' : ''}${plural(total, isTests ? 'test file' : 'file')}**${within.says}. Empty and binary files, and those that git ignores, are not among them.`,
    byEnding.length > 0 &&
      `**By ending**${isCut ? ` (of the ${all.length} that were listed)` : ''}: ${byEnding.map(([ending, count]) => `\`${ending}\` ${count}`).join(', ')}.`,
    `**By folder**${isCut ? ' (of those listed)' : ''}: ${foldersOf(all.map(([path]) => `${path}:1`))
      .slice(0, 8)
      .join(', ')}.`,
  );
}

function countText(
  situation: Situation,
  call: SituationCall | undefined,
  unit: string,
  word: string,
  where: string,
): string {
  const all = [...countsOf(situation, call)];
  const totals = totalsOf(situation, call);
  const byWord = word === '' ? [] : all.filter(([path]) => path.toLowerCase().includes(word));
  const isByWord = byWord.length > 0;
  const chosen = isByWord ? byWord : all;
  const sum = chosen.reduce((total, [, count]) => total + count, 0);
  const lines = isByWord ? sum : (totals?.matches ?? sum);
  const files = isByWord ? chosen.length : (totals?.files ?? all.length);
  const top = chosen.toSorted((a, b) => b[1] - a[1]).slice(0, 8);
  const many = unit === 'class' ? 'classes' : `${unit}s`;
  const places = isByWord ? `, in paths with \`${word}\`` : where;
  return paragraphs(
    `I count **${plural(lines, unit, many)}** in ${plural(files, 'file')}${places}.`,
    top.length > 0 && `Most of them:\n\n${bullets(top.map(([path, count]) => `\`${path}\`: ${count}`))}`,
    unit !== 'line' && 'Counted by pattern, a line at a time; what is written in an unusual way is missed.',
  );
}
