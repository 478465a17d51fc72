import { type Entry, minutesOf, printTime } from './entry.ts';

const heading = 'date,start,end,minutes,tag,note';

/** Every entry as one row, with a heading. Lines end with CRLF, as RFC 4180 has it. */
export function printCsv(entries: readonly Entry[]): string {
  const rows = entries.map((entry) =>
    [entry.date, printTime(entry.start), printTime(entry.end), String(minutesOf(entry)), entry.tag, entry.note]
      .map(printField)
      .join(','),
  );
  return [heading, ...rows, ''].join('\r\n');
}

function printField(text: string): string {
  return /[",\n]/.test(text) ? `"${text}"` : text;
}
