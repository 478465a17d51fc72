import { expect, test } from 'vitest';
import { createTerminal, type Terminal } from '../terminal.ts';
import { renderTable } from './table.ts';

const terminal = (columns: number, isTTY = true): Terminal =>
  createTerminal({ out: { isTTY, columns, write: () => {} }, err: { write: () => {} } }, { NO_COLOR: '1' });

const headings = ['id', 'state', 'project', 'title'];
const rows = [
  ['researcher-20260214-093000-k3f9', '● open', 'shop', 'Where does the parser begin, and what does it do with tabs'],
  ['writer-20260214-093001-a1b2', '◐ requested', 'a-longer-name', 'Notes'],
];
const longest = (text: string): number => Math.max(...text.split('\n').map((line) => [...line].length));

test.each([140, 120, 100, 82])(
  'on %d columns a table is no wider; ids and states are whole, titles can be seen',
  (columns) => {
    const table = renderTable(headings, rows, terminal(columns));
    expect(longest(table)).toBeLessThanOrEqual(columns);
    expect(table.split('\n')).toHaveLength(4);
    for (const word of [rows[0]![0]!, '● open', '◐ requested', 'Where does', 'Notes']) expect(table).toContain(word);
  },
);

test.each([75, 69, 50, 40])('on %d columns each record takes two lines, the second its title', (columns) => {
  const lines = renderTable(headings, rows, terminal(columns)).split('\n');
  expect(lines).toHaveLength(5);
  expect(longest(lines.join('\n'))).toBeLessThanOrEqual(columns);
  expect(lines[0]).toContain('researcher-20260214-093000-k3f9');
  expect(lines[1]).toMatch(/^ {2}Where does the parser begin/);
});

test('what fits is a table on any terminal, and nothing is cut in a file', () => {
  expect(renderTable(['a', 'b'], [['1', '2']], terminal(20))).toBe('a  b\n1  2\n');
  expect(longest(renderTable(headings, rows, terminal(20, false)))).toBeGreaterThan(100);
});

test('colours take no room, and a cut leaves none open', () => {
  const term = createTerminal({ out: { isTTY: true, columns: 80, write: () => {} }, err: { write: () => {} } }, {});
  const title = `${term.style('red', '▲')} ${'long '.repeat(30)}`;
  const [, row = ''] = renderTable(['state', 'title'], [[term.style('green', 'open'), title]], term).split('\n');
  expect(row).toContain('\u001b[32mopen\u001b[39m   ▲ long');
  expect(row).toMatch(/…$/);
});
