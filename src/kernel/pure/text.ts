/** Texts as any file can keep them, and their beginnings. Pure; applied twice, each changes nothing more. */

/** Half of a surrogate pair cannot be written as UTF-8; U+FFFD stands for it, as in any UTF-8 encoder. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

/** The text, or its beginning with a word on how long it is; never more than `limit` characters. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = `… (${text.length} characters in all)`;
  return `${wellFormed(text.slice(0, limit - mark.length))}${mark}`;
}
