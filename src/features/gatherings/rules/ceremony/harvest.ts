/** A harvest as the harvester wrote it → what it says. Asked for in one form, taken in any. Pure. */
import type { HarvestKind } from '../../contract/gathering.ts';
import { harmless, harmlessLineOf } from './harmless.ts';
import { readItems } from './harvest-items.ts';

export interface HarvestItem {
  readonly kind: HarvestKind;
  /** One line of plain words. */
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

export interface Harvest {
  /** Markdown each; empty for none. */
  readonly emerged: string;
  readonly known: string;
  readonly next: string;
  /** What stands under no heading that was asked for. */
  readonly more: string;
  readonly items: readonly HarvestItem[];
  /** Titles of those that were too many. */
  readonly tooMany: readonly string[];
}

export const mostItems = 40;
export const longestItem = 4_000;
const longestSection = 8_000;
const longestTitle = 120;
/** A longer line is neither a heading nor a title: patterns that look for its end would begin anew at each character. */
export const longestHeading = 400;
/** More than that is no harvest of one circle. Characters. */
const longestHarvest = 200_000;

type TextKind = 'emerged' | 'known' | 'next' | 'more';
export type SectionKind = TextKind | HarvestKind;

interface Section {
  readonly kind: SectionKind;
  readonly level: number;
  /** Of one that was not asked for. */
  readonly title: string;
  readonly lines: string[];
}

/** Never throws; a text without anything in it gives a harvest without anything in it. */
export function parseHarvest(text: string): Harvest {
  const sections = sectionsOf(unwrapped(text.slice(0, longestHarvest)));
  const words: Record<TextKind, string[]> = { emerged: [], known: [], next: [], more: [] };
  const found: { kind: HarvestKind; text: string }[] = [];
  for (const { kind, title, lines } of sections) {
    if (kind === 'emerged' || kind === 'known' || kind === 'next' || kind === 'more') {
      const rest = takeNamed(lines, found);
      const body = rest.join('\n').trim();
      if (body !== '') words[kind].push(title === '' ? body : `**${title}**\n\n${body}`);
    } else found.push(...readItems(lines, kind));
  }
  const hasEmerged = words.emerged.length > 0;
  const items = itemsOf(found);
  return {
    emerged: sectionText(hasEmerged ? words.emerged : words.more),
    known: sectionText(words.known),
    next: sectionText(words.next),
    more: hasEmerged ? sectionText(words.more) : '',
    items: items.slice(0, mostItems),
    tooMany: items.slice(mostItems).map(({ title }) => title),
  };
}

export function isEmptyHarvest({ emerged, known, next, more, items }: Harvest): boolean {
  return [emerged, known, next, more].every((text) => text === '') && items.length === 0;
}

function sectionText(parts: readonly string[]): string {
  return harmless(parts.join('\n\n'), longestSection);
}

function itemsOf(found: readonly { kind: HarvestKind; text: string }[]): HarvestItem[] {
  const items = new Map<string, HarvestItem>();
  for (const { kind, text } of found) {
    const title = titleOf(text);
    const key = `${kind} ${text}`;
    if (title !== '') items.set(key, { kind, title, text: harmless(text, longestItem) });
  }
  return [...items.values()];
}

function titleOf(text: string): string {
  const first = text.split('\n').find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  const bare = first
    .slice(0, longestHeading)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`#]+/g, '')
    .replaceAll(/<[^>]*>/g, '');
  return harmlessLineOf(bare, longestTitle);
}

/** Without a fence around the whole of it, as models like to put. */
function unwrapped(text: string): string[] {
  const lines = text.trim().split(/\r\n?|\n/);
  const isFenced = /^(?:```|~~~)\s?(?:markdown|md)?$/i.test(lines[0]!.trimEnd()) && /^(?:```|~~~)$/.test(lines.at(-1)!);
  const inner = lines.slice(1, -1);
  // Several blocks, of which the first begins and the last ends the text, are none around all of it.
  const others = inner.filter((line) => /^(?:```|~~~)/.test(line)).length;
  return isFenced && lines.length > 2 && others % 2 === 0 ? inner : lines;
}

