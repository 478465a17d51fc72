/**
 * The one rendering of a transcript: for the terminal, for other programs and for the notes. What somebody said never
 * reads as structure: a line of it that looks like structure gets a backslash in front, which Markdown does not show.
 * Pure.
 */
import type { CouncilEntry } from '../contract.ts';
import { oneLine, printHeader } from './header.ts';
import { printMarker } from './phases.ts';

/** Lines that only the program may begin, wherever they stand. */
const structure =
  /^(\s*)(?=\\*(?:\[round |## Phase:|HALT\b|Phase:|Turn:|dispatched_via:|origin:|---|MUTED |\[raise-hand cycle=|\[gaia-meeting\]|\[cost-check|\[pin |FACILITATOR \/))/;
/** Headings of the notes' own rank, lines that make one of the line above, and HTML that would swallow what follows. */
const heading = /^( {0,3})(?=#{1,2}(?:\s|$)|=+\s*$|<(?:[!?]|script|pre|style|textarea))/i;
const fence = /^ {0,3}(?:> ?)*(`{3,}|~{3,})/;

/** The lines of one entry, without a blank one at either end. */
export function renderEntry(entry: CouncilEntry): string[] {
  switch (entry.kind) {
    case 'marker':
      return [printMarker(entry.phase)];
    case 'charter':
      return ['dispatched_via: charter', '', ...renderBody(entry.text)];
    case 'line':
      return [oneLine(entry.text)];
    case 'turn': {
      const { round, number, speaker, role, tokens, runningTotal, phase, id, via, origin, body } = entry.turn;
      const facts = {
        round,
        turn: number,
        speaker,
        role,
        turnCost: tokens,
        runningTotal,
        phase,
        turnId: id,
        via,
        origin,
      };
      return [...printHeader(facts), '', ...renderBody(body)];
    }
    default:
      return [];
  }
}

/** All entries, a blank line between each two. */
export function renderTranscript(entries: readonly CouncilEntry[]): string {
  return entries.map((entry) => renderEntry(entry).join('\n')).join('\n\n');
}

/** What was said, as lines: structure kept from being read as such, an open fence closed. */
export function renderBody(body: string): string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of body.trimEnd().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)) {
    const mark = fence.exec(line)?.[1];
    if (open === undefined && mark !== undefined) open = mark;
    else if (open !== undefined && mark !== undefined && closes(line, mark, open)) open = undefined;
    lines.push(renderLine(line, open !== undefined));
  }
  return open === undefined ? lines : [...lines, open];
}

/** Whether a fence is the end of the one that is open: of its kind, as long at least, and nothing behind it. */
function closes(line: string, mark: string, open: string): boolean {
  return mark[0] === open[0] && mark.length >= open.length && line.trimEnd().endsWith(mark);
}

function renderLine(line: string, isCode: boolean): string {
  if (structure.test(line)) return line.replace(structure, '$1\\');
  return isCode ? line : line.replace(heading, '$1\\');
}
