/** What a program's output looks like, as text: one terminal without a display for each. */
import headless from '@xterm/headless';
import type { IMarker, Terminal } from '@xterm/headless';
import type { ScreenText } from '../contract.ts';
import { columnTable } from './width.ts';

/** Rows that are kept of what has scrolled off. */
const scrollback = 1_000;

export interface Screen {
  readonly terminal: Terminal;
  /** Bytes that are not worked off yet. */
  behind: number;
  readonly marks: Set<ScreenMark>;
}

/** A place in what a screen shows, that goes with the text when it scrolls. */
export interface ScreenMark {
  /** Undefined in a full-screen program, and when the screen was filled anew and the place was not found. */
  marker: IMarker | undefined;
  readonly isAlternate: boolean;
}

export function createScreen(size: { readonly cols: number; readonly rows: number }): Screen {
  const terminal = new headless.Terminal({ ...size, scrollback, allowProposedApi: true, logLevel: 'off' });
  terminal.unicode.register(columnTable);
  terminal.unicode.activeVersion = columnTable.version;
  return { terminal, behind: 0, marks: new Set() };
}

/** Resolves when the screen shows it. Feeding on without waiting is fine: `screen.behind` says how much waits. */
export async function feedScreen(screen: Screen, bytes: Uint8Array): Promise<void> {
  screen.behind += bytes.length;
  await new Promise<void>((resolve) => screen.terminal.write(bytes, resolve));
  screen.behind -= bytes.length;
}

/** Puts up what was read of a pane in place of all that came before. */
export async function fillScreen(
  screen: Screen,
  shown: { readonly cols: number; readonly rows: number; readonly bytes: Uint8Array },
): Promise<void> {
  // What waits to be written belongs to before.
  await feedScreen(screen, new Uint8Array());
  const { terminal } = screen;
  terminal.reset();
  terminal.resize(shown.cols, shown.rows);
  await feedScreen(screen, shown.bytes);
}

export function readScreen({ terminal }: Screen): ScreenText {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  const cursorRow = buffer.baseY + buffer.cursorY;
  let [cursorLine, cursorColumn, firstVisible] = [0, 0, -1];
  for (let row = 0; row < buffer.length; row += 1) {
    const line = buffer.getLine(row);
    if (line === undefined) continue;
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += line.translateToString(false);
    else lines.push(line.translateToString(false));
    if (row === buffer.baseY) firstVisible = lines.length - 1;
    if (row !== cursorRow) continue;
    cursorLine = lines.length - 1;
    const before = line.translateToString(false, 0, buffer.cursorX);
    cursorColumn = lines.at(-1)!.length - line.translateToString(false).length + before.length;
  }
  return {
    lines: lines.map((line) => line.trimEnd()),
    cursorLine,
    cursorColumn,
    firstVisible: Math.max(0, firstVisible),
    isAlternate: buffer.type === 'alternate',
    takesPaste: terminal.modes.bracketedPasteMode,
  };
}

/** Marks the line of the cursor. */
export function markScreen(screen: Screen): ScreenMark {
  const isAlternate = screen.terminal.buffer.active.type === 'alternate';
  const mark = { marker: screen.terminal.registerMarker(0), isAlternate };
  screen.marks.add(mark);
  return mark;
}

/** The lines from the mark's on. All lines when the mark has scrolled out of what is kept. */
export function linesSince(screen: Screen, mark: ScreenMark): readonly string[] {
  const { lines } = readScreen(screen);
  const { marker } = mark;
  if (marker === undefined || marker.line < 0) return lines;
  return lines.slice(lineOfRow(screen, marker.line));
}

function lineOfRow({ terminal }: Screen, wanted: number): number {
  const buffer = terminal.buffer.active;
  let line = -1;
  for (let row = 0; row <= wanted && row < buffer.length; row += 1)
    if (line === -1 || buffer.getLine(row)?.isWrapped !== true) line += 1;
  return Math.max(0, line);
}

/** A mark that nobody asks for any more. */
export function dropMark(screen: Screen, mark: ScreenMark): void {
  screen.marks.delete(mark);
  mark.marker?.dispose();
}

export function closeScreen({ terminal }: Screen): void {
  terminal.dispose();
}
