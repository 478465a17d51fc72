/** What somebody typed, as terms to look for. */
import { fold, withoutKeys } from './fold.ts';
import type { Term } from './shapes.ts';

/** More words than these say no more. */
const mostTerms = 24;
const longestTerm = 200;
/** They stand in every text; left out where there are others. */
const empty = new Set(
  `a an and are as at be been but by can did do does for from had has have how i if in into is it its me my no not of on or
  our shall should so such than that the their them then there these they this to was we were what when where which who why
  will with would you your`.split(/\s+/),
);
/** Scripts that put no blanks between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const quoted = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»/g;
const words = /[\p{L}\p{N}]+/gu;

/** Words are joined by OR; several in quotes are looked for as they stand there, and not each by itself. */
export function parseQuery(given: string): Term[] {
  const phrases: Term[] = [];
  let rest = given;
  for (const match of given.matchAll(quoted)) {
    const inside = folded(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if ([...inside.matchAll(words)].length < 2) continue;
    phrases.push({ text: inside.slice(0, longestTerm), isPhrase: true, isInfix: unspaced.test(inside) });
    rest = rest.replace(match[0], ' ');
  }
  const single = [...new Set([...folded(rest).matchAll(words)].map(([text]) => text.slice(0, longestTerm)))];
  const telling = single.filter((text) => !empty.has(text) && (text.length > 1 || unspaced.test(text)));
  const kept = telling.length > 0 ? telling : single;
  const terms = kept.map((text) => ({ text, isPhrase: false, isInfix: unspaced.test(text) }));
  return unique([...phrases, ...terms]).slice(0, mostTerms);
}

/** As texts are kept. */
function folded(text: string): string {
  return withoutKeys(fold(text));
}

function unique(terms: readonly Term[]): Term[] {
  return [...new Map(terms.map((term) => [`${term.isPhrase} ${term.text}`, term])).values()];
}
