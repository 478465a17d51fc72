#!/usr/bin/env -S npx tsx
import { readFileSync } from 'node:fs';
import { printCsv } from './csv.ts';
import { type Daybook, parseDaybook } from './parse.ts';
import { type Hours, hoursByTag, hoursByWeek, totalOf } from './report.ts';

const commands: Record<string, (book: Daybook) => string> = {
  report: (book) => printHours('tag', hoursByTag(book.entries)),
  week: (book) => printHours('week', hoursByWeek(book.entries)),
  csv: (book) => printCsv(book.entries),
  check: (book) => `${book.entries.length} entries, ${book.problems.length} problems\n`,
};

function printHours(title: string, hours: Hours): string {
  const rows: Hours = [...hours, ['total', totalOf(hours)]];
  const width = Math.max(title.length, ...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, each]) => `${name.padEnd(width)}${each.toFixed(2).padStart(6)}`);
  return `${title.padEnd(width)} hours\n${lines.join('\n')}\n`;
}

function main(args: readonly string[]): number {
  const [name = '', file] = args;
  const command = commands[name];
  if (!command || file === undefined) {
    process.stderr.write(`usage: daybook ${Object.keys(commands).join('|')} <file>\n`);
    return 2;
  }
  const book = parseDaybook(readFileSync(file, 'utf8'));
  for (const { line, message } of book.problems) process.stderr.write(`${file}:${line}: ${message}\n`);
  process.stdout.write(command(book));
  return book.problems.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
