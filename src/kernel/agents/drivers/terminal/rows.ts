/** Rows of a screen. Pure. */
import type { ScreenText } from '../../../terminals/contract.ts';

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** The last rows that are on the screen and not blank, at most so many; from top to bottom. */
export function lastRows({ lines, firstVisible }: ScreenText, most: number): string[] {
  return lines
    .slice(firstVisible)
    .filter((line) => !isBlank(line))
    .slice(-most);
}

/** What stands before the cursor. */
export function beforeCursor({ lines, cursorLine, cursorColumn }: ScreenText): string {
  return (lines[cursorLine] ?? '').slice(0, cursorColumn);
}
