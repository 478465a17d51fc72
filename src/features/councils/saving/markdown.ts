/** Markdown of drafts and saved files: lists and sections that can be read back, whatever words stand in them. Pure. */
import { renderBody } from '../rules/render.ts';

const fence = /^ {0,3}(?:> ?)*(`{3,}|~{3,})/;
export const nothing = 'None.';

/** Text with what looks like structure, and headings of ranks one and two, kept from being read as such. */
export function printText(text: string): string {
  const words = text.trim();
  return words === '' ? '' : renderBody(words).join('\n');
}

/** The same below a heading of rank three: its own headings of that rank become one lower. */
export function printBelowThree(text: string): string {
  const lines = printText(text).split('\n');
  const isCode = codeLines(lines);
  return lines.map((line, at) => (isCode[at] ? line : line.replace(/^( {0,3})###(?=\s|$)/, '$1####'))).join('\n');
}

/** A list, one item a text; `None.` for none. */
export function printList(items: readonly string[]): string {
  const texts = items.map((item) => item.trim()).filter((item) => item !== '' && item !== nothing);
  return texts.length === 0 ? nothing : texts.map(printItem).join('\n');
}

function printItem(text: string): string {
  const [first, ...rest] = renderBody(text);
  return [`- ${first!}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))].join('\n');
}

/** What `printList` printed, or a person wrote by hand: lines without a sign belong to the item before them. */
export function parseList(lines: readonly string[]): string[] {
  const items: string[][] = [];
  for (const line of lines) {
    const begun = /^[-*+] +(.*)$/.exec(line);
    const isText = line.trim() !== '' && items.length === 0;
    if (begun !== null || isText) items.push([begun?.[1] ?? line]);
    else items.at(-1)?.push(line.replace(/^ {1,2}/, ''));
  }
  return items.map((item) => parseText(item)).filter((text) => text !== '' && text !== nothing);
}

/** What `printText` printed: the backslashes before what looks like structure are taken away again. */
export function parseText(lines: readonly string[]): string {
  return lines.map(unescapeLine).join('\n').trim();
}

function unescapeLine(line: string): string {
  const found = /^(\s*)\\(.*)$/.exec(line);
  if (found === null) return line;
  const bare = `${found[1]!}${found[2]!}`;
  return renderBody(`\`\`\`\n${bare}\n\`\`\``)[1] === line ? bare : line;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
  /** Of its heading, from 1. */
  readonly line: number;
}

/**
 * The parts of a text that begin with headings of that rank; what comes before the first is left out.
 * @param isList says of which sections all lines but the headings are indented or list items, code included
 */
export function splitSections(text: string, rank: 2 | 3, isList: (title: string) => boolean = () => false): Section[] {
  const heading = new RegExp(`^#{${rank}} +(.*?) *#*$`);
  const sections: (Section & { lines: string[] })[] = [];
  let open: string | undefined;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const title = open === undefined ? heading.exec(line)?.[1] : undefined;
    if (title !== undefined) sections.push({ title, lines: [], line: at + 1 });
    else sections.at(-1)?.lines.push(line);
    if (!isList(sections.at(-1)?.title ?? '')) open = nextFence(line, open);
  }
  return sections;
}

function codeLines(lines: readonly string[]): boolean[] {
  let open: string | undefined;
  return lines.map((line) => {
    open = nextFence(line, open);
    return open !== undefined;
  });
}

/** The sign of the fence that is open after this line. */
function nextFence(line: string, open: string | undefined): string | undefined {
  const mark = fence.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === undefined) return mark;
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trimEnd().endsWith(mark);
  return closes ? undefined : open;
}

/** Code as it is, indented so that no line of it begins at the edge, in a fence that is longer than any within. */
export function printCode(content: string, language: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const sign = '`'.repeat(longest + 1);
  const lines = [`${sign}${language}`, ...content.replace(/\n$/, '').split('\n'), sign];
  return lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n');
}
