import { type Entry, parseTime } from './entry.ts';

/** A line that could not be read. */
export interface Problem {
  /** 1 for the first line of the file. */
  readonly line: number;
  readonly message: string;
}

export interface Daybook {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

const dateLine = /^\d{4}-\d{2}-\d{2}$/;
const entryLine = /^(\S+)-(\S+)\s+(\S+)(?:\s+(.*))?$/;

/** Reads a whole file. Lines that cannot be read become problems; the others are kept. See docs/format.md. */
export function parseDaybook(text: string): Daybook {
  const entries: Entry[] = [];
  const problems: Problem[] = [];
  let date: string | undefined;
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    if (dateLine.test(line)) {
      date = line;
      return;
    }
    const parsed = parseEntry(line, date);
    if (typeof parsed === 'string') problems.push({ line: index + 1, message: parsed });
    else entries.push(parsed);
  });
  return { entries, problems };
}

/** The entry of a line, or what is wrong with it. */
function parseEntry(line: string, date: string | undefined): Entry | string {
  if (date === undefined) return 'an entry needs a date line before it';
  const match = entryLine.exec(line);
  if (!match) return 'expected HH:MM-HH:MM tag note';
  const [, from = '', to = '', tag = '', note = ''] = match;
  const start = parseTime(from);
  const end = parseTime(to);
  if (start === undefined) return `"${from}" is no time of day`;
  if (end === undefined) return `"${to}" is no time of day`;
  return { date, start, end, tag: tag.toLowerCase(), note };
}
