/** What a program's output looks like, as text: one terminal without a display for each. */
import headless from '@xterm/headless';
import type { IBufferLine, Terminal } from '@xterm/headless';
import type { ScreenText } from '../contract.ts';
import { columnTable } from '../../pure/columns.ts';

/** Rows that are kept of what has scrolled off. */
const scrollback = 1_000;
/** Makes the terminal as it was when it was new. */
const reset = '\u001bc';

export interface Screen {
  readonly terminal: Terminal;
  /** Bytes that are not worked off yet. */
  behind: number;
}

export function createScreen(size: { readonly cols: number; readonly rows: number }): Screen {
  const terminal = new headless.Terminal({ ...size, scrollback, allowProposedApi: true, logLevel: 'off' });
  terminal.unicode.register(columnTable);
  terminal.unicode.activeVersion = columnTable.version;
  return { terminal, behind: 0 };
}

/** Resolves when the screen shows it. Feeding on without waiting is fine: `screen.behind` says how much waits. */
export async function feedScreen(screen: Screen, bytes: Uint8Array): Promise<void> {
  screen.behind += bytes.length;
  await new Promise<void>((resolve) => screen.terminal.write(bytes, resolve));
  screen.behind -= bytes.length;
}

/** Puts up what was read of a pane in place of all that was fed before; what is fed after comes after. */
export async function fillScreen(
  screen: Screen,
  shown: { readonly cols: number; readonly rows: number; readonly bytes: Uint8Array },
): Promise<void> {
  // Called when all before it is worked off, and nothing after it yet.
  screen.terminal.write(reset, () => screen.terminal.resize(shown.cols, shown.rows));
  await feedScreen(screen, shown.bytes);
}

/** @param scrolledRows of what has scrolled off only so many rows are read: reading all takes a millisecond */
export function readScreen({ terminal }: Screen, scrolledRows = Number.POSITIVE_INFINITY): ScreenText {
  const buffer = terminal.buffer.active;
  const lines: string[] = [];
  const cursorRow = buffer.baseY + buffer.cursorY;
  let [cursorLine, cursorColumn, firstVisible] = [0, 0, 0];
  for (let row = Math.max(0, buffer.baseY - scrolledRows); row < buffer.length; row += 1) {
    const line = buffer.getLine(row)!;
    const next = buffer.getLine(row + 1);
    const text = next?.isWrapped === true ? wrappedText(line, next) : line.translateToString(false);
    const isJoined = line.isWrapped && lines.length > 0;
    const before = isJoined ? lines.pop()! : '';
    lines.push(before + text);
    if (row === buffer.baseY) firstVisible = lines.length - 1;
    if (row !== cursorRow) continue;
    cursorLine = lines.length - 1;
    cursorColumn = before.length + line.translateToString(false, 0, buffer.cursorX).length;
  }
  return {
    lines: lines.map((line) => line.trimEnd()),
    cursorLine,
    cursorColumn,
    firstVisible,
    isAlternate: buffer.type === 'alternate',
    takesPaste: terminal.modes.bracketedPasteMode,
  };
}

/** Of a row that goes on in the next: without the column that was too narrow for a wide character. */
function wrappedText(line: IBufferLine, next: IBufferLine): string {
  const last = line.length - 1;
  const isGap = next.getCell(0)?.getWidth() === 2 && line.getCell(last)?.getChars() === '';
  return isGap && line.getCell(last)?.getWidth() === 1
    ? line.translateToString(false, 0, last)
    : line.translateToString(false);
}

export function closeScreen({ terminal }: Screen): void {
  terminal.dispose();
}
