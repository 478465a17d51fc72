/** Text as it may go into a terminal: nothing in it is a command to the terminal. Pure. */
import { wellFormed } from '../../pure/text.ts';

/** Longest text that is taken at all. UTF-16 units. */
export const maxMessageLength = 200_000;

/** What goes into a program that takes a paste as one piece; the rest is put into a file. Bytes of UTF-8. */
export const maxPasteBytes = 64_000;

/** A line that a terminal gathers for a program holds 4,095 bytes; what is more is lost without a word. */
export const maxLineBytes = 3_500;

/** C0 without tab and line feed, DEL, C1. Escape is among them: no sequence is left that could end a paste. */
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** The words with nothing but line feeds and tabs between them, and no blank lines behind them. */
export function cleaned(text: string): string {
  return wellFormed(text).replaceAll(/\r\n?/g, '\n').replaceAll(controls, '').trimEnd();
}

/** For a program that takes every line feed as the end of a message: all in one line. */
export function inOneLine(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll('\n', ' ⏎ ');
}

export interface Cut {
  readonly head: string;
  /** Empty where everything fits. */
  readonly rest: string;
}

/** The longest beginning of at most `maxBytes` of UTF-8, cut where a line or a word ends when one does near the end. */
export function cutToBytes(text: string, maxBytes: number): Cut {
  if (Buffer.byteLength(text) <= maxBytes) return { head: text, rest: '' };
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8Length(character.codePointAt(0)!);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  const tail = text.slice(Math.max(0, end - 200), end);
  const space = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '));
  const at = space > 0 ? end - tail.length + space + 1 : end;
  return { head: text.slice(0, at), rest: text.slice(at) };
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x1_0000 ? 3 : 4;
}

/** What is typed for a message. */
export interface Fitted {
  readonly text: string;
  /** Stands in the file that `text` names; empty where everything fits. */
  readonly rest: string;
}

/** @param restPath where the rest can be read, told in the text when there is one */
export function fitted(text: string, takesPaste: boolean, restPath: string): Fitted {
  const shaped = takesPaste ? text : inOneLine(text);
  const most = takesPaste ? maxPasteBytes : maxLineBytes;
  if (Buffer.byteLength(shaped) <= most) return { text: shaped, rest: '' };
  const word = (characters: number): string => `[… ${characters} characters more are in the file ${restPath}]`;
  const room = most - Buffer.byteLength(word(maxMessageLength)) - 10;
  const { head, rest } = cutByShape(text, takesPaste, room);
  const gap = takesPaste ? '\n\n' : ' ';
  return { text: `${(takesPaste ? head : inOneLine(head)).trimEnd()}${gap}${word(rest.length)}`, rest };
}

/** The rest keeps its lines also where the head loses them. */
function cutByShape(text: string, takesPaste: boolean, room: number): Cut {
  let most = room;
  for (;;) {
    const cut = cutToBytes(text, most);
    const over = Buffer.byteLength(takesPaste ? cut.head : inOneLine(cut.head)) - room;
    if (over <= 0) return cut;
    most -= over;
  }
}

/** Letters and digits alone, in small letters: the same for a text however it was wrapped, framed or marked. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
