/** Tables that stay within the terminal: what is wide is cut, and where that is not enough, records take two lines. */
import { stripVTControlCharacters } from 'node:util';
import type { Terminal } from '../terminal.ts';

const gap = '  ';
/** On fewer columns a cut table says too little. */
const tableColumns = 70;
/** A column is cut to no less; the title says what the record is, and gets more. */
const leastWidth = 12;
const leastTitle = 20;
/** These say the most in the fewest letters, or are typed again. */
const neverCut = ['state', 'status', 'date', 'id', 'path', 'name'];

/**
 * Rows under their headings. On a terminal nothing is wider than it: the widest columns are cut, and where that says
 * too little each record is its cells in one line and its last cell, the title, in a second. Elsewhere nothing is cut.
 */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[], term: Terminal): string {
  const wanted = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => widthOf(row[column]))),
  );
  const widths = term.isTty ? fitted(headings, wanted, term.width) : wanted;
  if (widths === undefined) return rows.map((row) => renderRecord(row, term)).join('');
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => padTo(cutTo(cell, widths[column]!), column === cells.length - 1 ? 0 : widths[column]!))
      .join(gap)
      .trimEnd();
  return `${[term.style('dim', line(headings)), ...rows.map(line)].join('\n')}\n`;
}

/** Undefined where a table would say too little. */
function fitted(headings: readonly string[], wanted: readonly number[], width: number): number[] | undefined {
  const widths = [...wanted];
  const total = (): number => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1));
  if (total() > width && width < tableColumns) return undefined;
  while (total() > width) {
    const cuttable = widths.map((each, column) => (neverCut.includes(headings[column]!) ? 0 : each));
    const title = cuttable.length - 1;
    if (cuttable[title]! <= leastTitle) cuttable[title] = 0;
    const widest = Math.max(...cuttable);
    if (widest <= leastWidth) return undefined;
    widths[cuttable.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

function renderRecord(row: readonly string[], term: Terminal): string {
  const facts = row.slice(0, -1).filter((cell) => cell !== '');
  const title = `${gap}${cutTo(row.at(-1) ?? '', term.width - gap.length)}\n`;
  return row.length === 1 ? title.slice(gap.length) : `${cutTo(facts.join(gap), term.width)}\n${title}`;
}

function widthOf(cell: string = ''): number {
  return [...stripVTControlCharacters(cell)].length;
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** What is cut loses its colours: the mark that ends them would be cut off. */
function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  return `${[...stripVTControlCharacters(text)].slice(0, width - 1).join('')}…`;
}