function sectionsOf(lines: readonly string[]): Section[] {
  const sections: Section[] = [{ kind: 'more', level: 0, title: '', lines: [] }];
  let fence = '';
  for (const [at, line] of lines.entries()) {
    const current = sections.at(-1)!;
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    const heading = fence === '' && mark === '' ? headingOf(line, lines[at + 1] ?? '') : undefined;
    if (heading === undefined || (heading.kind === undefined && isWithin(heading.level, current))) {
      current.lines.push(line);
      continue;
    }
    const { kind, level, title } = heading;
    sections.push({ kind: kind ?? 'more', level, title: kind === undefined ? title : '', lines: [] });
  }
  return sections;
}

function isWithin(level: number, current: Section): boolean {
  return level > current.level && current.level > 0;
}

/** A line of marks, of bold words, or one that ends with a colon or is underlined; the last three only where they are known. */
function headingOf(
  line: string,
  below: string,
): { kind: SectionKind | undefined; level: number; title: string } | undefined {
  if (line.length > longestHeading) return undefined;
  const [, marks, words] = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? [];
  if (marks !== undefined) return { kind: kindOf(words!), level: marks.length, title: harmlessLineOf(words!, 80) };
  if (line.length > 80 || line.trim() === '') return undefined;
  const isMarked =
    /^\s{0,3}(?:\*\*|__).+(?:\*\*|__):?\s*$/.test(line) ||
    /:\s*$/.test(line) ||
    /^ {0,3}(?:={3,}|-{3,})\s*$/.test(below);
  const kind = isMarked && !/^\s*[-*+]\s/.test(line) ? kindOf(line) : undefined;
  return kind === undefined ? undefined : { kind, level: 2, title: '' };
}

/** Of headings in other words, too. The first that fits. */
const others: readonly (readonly [RegExp, SectionKind])[] = [
  [/\b(?:collective|shared|common)\b.*\bintangible\b|\bintangible\b.*\b(?:collective|shared|common)\b/, 'vision'],
  [/\bintangible\b/, 'memory'],
  [/\b(?:collective|shared|common)\b.*\btangible\b|\btangible\b.*\b(?:collective|shared|common)\b/, 'proposal'],
  [/\btangible\b/, 'todo'],
  [/\bemerge(?:d|s|nce)?\b/, 'emerged'],
  [/^(?:what )?(?:is |we |do we )*(?:now )?(?:known?|learned)(?: now)?$/, 'known'],
  [/^(?:the )?next (?:thread|question)s?$/, 'next'],
  [/^(?:action items?|actions?|to ?dos?|tasks|next steps)$/, 'todo'],
  [/^(?:proposals?|(?:proposed )?(?:document |doc )?(?:changes|edits)|changes of documents)$/, 'proposal'],
  [/^(?:memory|memories|memory entries|(?:what )?to remember)$/, 'memory'],
  [/^(?:visions?|vision seeds?|seeds)$/, 'vision'],
];

function kindOf(heading: string): SectionKind | undefined {
  const words = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
  return others.find(([pattern]) => pattern.test(words))?.[1];
}

/** Items of a list that name their own home, out of a text that is no list of items. @returns the lines that stay */
function takeNamed(lines: readonly string[], into: { kind: HarvestKind; text: string }[]): string[] {
  const rest: string[] = [];
  let open = false;
  for (const line of lines) {
    const named = /^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+\W{0,6}(?:todo|proposal|memory|vision)\W{0,2}:/i.test(line);
    if (named) {
      into.push(...readItems([line], 'todo'));
      open = true;
    } else if (open && /^\s{2,}\S/.test(line)) {
      const last = into.pop();
      if (last !== undefined) into.push({ ...last, text: `${last.text}\n${line.trim()}` });
    } else {
      open = false;
      rest.push(line);
    }
  }
  return rest;
}
