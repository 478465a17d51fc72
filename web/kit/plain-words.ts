/** Words of Markdown where there is room for plain ones alone. Pure. */

/** Without the signs of emphasis and code; words and lines stay. */
export function plainWords(markdown: string): string {
  return markdown.replaceAll(/`+|\*{1,3}|(?<=^|\s)_|_(?=$|[\s.,;:!?])/g, '');
}

/** The first line that says something, without the signs that begin a heading, a quotation or a list. */
export function firstLine(markdown: string): string {
  const line = markdown.split('\n').find((each) => each.trim() !== '') ?? '';
  return plainWords(line.replace(/^[#>*\s-]+/, '')).trim();
}
