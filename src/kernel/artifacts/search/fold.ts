/**
 * Texts in the form in which they are compared: small letters, without accents. Without Node: what marks words in a
 * snippet folds in the same way.
 */

/** What separates records; in a text they are blanks. */
const reserved = /[\u0000\u001c-\u001f]/g;
const marksOfLetters = /\p{M}+/gu;
const plain = /^[\u0000-\u007f]*$/;
/** Letters that no decomposition makes plain. */
const single: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i' };
/** Quotes, dashes, pictures: beyond ASCII only letters and digits are left. */
const signs = /[^\p{L}\p{N}\u0000-\u007f]/gu;
const singles = /[ßøłđæœı]/g;

export function fold(text: string): string {
  const bare = plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .toLowerCase()
        .normalize('NFKD')
        .replaceAll(marksOfLetters, '')
        .replaceAll(singles, (letter) => single[letter]!)
        .replaceAll(signs, ' ');
  return bare.replaceAll(reserved, ' ');
}

/** Hashes and keys: nobody types all of one, and what is kept of a text should not hold the keys that are in it. */
const long = /[a-z0-9]{24,}/g;
const keptOfLong = 16;

/** A folded text with long words of letters and digits cut to their beginnings. */
export function withoutKeys(folded: string): string {
  return folded.replaceAll(long, (word) => (/\d/.test(word) && /[a-z]/.test(word) ? word.slice(0, keptOfLong) : word));
}

export interface Folded {
  readonly text: string;
  /** For each unit of the folded text, and its end: where it comes from. */
  readonly from: readonly number[];
}

/** The same, remembering for each character where it was. For short texts. */
export function foldWithPlaces(text: string): Folded {
  if (plain.test(text)) return { text: fold(text), from: Array.from({ length: text.length + 1 }, (_each, at) => at) };
  /** A text has few different characters. */
  const known = new Map<string, string>();
  const from: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const bare = known.get(character) ?? fold(character);
    known.set(character, bare);
    folded += bare;
    for (let unit = 0; unit < bare.length; unit += 1) from.push(at);
    at += character.length;
  }
  from.push(at);
  return { text: folded, from };
}

/** In folded text; beyond ASCII nothing but letters and digits is left there. */
function isWordUnit(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code >= 0x80;
}

/** Where a term stands in a folded text. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** Nothing of a word goes on behind it. */
  readonly isWhole: boolean;
}

/** At most `most` places, from left to right. A term begins where a word begins, unless it may stand within one. */
export function placesOf(
  folded: string,
  term: { readonly text: string; readonly isInfix: boolean },
  most = Infinity,
): Place[] {
  const found: Place[] = [];
  const { text, isInfix } = term;
  for (let at = folded.indexOf(text); at !== -1 && found.length < most; at = folded.indexOf(text, at + text.length)) {
    const end = at + text.length;
    if (isInfix || at === 0 || !isWordUnit(folded.charCodeAt(at - 1)))
      found.push({ start: at, end, isWhole: !isWordUnit(folded.charCodeAt(end)) });
  }
  return found;
}
