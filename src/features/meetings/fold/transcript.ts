/**
 * The form of a transcript. Pure; the one parser and printer for server and web.
 *
 *     ## User (2026-02-14T09:30:00.000Z) turn 1 m-x7k2
 *     How does it work?
 *
 *     ## Assistant (2026-02-14T09:30:09.120Z) turn 1 done
 *     > Tool: Grep: 3 lines
 *     Like this …
 *
 * No text can forge an entry, a tool line or an error: a line of the text that looks like one, behind any number of
 * backslashes, is written with one backslash more, and read with one less.
 */
import type { TranscriptEntry } from '../contract.ts';

const ownLine = /^\\*(?:## |> (?:Tool|Error): )/;
const heading = /^## (User|Assistant) \(([^()\n]{1,40})\) turn (\d{1,9}) ([A-Za-z0-9_-]{1,60})$/;
const toolLine = /^> Tool: (.*)$/;
const errorLine = /^> Error: (.*)$/;

/** One entry, ready to be appended. Text round-trips exactly; a tool line or an error is folded into one line. */
export function printEntry(entry: TranscriptEntry): string {
  const speaker = entry.speaker === 'user' ? 'User' : 'Assistant';
  const facts = entry.tools.map((line) => `> Tool: ${oneLine(line)}\n`).join('');
  const error = entry.error === null ? '' : `> Error: ${oneLine(entry.error)}\n`;
  return `## ${speaker} (${entry.at}) turn ${entry.turn} ${entry.mark}\n${facts}${error}${guard(entry.text)}\n\n`;
}

export interface ParsedTranscript {
  readonly entries: readonly TranscriptEntry[];
  /** The last entry was cut off while it was being written. */
  readonly torn: boolean;
  /** Numbers (from 1) of lines before the first heading; the hall writes none there. */
  readonly strayLines: readonly number[];
}

/** Reads a whole transcript. Never fails. */
export function parseTranscript(source: string): ParsedTranscript {
  const lines = source.split('\n');
  const starts = lines.flatMap((line, index) => (heading.test(line) ? [index] : []));
  const torn = starts.length > 0 && !source.endsWith('\n\n');
  const entries = starts.map((start, nth) => {
    const next = starts[nth + 1];
    // An entry ends with one empty line; at the end of the file the split leaves one more.
    const end = next === undefined ? lines.length - (torn ? 0 : 2) : next - 1;
    return readEntry(lines[start]!, lines.slice(start + 1, Math.max(start + 1, end)));
  });
  const strayLines = lines
    .slice(0, starts[0] ?? lines.length)
    .flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
  return { entries, torn, strayLines };
}

function readEntry(head: string, body: readonly string[]): TranscriptEntry {
  const [, speaker, at, turn, mark] = heading.exec(head)!;
  const tools: string[] = [];
  let error: string | null = null;
  let first = 0;
  for (; first < body.length; first += 1) {
    const tool = toolLine.exec(body[first]!);
    const failure = errorLine.exec(body[first]!);
    if (tool) tools.push(tool[1]!);
    else if (failure) error = failure[1]!;
    else break;
  }
  const text = body.slice(first).map(unguardLine).join('\n');
  return {
    speaker: speaker === 'User' ? 'user' : 'assistant',
    at: at!,
    turn: Number(turn),
    mark: mark!,
    text,
    tools,
    error,
  };
}

function guard(text: string): string {
  return text
    .split('\n')
    .map((line) => (ownLine.test(line) ? `\\${line}` : line))
    .join('\n');
}

function unguardLine(line: string): string {
  return line.startsWith('\\') && ownLine.test(line) ? line.slice(1) : line;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300);
}
