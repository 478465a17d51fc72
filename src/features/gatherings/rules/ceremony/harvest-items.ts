/** Items below a heading of a harvest: of a list, of headings, or of paragraphs. Pure. */
import type { HarvestKind } from '../../contract/gathering.ts';

export interface FoundItem {
  readonly kind: HarvestKind;
  /** As it was written, without what made it an item. */
  readonly text: string;
}

/** Of a heading. Characters. */
const longestLine = 400;

interface Open {
  readonly lines: string[];
  /** What stands below it, up to the next heading, is its own. */
  readonly isHeading: boolean;
}

/** @param kind of those that name no home of their own */
export function readItems(lines: readonly string[], kind: HarvestKind): FoundItem[] {
  const items: Open[] = [];
  let fence = false;
  let wasBlank = true;
  for (const line of lines) {
    const last = items.at(-1);
    const starts = fence ? undefined : startOf(line, last);
    if (/^\s*(?:```|~~~)/.test(line)) fence = !fence;
    if (starts !== undefined) items.push(starts);
    else if (last !== undefined && belongs(line, last, wasBlank || fence))
      last.lines.push(line.replace(/^\s{1,4}/, ''));
    else if (line.trim() !== '') items.push({ lines: [line.trim()], isHeading: false });
    wasBlank = line.trim() === '';
  }
  return items.flatMap(({ lines: own }) => {
    const text = own.join('\n').trim();
    return isNothing(text) ? [] : [withHome(text, kind)];
  });
}

function startOf(line: string, last: Open | undefined): Open | undefined {
  const heading = line.length > longestLine ? undefined : /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(line)?.[1];
  if (heading !== undefined) return { lines: [heading], isHeading: true };
  if (last?.isHeading === true) return undefined;
  const item = /^ {0,1}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1];
  return item === undefined ? undefined : { lines: [item], isHeading: false };
}

/** A line that is indented goes on with the item; one that is not, only where no blank line stands between. */
function belongs(line: string, last: Open, isApart: boolean): boolean {
  return last.isHeading || line.trim() === '' || /^\s/.test(line) || !isApart;
}

/** Words for no item, and lines that only lead to a list. */
function isNothing(text: string): boolean {
  const bare = text.replaceAll(/[\s\p{P}\p{S}]+/gu, ' ').trim();
  if (bare === '' || /^(?:none|nothing|n a|no items?|nil|empty|none yet|nothing (?:yet|new|here))$/i.test(bare))
    return true;
  return !text.includes('\n') && text.replaceAll(/[*_]+/g, '').trim().endsWith(':');
}

/** `[ ] **todo:** write it` → a todo: write it. */
function withHome(text: string, kind: HarvestKind): FoundItem {
  const bare = text.replace(/^\[[ xX]\]\s+/, '');
  const [named, home] =
    /^(?:\*\*|__|[*_`])?(todo|proposal|memory|vision)(?:\*\*|__|[*_`])?:(?:\*\*|__|[*_`])?\s*/i.exec(bare) ?? [];
  if (home === undefined) return { kind, text: bare };
  return { kind: home.toLowerCase() as HarvestKind, text: bare.slice(named!.length) };
}
