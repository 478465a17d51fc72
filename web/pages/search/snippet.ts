/** A passage that was found, cut so that the first word that was looked for is in sight. Pure. */
export interface Snippet {
  readonly text: string;
  /** Where the words stand in it: from, to. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

/** So much stands before the first word, where something is cut off. Characters. */
const before = 60;

/** In order; together the passage, from a word some way before the first mark. */
export function piecesOf({ text, marks }: Snippet): Piece[] {
  const first = marks[0]?.[0] ?? 0;
  const from = first <= before ? 0 : text.indexOf(' ', first - before) + 1;
  const pieces: Piece[] = from === 0 ? [] : [{ text: '…', isMark: false }];
  let at = from;
  for (const [start, end] of marks) {
    pieces.push({ text: text.slice(at, start), isMark: false }, { text: text.slice(start, end), isMark: true });
    at = end;
  }
  return [...pieces, { text: text.slice(at), isMark: false }].filter((piece) => piece.text !== '');
}
