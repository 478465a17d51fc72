/** An answer about a subject in plain words. */
import type { Situation } from '../situation.ts';
import { definedName, headingOf } from './code.ts';
import { type Excerpt, excerptOf, type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, codeLine, listed, paragraphs, plural, quoteAt, shortened } from './markdown.ts';
import { grep, read, type Step } from './search.ts';
import { anyStem, bestDefinitions, bestLine, hasWord, type WordFinding, type WordSurvey } from './survey.ts';
import { unique } from './words.ts';

/** A subject in plain words: the places where its words come together, read and quoted. */
export function* explainWords(situation: Situation, survey: WordSurvey): Step<string> {
  const files = survey.ranked.filter((file, i) => i < 3 && file.score > survey.ranked[0]!.score / 3);
  const either = anyStem(survey.words.flatMap((word) => word.roots));
  const lines = yield files.map((file) => grep(either, { path: file.path, head_limit: 150 }));
  const inFiles = files.map(
    (file, i) => bestLine(hitsOf(situation, lines[i]), survey.words) ?? { path: file.path, line: 1, text: '' },
  );
  const named = twoBest(survey);
  const elsewhere = inFiles.filter((hit) => !named.some((place) => place.path === hit.path));
  const places = apart([...named, ...elsewhere]).slice(0, 3);
  const reads = yield places.map((place) => read(place.path, place.line - 50, 120));
  const sections = places.flatMap((place, i) => {
    const excerpt = excerptOf(situation, reads[i]);
    return excerpt === undefined ? [] : [sectionFor(excerpt, place)];
  });
  const shown = new Set(places.map((place) => place.path));
  return paragraphs(
    leadFor(survey),
    absentLine(survey),
    ...sections,
    namesLine(survey, places),
    headingsLine(survey, shown),
    nextForWords(survey, sections.length),
  );
}

/** The best definition, and the best one that has to do with another word if there is one. */
function twoBest(survey: WordSurvey): Hit[] {
  const [best, ...others] = bestDefinitions(survey);
  if (best === undefined) return [];
  const covered = survey.words.filter((word) => hasWord(best.text, word));
  const open = survey.words.filter((word) => !covered.includes(word));
  const second = others.slice(0, 8).find((hit) => open.some((word) => hasWord(hit.text, word)));
  return [best, ...((second ?? others[0]) ? [second ?? others[0]!] : [])];
}

/** Without places that would quote the same lines again. */
function apart(places: readonly Hit[]): Hit[] {
  const isNear = (a: Hit, b: Hit): boolean => a.path === b.path && Math.abs(a.line - b.line) < 30;
  return places.filter((place, i) => !places.slice(0, i).some((before) => isNear(before, place)));
}

function leadFor(survey: WordSurvey): string {
  const present = survey.words
    .filter((word) => word.files > 0)
    .map((word) => {
      const roots = word.roots.slice(0, 4).map((root) => `\`${root}\``);
      const files = plural(word.files, 'file');
      return word.isStandIn
        ? `${listed(roots, 'or')} in place of *${word.word}* (${files})`
        : `*${word.word}* (${files})`;
    });
  const [best, second] = survey.ranked;
  const where = `\`${best!.path}\`${second ? ` and \`${second.path}\`` : ''}`;
  if (present.length === 0) return `No text here has the words, but names of files do: ${where}.`;
  const together = present.length > 1 ? 'They come together best in' : 'It has most weight in';
  return `I searched for ${listed(present)}. ${together} ${where}.`;
}

function sectionFor(excerpt: Excerpt, place: Hit): string {
  if (kindOfFile(place.path) === 'docs') return docsSection(excerpt, place);
  const quote = quoteAt(excerpt, place.line, 20, 8);
  const title = quote.name === undefined ? `### In \`${place.path}\`` : `### \`${quote.name}\``;
  return paragraphs(title, quote.comment && `“${shortened(quote.comment, 300)}”`, quote.markdown);
}

/** The heading over the place and the first paragraphs under it. */
function docsSection(excerpt: Excerpt, place: Hit): string {
  const index = Math.min(place.line - excerpt.from, excerpt.lines.length - 1);
  let start = index;
  while (start > 0 && headingOf(excerpt.lines[start] ?? '') === undefined) start -= 1;
  const heading = headingOf(excerpt.lines[start] ?? '');
  let from = heading === undefined ? Math.max(0, index - 2) : start + 1;
  while (from < index && (excerpt.lines[from] ?? '').trim() === '') from += 1;
  const rows = excerpt.lines.slice(from, from + 24);
  const until = rows.findIndex((row, i) => i > 0 && headingOf(row) !== undefined);
  const text = (until < 0 ? rows : rows.slice(0, until)).join('\n').trim().split('\n').slice(0, 14);
  const quoted = text.map((row) => `> ${row}`.trimEnd()).join('\n');
  return paragraphs(
    `### ${heading === undefined ? '' : `“${heading}”, `}\`${place.path}:${excerpt.from + from}\``,
    quoted,
  );
}

function namesLine(survey: WordSurvey, shown: readonly Hit[]): string | undefined {
  const keys = new Set(shown.map((hit) => at(hit)));
  const others = bestDefinitions(survey).filter((hit) => !keys.has(at(hit)));
  if (others.length === 0) return undefined;
  const rows = others.slice(0, 5).map((hit) => `${at(hit)} ${codeLine(hit.text, 80)}`);
  return `**Also named so:**\n\n${bullets(rows)}`;
}

function headingsLine(survey: WordSurvey, shown: ReadonlySet<string>): string | undefined {
  const others = survey.headings.filter((hit) => !shown.has(hit.path)).slice(0, 4);
  if (others.length === 0) return undefined;
  return `**In the documents:** ${others.map((hit) => `“${headingOf(hit.text) ?? hit.text}” (${at(hit)})`).join(', ')}.`;
}

function absentLine(survey: WordSurvey): string | undefined {
  const isInPath = (word: WordFinding): boolean => survey.ranked.some(({ path }) => hasWord(path, word));
  const absent = survey.words.filter((word) => word.isStandIn || (word.files === 0 && !isInPath(word)));
  if (absent.length === 0) return undefined;
  const words = listed(absent.map((word) => `*${word.word}*`));
  return `**Not found:** ${words} ${absent.length > 1 ? 'occur' : 'occurs'} nowhere, whatever the case or ending.`;
}

function nextForWords(survey: WordSurvey, sections: number): string {
  const names = unique(bestDefinitions(survey).flatMap((hit) => definedName(hit.text) ?? []));
  const asks = names.slice(0, 2).map((name) => `how does \`${name}\` work?`);
  const all = sections > 1 ? [...asks, 'tell me more about the second'] : asks;
  return all.length === 0 ? '' : `*Next:* ${listed(all, 'or')}`;
}
