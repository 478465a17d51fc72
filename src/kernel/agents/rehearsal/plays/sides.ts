/** One subject in two folders side by side: "compare unions in v3 and in v4", "the difference between v3 and v4". */
import type { Situation } from '../situation.ts';
import { definedName, definitionKind, definitionPattern } from './code.ts';
import { onePerFile } from './explain-name.ts';
import { countsOf, excerptOf, type Hit, hitsOf, kindOfFile, totalsOf } from './evidence.ts';
import { at, bullets, code, codeLine, paragraphs, plural, quoteAt, shortened } from './markdown.ts';
import type { Question } from './question.ts';
import { type Place, resolvePlace } from './scope.ts';
import { grep, grepAllFiles, read, type Step } from './search.ts';
import { anyStem } from './survey.ts';
import { escapePattern, readTerms, rootOf, type Terms, unique } from './words.ts';

/** The two places that a comparison names, as they were written; undefined when it names none. */
export function sidesOf(question: Question): readonly [string, string] | undefined {
  const versions = unique(question.text.match(/(?:[\w.@-]+\/)*\bv\d+\b(?:\/[\w.@/-]*\w)?/g) ?? []);
  if (versions.length >= 2) return [versions[0]!, versions[1]!];
  const folders = question.terms.files.filter((file) => !/\.\w{1,5}$/.test(file));
  if (folders.length >= 2) return [folders[0]!, folders[1]!];
  const pair = /\bin (?:the )?`?([\w@-]+)`? and in (?:the )?`?([\w@-]+)`?/i.exec(question.text);
  return pair === null ? undefined : [pair[1]!, pair[2]!];
}

export function* compareSides(
  situation: Situation,
  question: Question,
  sides: readonly [string, string],
): Step<string> {
  const places: (Place | undefined)[] = [];
  for (const side of sides) places.push(yield* resolvePlace(situation, side));
  const missing = sides.filter((_, i) => places[i] === undefined);
  if (missing.length > 0)
    return `I cannot compare these: there is no folder or file ${missing.map((side) => code(side)).join(' or ')} here.`;
  const terms = subjectOf(question, sides);
  if (terms.names.length + terms.words.length === 0) return yield* compareFolders(situation, places as Place[]);
  const sections: string[] = [];
  for (const place of places) sections.push(yield* sideSection(situation, place!, terms));
  return paragraphs(
    `Side by side, each from its own folder; what the difference means is for the reader to judge.`,
    ...sections,
  );
}

/** What is compared: the terms of the question without the two sides. */
function subjectOf(question: Question, sides: readonly string[]): Terms {
  const terms = readTerms(sides.reduce((text, side) => text.replaceAll(side, ' '), question.text));
  const isFiller = (word: string): boolean =>
    /^(difference|differences|compared?|version|versions|done|folder)$/.test(word);
  return { ...terms, words: terms.words.filter((word) => !isFiller(word)).slice(0, 3) };
}

