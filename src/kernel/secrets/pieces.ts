/** Cuts a long text into pieces that are looked through one by one. No secret but a private key spreads over lines. */

/** Characters that are looked through at one go: some milliseconds. */
export const pieceLength = 50_000;
/** More than the longest secret with its name. */
const sightAfter = 16_000;
/** More than stands between a secret and the beginning of the name that announces it. */
const sightBefore = 2000;

/** What begins at `from` or after it, and before `to`, is found here; it is looked for from `seenFrom` up to `seenTo`. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly seenFrom: number;
  readonly seenTo: number;
}

/** Cut at the ends of lines; a line that is too long for that is cut anywhere, and more is seen than the piece. */
export function* piecesOf(text: string): Generator<Piece> {
  let from = 0;
  let seenFrom = 0;
  while (text.length - from > pieceLength) {
    const cut = from + pieceLength;
    const lineEnd = text.slice(cut, cut + sightAfter).indexOf('\n');
    const to = lineEnd === -1 ? cut : cut + lineEnd + 1;
    yield { from, to, seenFrom, seenTo: lineEnd === -1 ? cut + sightAfter : to };
    seenFrom = lineEnd === -1 ? to - sightBefore : to;
    from = to;
  }
  yield { from, to: text.length, seenFrom, seenTo: text.length };
}
