/** Bytes of folded text: where words begin, and which there are. */

const newRecord = 0x1e;
const endOfHead = 0x1f;
/** Longer words count by their beginning. */
const longestWord = 48;

/** Letters and digits; beyond ASCII everything is taken for a letter. */
const isWord = Uint8Array.from({ length: 256 }, (_each, byte) =>
  Number((byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80),
);

/** @param at may be before the beginning */
export function isWordByte(bytes: Buffer, at: number): boolean {
  return at >= 0 && isWord[bytes[at]!] === 1;
}

/** Every different word of some records once, a line each, with a line end before the first. */
export function wordsIn(bytes: Buffer): Buffer {
  const found = new Set<string>();
  const { length } = bytes;
  for (let at = 0; at < length;) {
    const byte = bytes[at]!;
    if (byte === newRecord) {
      const end = bytes.indexOf(endOfHead, at);
      at = end === -1 ? length : end + 1;
    } else if (isWord[byte] === 0) at += 1;
    else {
      const start = at;
      let isPlain = true;
      for (; at < length && isWord[bytes[at]!] === 1; at += 1) if (bytes[at]! >= 0x80) isPlain = false;
      found.add(bytes.toString('latin1', start, isPlain ? Math.min(at, start + longestWord) : at));
    }
  }
  return Buffer.from(`\n${[...found].join('\n')}\n`, 'latin1');
}

/** Whether a word begins so. @param word folded; of a phrase any of its words */
export function mayHold(words: Buffer, word: { readonly bytes: Buffer; readonly isInfix: boolean }): boolean {
  const bytes = word.bytes.length > longestWord && !word.isInfix ? word.bytes.subarray(0, longestWord) : word.bytes;
  for (let at = words.indexOf(bytes); at !== -1; at = words.indexOf(bytes, at + 1))
    if (word.isInfix || words[at - 1] === 10) return true;
  return false;
}