function* sideSection(situation: Situation, place: Place, terms: Terms): Step<string> {
  const { names, words } = terms;
  const stems = anyStem(words.map((word) => rootOf(word)));
  const form =
    names.length > 0 ? new RegExp(`\\b(?:${names.map(escapePattern).join('|')})(?![\\w$])`, 'i') : new RegExp(stems);
  const pattern =
    names.length > 0
      ? definitionPattern(
          names
            .map(escapePattern)
            .join('|')
            .replace(/^(.*\|.*)$/, '($1)'),
        )
      : definitionPattern(`[\\w$]*(${words.map((word) => rootOf(word)).join('|')})`);
  const [defined, counted] = yield [
    grep(pattern, { '-i': true, path: place.path, head_limit: 150 }),
    grepAllFiles(situation, {
      pattern: names.length > 0 ? names.map((name) => `\\b${escapePattern(name)}\\b`).join('|') : stems,
      path: place.path,
    }),
  ];
  const hits = hitsOf(situation, defined).filter((hit) => {
    const name = definedName(hit.text);
    return name !== undefined && form.test(name) && kindOfFile(hit.path) === 'source';
  });
  const totals = totalsOf(situation, counted);
  const asked = [...names, ...words].map((word) => code(word)).join(', ');
  const title = `### In \`${place.path}${place.kind === 'folder' ? '/' : ''}\``;
  const mentions =
    counted?.result?.isError === true
      ? `${asked}: the lines could not be counted`
      : `${asked}: ${plural(totals?.matches ?? 0, 'line')} in ${plural(totals?.files ?? 0, 'file')}`;
  const best = bestOf(hits, [...names, ...words]);
  if (best === undefined)
    return paragraphs(
      title,
      `${mentions}; no definition bears ${words.length + names.length > 1 ? 'one of them' : 'it'} in its name.`,
    );
  const [answer] = yield [read(best.path, best.line - 12, 80)];
  const excerpt = excerptOf(situation, answer);
  const quote = excerpt === undefined ? undefined : quoteAt(excerpt, best.line, 18);
  const others = onePerFile(hits.filter((hit) => hit.path !== best.path && !/^\s/.test(hit.text))).slice(0, 4);
  return paragraphs(
    title,
    `${mentions}. ${code(definedName(best.text) ?? '')} is at ${at(best)}.`,
    quote?.comment && `“${shortened(quote.comment, 300)}”`,
    quote?.markdown ?? codeLine(best.text),
    others.length > 0 && `Also there:\n\n${bullets(others.map((hit) => `${at(hit)} ${codeLine(hit.text, 80)}`))}`,
  );
}

/** A function or class whose name is little more than the subject comes first. */
function bestOf(hits: readonly Hit[], subject: readonly string[]): Hit | undefined {
  const length = Math.max(1, subject.join('').length);
  const score = (hit: Hit): number => {
    const name = definedName(hit.text) ?? '';
    const kind = definitionKind(hit.text, name);
    const isBody =
      (kind === 'function' && !/;\s*$/.test(hit.text)) || kind === 'class' ? 3 : kind === 'constant' ? 2 : 0;
    const covered = subject.filter((word) => name.toLowerCase().includes(rootOf(word.toLowerCase()))).length;
    return covered * 3 + isBody + Math.min(1, length / Math.max(1, name.length)) * 3 - (/^\s/.test(hit.text) ? 3 : 0);
  };
  return hits.toSorted((a, b) => score(b) - score(a))[0];
}

/** Two folders without a subject: their size, and the files that only one of them has. */
function* compareFolders(situation: Situation, places: readonly Place[]): Step<string> {
  const calls = yield places.map((place) => grepAllFiles(situation, { path: place.path }));
  const files = places.map((place, i) => {
    const own = [...countsOf(situation, calls[i])];
    return new Map(own.map(([path, lines]) => [path.slice(place.path.length + 1), lines]));
  });
  const only = (i: number): string[] => [...files[i]!.keys()].filter((path) => !files[1 - i]!.has(path));
  const tests = (i: number): number => [...files[i]!.keys()].filter((path) => kindOfFile(`/${path}`) === 'test').length;
  const lines = (i: number): number => totalsOf(situation, calls[i])?.matches ?? 0;
  const head = places.map((place) => `\`${place.path}/\``);
  const table = [
    `| | ${head.join(' | ')} |`,
    '|---|---|---|',
    `| files | ${files.map((own, i) => totalsOf(situation, calls[i])?.files ?? own.size).join(' | ')} |`,
    `| of them tests | ${tests(0)} | ${tests(1)} |`,
    `| lines | ${lines(0)} | ${lines(1)} |`,
  ].join('\n');
  const shown = (i: number): string => {
    const own = only(i).filter((path) => kindOfFile(`/${path}`) === 'source');
    const rows = own.toSorted((a, b) => files[i]!.get(b)! - files[i]!.get(a)!).slice(0, 8);
    return rows.length === 0
      ? ''
      : `**Only in ${head[i]}:** ${rows.map((path) => `\`${places[i]!.path}/${path}\` (${plural(files[i]!.get(path)!, 'line')})`).join(', ')}${own.length > 8 ? `, and ${own.length - 8} more` : ''}.`;
  };
  return paragraphs(
    'The two folders side by side, by their files. For one subject in both ask *compare … in the one and in the other*.',
    table,
    shown(0),
    shown(1),
  );
}
