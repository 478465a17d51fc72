/** What agents wrote, as a part of a file of the hall: it can neither look like what stands beside it, nor swallow or hide it. Pure. */
import { bounded, wellFormed } from '../../../../kernel/pure/text.ts';

/** The highest heading that words of agents keep within a trail, whose own go down to the third level. */
const highestHeading = 4;

/**
 * Markdown without comments, HTML, control characters and high headings, with every fence closed.
 * @param limit characters, about
 */
export function harmless(text: string, limit: number): string {
  const lines: string[] = [];
  let fence = '';
  let innerEnd = -1;
  let isLoose = false;
  const all = bounded(plainLines(text), limit).split('\n');
  for (const [at, raw] of all.entries()) {
    const line = raw.replaceAll('<!--', '&lt;!--');
    const mark = /^(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line);
    if (fence !== '') {
      if (closes(line, fence)) fence = '';
      lines.push(line);
    } else if (mark === null) {
      const end = at > innerEnd ? innerFenceEnd(all, at) : at;
      innerEnd = Math.max(innerEnd, end ?? -1);
      isLoose = line.trim() !== '' && (isLoose || hasLooseTicks(line));
      lines.push(harmlessLine(end === undefined ? line.replaceAll(/[`~]/g, String.raw`\$&`) : line, isLoose));
    } else {
      fence = mark[1] ?? mark[2]!;
      lines.push(line);
    }
  }
  if (fence !== '') lines.push(fence);
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** The same in one line, at most so long: for titles. */
export function harmlessLineOf(text: string, limit: number): string {
  const line = plainLines(text).replaceAll(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  return `${wellFormed(line.slice(0, limit - 1)).trimEnd()}…`;
}

/** As text within Markdown: nothing in it is a link, a mark or HTML. */
export function escapedLine(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
}

function plainLines(text: string): string {
  return wellFormed(text)
    .replaceAll(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '');
}

/**
 * A fence that is indented stands in a list, and ends with it; or it stands alone, and hides what follows.
 * @returns the line that closes it either way, `at` where none begins there, undefined where none is sure to close it
 */
function innerFenceEnd(lines: readonly string[], at: number): number | undefined {
  const [, indent, fence] = /^( {1,3})(`{3,}|~{3,})/.exec(lines[at]!) ?? [];
  if (indent === undefined) return at;
  for (let end = at + 1; end < lines.length; end += 1) {
    const line = lines[end]!;
    if (line.trim() !== '' && !line.startsWith(indent)) return undefined;
    if (closes(line, fence!)) return end;
  }
  return undefined;
}

/** Code may go on in the next line, or there is none where it looks so. */
function hasLooseTicks(line: string): boolean {
  const runs = [...line.matchAll(/`+/g)].map(([run]) => run.length);
  if (runs.length > 0 && line.includes('\\`')) return true;
  for (let at = 0; at < runs.length; at += 1) {
    const end = runs.indexOf(runs[at]!, at + 1);
    if (end !== at + 1) return true;
    at = end;
  }
  return false;
}

function closes(line: string, fence: string): boolean {
  const bare = line.replace(/^ {0,3}/, '').trimEnd();
  return bare.length >= fence.length && bare === fence[0]!.repeat(bare.length);
}

/** @param isLoose what stands in backticks may be no code */
function harmlessLine(line: string, isLoose: boolean): string {
  const [, before, marks, words] = /^( {0,3})(#{1,6})(?=\s|$)(.*)$/.exec(line) ?? [];
  if (marks !== undefined) {
    const level = Math.min(6, Math.max(highestHeading, marks.length + 2));
    return `${before}${'#'.repeat(level)}${withoutHtml(words!, isLoose)}`;
  }
  // A line of these makes a heading of the one above it.
  if (/^ {0,3}(?:=+|-+)\s*$/.test(line)) return line.includes('=') ? line.replace('=', String.raw`\=`) : '* * *';
  return withoutHtml(line, isLoose);
}

/** Outside of what stands in backticks. */
function withoutHtml(line: string, isLoose: boolean): string {
  return line
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 && !isLoose ? part : part.replaceAll(/<(?=[a-z/!?])(?!https?:)/gi, '&lt;')))
    .join('');
}
