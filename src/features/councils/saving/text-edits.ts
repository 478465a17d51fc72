/** Changes of a text at places of it, and the lines around a place. */

/** What stands from `from` to `to` becomes `text`. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** All at once; those at one place come to stand in the order in which they are given. */
export function apply(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { from, to, text: instead } of edits.toReversed().toSorted((a, b) => b.from - a.from)) {
    text = text.slice(0, from) + instead + text.slice(to);
  }
  return text;
}

export function columnOf(source: string, at: number): number {
  const lineStart = source.lastIndexOf('\n', at - 1) + 1;
  return at - lineStart - (lineStart === 0 && source.startsWith('\uFEFF') ? 1 : 0);
}

/** Where the line after this place begins; the place itself where one begins there. */
export function nextLine(source: string, at: number): number {
  if (at === 0 || source[at - 1] === '\n') return at;
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end + 1;
}

/** After the line of that place, and the comments and empty lines that follow it. */
export function endOfContents(source: string, at: number): number {
  const blank = /[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/y;
  let end = nextLine(source, at);
  while (end < source.length) {
    blank.lastIndex = end;
    if (!blank.test(source)) break;
    end = blank.lastIndex;
  }
  return end;
}

/** A blank before each line within, the first left out, that begins at the edge. */
export function indentLines(source: string, from: number, to: number): Edit[] {
  const edits: Edit[] = [];
  for (let at = source.indexOf('\n', from); at !== -1 && at < to; at = source.indexOf('\n', at + 1)) {
    if (!/\s/.test(source[at + 1] ?? '\n')) edits.push({ from: at + 1, to: at + 1, text: ' ' });
  }
  return edits;
}
