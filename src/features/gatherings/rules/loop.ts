/** Whether the same, or nearly the same, words go round. Pure. */

export interface Said {
  /** Number of the member. */
  readonly from: number;
  /** Without what it quoted of others. */
  readonly words: string;
}

/** So often has a round to be repeated; so often has one member to say the same again, whatever the others say. */
const repeats = 3;
const ownRepeats = 4;
/** What one alone repeats counts only with so many pairs of words. */
const leastPairs = 4;
/** Messages in a round. */
const longestRound = 8;
/** So many pairs of words of two texts have to be the same, of all that are in either. */
const nearlyAll = 0.85;
/** More of a long text is not looked at. Words. */
const mostWords = 1_500;

/** @param said in order */
export function goesRound(said: readonly Said[]): boolean {
  const texts = said.slice(-longestRound * repeats).map(({ from, words }) => ({ from, ...shapeOf(words) }));
  for (let round = 1; round <= longestRound; round += 1) if (repeatsEvery(texts, round)) return true;
  const last = texts.at(-1);
  const own = texts.filter(({ from }) => from === last?.from).slice(-ownRepeats);
  // A short word, like `Done.`, may be the right answer to each of several questions.
  const isWhole = own.every(({ pairs }) => pairs.size >= leastPairs);
  return own.length === ownRepeats && isWhole && own.slice(1).every((text) => isNearly(text, own[0]!));
}

/** Each of the last ones says what was said one round before. One message alone is no round until it is said four times. */
function repeatsEvery(texts: readonly Shape[], round: number): boolean {
  const wanted = Math.max(ownRepeats, round * repeats);
  if (texts.length < wanted) return false;
  const last = texts.slice(-wanted);
  return last.slice(round).every((text, index) => isNearly(text, last[index]!));
}

interface Shape {
  readonly text: string;
  readonly pairs: ReadonlySet<string>;
}

function shapeOf(words: string): Shape {
  const list = words
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords);
  // What has no letters, like 👍, is taken as it is.
  const text = list.length === 0 ? words.trim() : list.join(' ');
  return { text, pairs: new Set(list.slice(1).map((word, index) => `${list[index]} ${word}`)) };
}

function isNearly(one: Shape, other: Shape): boolean {
  if (one.text === other.text) return true;
  const shared = [...one.pairs].filter((pair) => other.pairs.has(pair)).length;
  const all = one.pairs.size + other.pairs.size - shared;
  return all > 0 && shared / all >= nearlyAll;
}
