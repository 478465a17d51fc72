/** Long texts are given to a model in pages, with a mark that says how to go on. */

/** Characters of one page: about 8,000 tokens. */
export const pageLength = 30_000;

/** @param offset in characters, from 0; beyond the end gives a note instead of text */
export function pageOf(text: string, offset = 0): string {
  if (text.length <= pageLength && offset === 0) return text;
  if (offset >= text.length) return `[There is nothing at offset ${offset}: the text has ${text.length} characters.]`;
  const start = beforePair(text, offset);
  const end = beforePair(text, start + pageLength);
  const left = text.length - end;
  const before = start === 0 ? '' : `[From offset ${start}.]\n`;
  const after =
    left === 0 ? '' : `\n[Cut here: ${left} of ${text.length} characters follow. Read on with offset ${end}.]`;
  return `${before}${text.slice(start, end)}${after}`;
}

/** A place that does not part the two halves of one character. */
export function beforePair(text: string, offset: number): number {
  const at = Math.min(offset, text.length);
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1)) && at > 0 ? at - 1 : at;
}
