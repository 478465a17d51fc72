/** How findings are written down. Every place is given as `path:line`, so that a page can link it. */
import { commentAbove, definedName, enclosingDefinition, endOfBlock, startOfComment } from './code.ts';
import type { Excerpt } from './evidence.ts';

export function at(hit: { readonly path: string; readonly line: number }): string {
  return `\`${hit.path}:${hit.line}\``;
}

export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** One line of source, trimmed and at most `max` characters. */
export function codeLine(text: string, max = 110): string {
  const trimmed = text.trim();
  return code(trimmed.length > max ? `${trimmed.slice(0, max - 1)}…` : trimmed);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `a`, `b` and `c` */
export function listed(items: readonly string[], last = 'and'): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function numbered(items: readonly string[]): string {
  return items.map((item, index) => `${index + 1}. ${item}`).join('\n');
}

/** The paragraphs that have something in them. */
export function paragraphs(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n');
}

/** At most `max` characters, cut at the end of a sentence or word. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('; '));
  return sentence > max / 2 ? head.slice(0, sentence + 1) : `${head.slice(0, head.lastIndexOf(' '))} …`;
}

const languages: Readonly<Record<string, string>> = { mjs: 'js', cjs: 'js', mts: 'ts', cts: 'ts', yml: 'yaml', h: 'c' };

export function fence(path: string, lines: readonly string[]): string {
  const extension = /\.(\w+)$/.exec(path)?.[1] ?? '';
  const marks = lines.some((line) => line.includes('```')) ? '````' : '```';
  return `${marks}${languages[extension] ?? extension}\n${withoutIndent(lines).join('\n')}\n${marks}`;
}

function cutLine(line: string, max: number): string {
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

function withoutIndent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^\s*/.exec(line)![0].length);
  const common = Math.min(...indents, 40);
  return lines.map((line) => cutLine(line.slice(Number.isFinite(common) ? common : 0), 150));
}

export interface Quote {
  readonly from: number;
  readonly to: number;
  /** The definition that encloses the place, and what is written above it. */
  readonly name: string | undefined;
  readonly comment: string;
  /** With the place in front. */
  readonly markdown: string;
}

/** The part of an excerpt that is worth showing for one of its lines: its whole definition if short, else its head and the lines around. */
export function quoteAt(excerpt: Excerpt, line: number, maxLines = 24, minLines = 0): Quote {
  const { path, lines, from } = excerpt;
  const index = Math.min(Math.max(line - from, 0), lines.length - 1);
  const definition = enclosingDefinition(lines, index);
  const start = definition ?? firstTelling(lines, Math.max(0, index - 4), index);
  const own =
    definition === undefined ? lastTelling(lines, Math.min(lines.length, index + 8), index) : endOfBlock(lines, start);
  // A definition ends where it ends; only a place without one is shown with more around it.
  const end =
    definition === undefined ? Math.max(own, lastTelling(lines, Math.min(lines.length, start + minLines), start)) : own;
  const name = definition === undefined ? undefined : definedName(lines[start] ?? '');
  const comment = definition === undefined ? '' : tellingComment(commentAbove(lines, start), name);
  const top = comment === '' && definition !== undefined ? startOfComment(lines, start) : start;
  const shown = shownLines(lines, top, end, index, maxLines);
  const last = end - top > 1 ? `-${from + end - 1}` : '';
  const where = `\`${path}:${from + top}${last}\``;
  return { from: from + top, to: from + end - 1, name, comment, markdown: `${where}\n\n${fence(path, shown)}` };
}

/** From `from` on, without the blank lines and closing brackets that belong to what stands before. */
function firstTelling(lines: readonly string[], from: number, index: number): number {
  let start = from;
  while (start < index && /^[\s})\];,]*$/.test(lines[start] ?? '')) start += 1;
  return start;
}

function lastTelling(lines: readonly string[], to: number, index: number): number {
  let end = to;
  while (end > index + 1 && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return end;
}

/** A comment that says more than the name itself does. */
function tellingComment(comment: string, name: string | undefined): string {
  const words = comment.replaceAll(/[^A-Za-z]+/g, ' ').trim();
  return words.length < 16 || words === name ? '' : comment;
}

function shownLines(lines: readonly string[], start: number, end: number, index: number, max: number): string[] {
  if (end - start <= max) return lines.slice(start, end);
  const head = Math.min(start + Math.ceil(max / 3), end);
  if (index < head + 2) return [...lines.slice(start, start + max), leftOut(lines[start + max], end - start - max)];
  const around = Math.floor(max / 3);
  const from = Math.max(head, index - around);
  const to = Math.min(end, index + around);
  const tail = to < end ? [leftOut(lines[to], end - to)] : [];
  const middle = from > head ? [leftOut(lines[head], from - head)] : [];
  return [...lines.slice(start, head), ...middle, ...lines.slice(from, to), ...tail];
}

function leftOut(next: string | undefined, count: number): string {
  return `${/^\s*/.exec(next ?? '')![0]}… ${plural(count, 'line')} left out`;
}
