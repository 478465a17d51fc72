/** Changes to a Markdown text that leave everything else of it as it was, byte for byte. */
import { fail } from '../pure/errors.ts';

interface Section {
  /** Where the heading's line begins, where the text under it begins, and where the section ends. */
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** Adds `content` as a paragraph of its own at the end; what stands there is not touched. Answers only what is added. */
export function printAppendix(before: string, content: string): string {
  const eol = lineEndOf(before);
  const gap = before === '' || /(?:^|\n)\r?\n$/.test(before) ? '' : before.endsWith('\n') ? eol : eol + eol;
  return `${gap}${withLineEnd(content.trim(), eol)}${eol}`;
}

/**
 * The text with everything under the heading `name` replaced; a section that is not there is added at the end.
 * A section goes on to the next heading of the same or a higher level.
 * @throws `conflict` when two headings have this name
 */
export function replaceSection(text: string, name: string, content: string): string {
  const section = findSection(text, name);
  const eol = lineEndOf(text);
  const body = withLineEnd(withoutOwnHeading(content, name).trim(), eol);
  if (!section) return text + printAppendix(text, `## ${titleOf(name)}\n\n${body}`);
  const rest = text.slice(section.end);
  const heading = text.slice(section.start, section.bodyStart).trimEnd();
  return `${text.slice(0, section.start)}${heading}${eol}${eol}${body}${eol}${rest === '' ? '' : eol}${rest}`;
}

/** The section with its heading, or undefined. @throws `conflict` when two headings have this name */
export function readSection(text: string, name: string): string | undefined {
  const section = findSection(text, name);
  return section && text.slice(section.start, section.end);
}

function findSection(text: string, name: string): Section | undefined {
  const wanted = titleOf(name).toLowerCase();
  const headings = headingsOf(text);
  const found = headings.flatMap((heading, index) => (heading.title.toLowerCase() === wanted ? [index] : []));
  if (found.length > 1) {
    throw fail(
      'conflict',
      `There are ${found.length} sections "${titleOf(name)}"; which one to change is not clear.`,
      'Append instead, or replace the whole text after reading it.',
    );
  }
  const index = found[0];
  const heading = index === undefined ? undefined : headings[index];
  if (index === undefined || !heading) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level);
  return { start: heading.start, bodyStart: heading.end, end: next?.start ?? text.length };
}

interface Heading {
  readonly title: string;
  readonly level: number;
  readonly start: number;
  readonly end: number;
}

/** The `#` headings outside of frontmatter and fenced code. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence = '';
  let start = frontmatterLength(text);
  for (const line of text.slice(start).split(/(?<=\n)/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    const heading = fence === '' ? /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*\r?\n?$/.exec(line) : null;
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    if (heading)
      headings.push({ title: heading[2]!.trim(), level: heading[1]!.length, start, end: start + line.length });
    start += line.length;
  }
  return headings;
}

function frontmatterLength(text: string): number {
  return /^---\r?\n(?:[\s\S]*?\r?\n)?---\r?\n/.exec(text)?.[0].length ?? 0;
}

/** A model likes to repeat the heading above what it writes under it. */
function withoutOwnHeading(content: string, name: string): string {
  const first = headingsOf(content)[0];
  const isOwn =
    first?.title.toLowerCase() === titleOf(name).toLowerCase() && content.slice(0, first.start).trim() === '';
  return first && isOwn ? content.slice(first.end) : content;
}

function titleOf(name: string): string {
  return name
    .replace(/^#{1,6}[ \t]+/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function withLineEnd(text: string, eol: string): string {
  return text.replaceAll(/\r?\n/g, eol);
}
