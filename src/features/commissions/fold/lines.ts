/** Short forms of long texts. Pure; applied twice, each changes nothing more. */

/** Without halves of surrogate pairs: no file could keep them. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** The text, or its beginning with a word on how long it is; never more than `limit` characters. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `… (${text.length} characters in all)`;
  return `${wellFormed(text.slice(0, limit - mark.length))}${mark}`;
}
