/** How many columns a character takes: as tmux and the system's own tables have it, which programs count by. */

const noWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
/** East Asian Wide and Fullwidth that are no emoji, by Unicode's EastAsianWidth. First and last of each range. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18aff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f202],
  [0x1f210, 0x1f23b],
  [0x1f240, 0x1f248],
  [0x1f250, 0x1f251],
  [0x20000, 0x3fffd],
];
const softHyphen = 0xad;

const known = new Map<number, 0 | 1 | 2>();

export function columnsOf(codePoint: number): 0 | 1 | 2 {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return 0;
  if (codePoint < 0x300) return 1;
  const before = known.get(codePoint);
  if (before !== undefined) return before;
  const columns = lookUp(codePoint);
  known.set(codePoint, columns);
  return columns;
}

function lookUp(codePoint: number): 0 | 1 | 2 {
  const char = String.fromCodePoint(codePoint);
  if (codePoint !== softHyphen && noWidth.test(char)) return 0;
  // The middle and final parts of Hangul syllables stand in the columns of their first.
  if ((codePoint >= 0x1160 && codePoint <= 0x11ff) || (codePoint >= 0xd7b0 && codePoint <= 0xd7fb)) return 0;
  return emoji.test(char) || wide.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}

/** For `terminal.unicode.register`. */
export const columnTable = {
  version: 'hall',
  wcwidth: columnsOf,
  // Packed as the terminal wants it: bit 0 joins the one before, bits 1 and 2 are the width.
  charProperties: (codePoint: number, preceding: number): number => {
    const columns = columnsOf(codePoint);
    const before = (preceding >> 1) & 3;
    const joins = columns === 0 && before !== 0;
    return ((joins ? before : columns) << 1) | (joins ? 1 : 0);
  },
};
