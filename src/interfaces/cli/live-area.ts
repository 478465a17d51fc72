/**
 * A few dim lines at the end of a terminal that show what is being done now and are taken back when something comes to
 * stay. In pipes, in files and with `--json` there are none.
 */
import { oneLine, plainText, type Terminal } from './terminal.ts';
import { spanOf } from './render/facts.ts';

export interface LiveArea {
  readonly term: Terminal;
  readonly isShown: boolean;
  /** Lines that stand on the terminal now. */
  drawn: number;
}

const mostLines = 6;
const clearLine = '\r\u001b[2K';
const lineUp = '\u001b[1A';

export function createLiveArea(term: Terminal, isQuiet: boolean): LiveArea {
  return { term, isShown: !isQuiet && term.isTty && term.canTakeBack, drawn: 0 };
}

/** Puts these lines in the place of those that stand; each is cut to the width. */
export function drawLive(area: LiveArea, lines: readonly string[]): void {
  if (!area.isShown) return;
  const room = Math.max(20, area.term.width - 1);
  const shown = lines.slice(0, mostLines).map((line) => fitting(line, room));
  const text = shown.map((line) => area.term.style('dim', line)).join('\n');
  area.term.err(`${takenBack(area)}${text}`);
  area.drawn = shown.length;
}

export function clearLive(area: LiveArea): void {
  if (area.drawn > 0) area.term.err(takenBack(area));
  area.drawn = 0;
}

function takenBack({ drawn }: LiveArea): string {
  return drawn === 0 ? '' : clearLine + `${lineUp}${clearLine}`.repeat(drawn - 1);
}

/** The last of what somebody is saying, in at most `most` lines. */
export function lastLines(text: string, width: number, most: number): string[] {
  const room = Math.max(20, width - 3);
  const words = plainText(text)
    .slice(-room * (most + 2))
    .split(/\s+/)
    .filter((word) => word !== '');
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && columnsOf(line) + 1 + columnsOf(word) <= room)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.slice(-most);
}

/** `◐ Theo (System Architect) speaks · T4 · 12 s · Read src/x.ts`. */
export function headOfLive(parts: readonly string[], seconds: number): string {
  const [who = '', ...others] = parts.filter((part) => part !== '');
  return [`◐ ${who}`, spanOf(seconds * 1000), ...others].join(' · ');
}

function fitting(line: string, room: number): string {
  const characters = [...oneLine(line, line.length + 1)];
  const indent = /^ */.exec(line)![0];
  let width = indent.length;
  let kept = indent;
  for (const character of characters) {
    width += columnsOf(character);
    if (width > room) return `${kept.slice(0, -1)}…`;
    kept += character;
  }
  return kept;
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}
