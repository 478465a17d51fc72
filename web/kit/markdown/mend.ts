/**
 * While words arrive, marks stand alone for a moment: `**bo`, `[text](htt`, the first line of a table. Shown as they
 * are they would flicker; so the tail is shown as if they were closed already, or not begun yet. Pure.
 */
import { readFence } from './blocks.ts';

/** @param source the last block of a text that grows */
export function mendTail(source: string): string {
  if (readFence(`${source}\n`)?.end === null) return withoutLastLine(source, /^ {0,3}(?:`+|~+)$/);
  const settled = withoutLastLine(
    source,
    /^\s*(?:>\s*)*(?:#{1,6}|[-+*]|\d{1,9}[.)]?|`{1,2}|~{1,2}|(?:`{3,}|~{3,})[\w+-]*|[-=_*]{2,}|>|\|)[ \t]*$/,
  );
  const begin = beginOfParagraph(settled);
  const paragraph = settled.slice(begin);
  return settled.slice(0, begin) + (isTableHead(paragraph) ? '' : closeMarks(paragraph));
}

/** A line of which nothing but its mark is there may become anything. */
function withoutLastLine(source: string, mark: RegExp): string {
  const begin = source.lastIndexOf('\n') + 1;
  return mark.test(source.slice(begin)) ? source.slice(0, begin) : source;
}

/** Emphasis does not go over the lines at which blocks begin. */
function beginOfParagraph(source: string): number {
  const starts = [...source.matchAll(/(?:^|\n)(?:[ \t]*\n)*[ \t]*(?:(?:[-+*]|\d{1,9}[.)]|#{1,6}|>)[ \t]+)*/g)].filter(
    ([mark], nth) => nth === 0 || /\n[ \t]*\n|[-+*.)#>]/.test(mark),
  );
  const last = starts.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** Until the line under it is there, the head of a table is a paragraph full of bars. */
function isTableHead(paragraph: string): boolean {
  const lines = paragraph.split('\n');
  return lines.length < 3 && lines.every((line) => line.startsWith('|') || line === '');
}

interface Scan {
  readonly open: string[];
  /** What is shown so far. */
  shown: string;
  /** Where in `shown` the text of each link begins that is not closed. */
  readonly brackets: number[];
}

function closeMarks(text: string): string {
  const scan: Scan = { open: [], shown: '', brackets: [] };
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const token = /^(?:\\[^]|`+|!?\[|\](?:\(|$)|\*+|_+|~~|[^\\`![\]*_~]+|[^])/.exec(rest)![0];
    at += step(scan, text, at, token);
  }
  const space = /\s*$/.exec(scan.shown)![0];
  return scan.shown.slice(0, scan.shown.length - space.length) + scan.open.toReversed().join('') + space;
}

/** @returns how many characters are dealt with */
function step(scan: Scan, text: string, at: number, token: string): number {
  const rest = text.slice(at + token.length);
  if (token.startsWith('`')) return stepCode(scan, token, rest);
  if (token === '[' || token === '![') {
    if (!/\]/.test(rest)) {
      // Of an image nothing is shown before it is whole; of a link its text.
      return token === '![' ? text.length - at : token.length;
    }
    scan.brackets.push(scan.shown.length);
  } else if (token === '](' || token === ']') {
    return stepLink(scan, token, rest);
  } else if (/^[*_]|^~~$/.test(token)) {
    return stepEmphasis(scan, text, at, token);
  } else if (token === '~' && rest === '') {
    return 1;
  }
  scan.shown += token;
  return token.length;
}

function stepCode(scan: Scan, token: string, rest: string): number {
  const end = new RegExp(`(?<!\`)${token}(?!\`)`).exec(rest);
  if (end !== null) {
    const whole = token + rest.slice(0, end.index) + token;
    scan.shown += whole;
    return whole.length;
  }
  const code = rest.replace(/`+$/, '');
  if (code !== '') scan.shown += token + code + token;
  return token.length + rest.length;
}

function stepLink(scan: Scan, token: string, rest: string): number {
  const begin = scan.brackets.pop();
  const target = token === '](' ? /^[^\s)]*(?:\s+"[^"]*")?\)/.exec(rest)?.[0] : undefined;
  if (target !== undefined || begin === undefined || (token === ']' && rest !== '')) {
    scan.shown += token + (target ?? '');
    return token.length + (target?.length ?? 0);
  }
  if (token === '](' && /\s\S/.test(rest)) {
    // No address has a space in it: these are words in brackets.
    scan.shown += token;
    return token.length;
  }
  const isImage = scan.shown.startsWith('![', begin);
  const words = scan.shown.slice(begin).replace(/^!?\[/, '');
  scan.shown = scan.shown.slice(0, begin) + (isImage ? '' : words);
  return token.length + rest.length;
}

function stepEmphasis(scan: Scan, text: string, at: number, token: string): number {
  const before = text[at - 1] ?? ' ';
  const after = text[at + token.length];
  const isWithinWord = token.startsWith('_') && /\w/.test(before) && after !== undefined && /\w/.test(after);
  const top = scan.open.at(-1);
  if (isWithinWord || (token.length > 3 && token !== top)) {
    scan.shown += token;
    return token.length;
  }
  if (top !== undefined && !/\s/.test(before) && token.startsWith(top)) {
    scan.open.pop();
    scan.shown += top;
    return top.length;
  }
  // At the very end it may open, close, or become longer: it is shown when that is known.
  if (after === undefined) return token.length;
  if (!/\s/.test(after)) scan.open.push(token);
  scan.shown += token;
  return token.length;
}
