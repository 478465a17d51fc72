/** A command as a person types it, as the list of words that it is. Pure. */

/** @returns undefined where a quote is not closed. There is no shell: `$` and `*` stand for themselves. */
export function wordsOf(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]!;
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === '"' || char === "'") {
      const end = closingOf(line, at);
      if (end === -1) return undefined;
      const inside = line.slice(at + 1, end);
      word = (word ?? '') + (char === '"' ? inside.replaceAll(/\\(["\\])/g, '$1') : inside);
      at = end;
    } else if (char === '\\' && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + line[at]!;
    } else word = (word ?? '') + char;
  }
  return word === undefined ? words : [...words, word];
}

/** Where the quote at `start` ends; -1 for nowhere. */
function closingOf(line: string, start: number): number {
  const quote = line[start]!;
  for (let at = start + 1; at < line.length; at += 1) {
    if (line[at] === '\\' && quote === '"') at += 1;
    else if (line[at] === quote) return at;
  }
  return -1;
}
