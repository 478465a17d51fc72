/** Changes of files on a terminal. */
import { oneLine, plainText, type Terminal } from '../terminal.ts';

export interface ShownDiff {
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly isBinary: boolean;
    readonly text: string;
    readonly isCut: boolean;
    readonly added: number;
    readonly removed: number;
  }[];
  readonly more: number;
}

export function renderDiff(diff: ShownDiff, term: Terminal): string {
  if (diff.files.length === 0) return term.style('dim', 'Nothing is changed.\n');
  const files = diff.files.map((file) => {
    const count = file.isBinary ? 'binary' : `+${file.added} -${file.removed}`;
    const head = term.style('bold', `${file.status} ${oneLine(file.path, 500)}`) + term.style('dim', `  ${count}`);
    const cut = file.isCut ? term.style('yellow', '▲ not all of it is shown\n') : '';
    const lines = plainText(file.text).split(/(?<=\n)/);
    return `${head}\n${lines.map((line) => colouredLine(line, term)).join('')}${cut}`;
  });
  return `${files.join('\n')}${diff.more === 0 ? '' : `\n▲ ${diff.more} more files are changed.\n`}`;
}

function colouredLine(line: string, term: Terminal): string {
  if (line.startsWith('+')) return term.style('green', line);
  if (line.startsWith('-')) return term.style('red', line);
  return line.startsWith('@@') ? term.style('cyan', line) : line;
}
