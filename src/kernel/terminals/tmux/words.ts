/** The two ways in which tmux writes bytes as text: words of its command language, and the output of a pane. */

const backslash = 0x5c;
const digitZero = 0x30;
/** Stand for themselves between double quotes. Everything else is written as `\ooo`. */
const plain = /^[A-Za-z0-9 _./:,@=+-]$/;
const written = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return plain.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`;
});

/**
 * One word for tmux's command language: whatever stands in it, it stays one word, and nothing in it is a variable, a
 * separator or the end of the line.
 * @throws RangeError for a NUL, which tmux cannot hold
 */
export function tmuxWord(value: string | Uint8Array): string {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  if (bytes.includes(0)) throw new RangeError('a word for tmux cannot hold a NUL');
  let word = '"';
  for (const byte of bytes) word += written[byte]!;
  return `${word}"`;
}

/** One line for the control connection: commands that tmux works off one after the other, with nothing between. */
export function tmuxLine(commands: readonly (readonly (string | Uint8Array)[])[]): string {
  return `${commands.map((words) => words.map(tmuxWord).join(' ')).join(' ; ')}\n`;
}

/** Kept from being read as a format: `#{…}` would be filled in, and `#(…)` run. */
export function withoutFormats(text: string): string {
  return text.replaceAll('#', '##');
}

/** The bytes that a pane wrote, from how `%output` shows them: below a blank, and the backslash, as `\ooo`. */
export function bytesOfOutput(shown: Buffer): Buffer {
  let at = shown.indexOf(backslash);
  if (at === -1) return shown;
  const bytes = Buffer.allocUnsafe(shown.length);
  let from = 0;
  let length = 0;
  while (at !== -1) {
    length += shown.copy(bytes, length, from, at);
    const value = (shown[at + 1]! - digitZero) * 64 + (shown[at + 2]! - digitZero) * 8 + (shown[at + 3]! - digitZero);
    bytes[length++] = value;
    from = at + 4;
    at = shown.indexOf(backslash, from);
  }
  length += shown.copy(bytes, length, from);
  return bytes.subarray(0, length);
}
