/** A prelude: read out of an agent's words, whatever form they have, and printed in the one form. Pure. */
import { printPrelude as printLines } from '../rules/prelude.ts';

export interface PreludeParts {
  readonly sources: readonly string[];
  readonly bullets: readonly string[];
}

const sourcesHead = /^[\s>#*_-]*sources consulted[\s*_]*:?[\s*_]*(.*)$/i;
const knownHead = /^[\s>#*_-]*what i know[\s*_]*:?[\s*_]*(.*)$/i;
const ownHeader = /^\s*\[Prelude\]/i;
const fenceLine = /^\s*(?:`{3,}|~{3,})/;
const bullet = /^\s*(?:[-*•+]|\d{1,3}[.)])\s+(.*)$/;

/** More of either is not kept. */
const maxItems = 200;

/** Words before the two headings are left out where both are there; without them each paragraph is a bullet. */
export function parsePrelude(text: string): PreludeParts {
  const lines = text.split('\n').filter((line) => !ownHeader.test(line));
  const from = lines.findIndex((line) => sourcesHead.test(line));
  const to = lines.findIndex((line, at) => at > from && knownHead.test(line));
  if (to === -1) return { sources: [], bullets: joinItems(lines.filter((_, at) => at !== from)) };
  const said = knownHead.exec(lines[to]!)?.[1] ?? '';
  const bullets = joinItems([said, ...lines.slice(to + 1)]);
  if (from === -1) return { sources: [], bullets };
  const first = sourcesHead.exec(lines[from]!)?.[1] ?? '';
  return { sources: sourceItems([first, ...lines.slice(from + 1, to)]), bullets };
}

function sourceItems(lines: readonly string[]): string[] {
  return lines
    .filter((line) => !fenceLine.test(line))
    .map((line) => inOneLine(bullet.exec(line)?.[1] ?? line))
    .filter((line) => line !== '' && !/^(?:none|nothing|n\/a|-)\.?$/i.test(line))
    .slice(0, maxItems);
}

/** One item a bullet or paragraph, each in one line. */
function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const start = bullet.exec(line);
    const words = inOneLine(start?.[1] ?? line);
    if (words === '' || fenceLine.test(line)) {
      isOpen = isOpen && words !== '';
      continue;
    }
    if (start === null && isOpen) items[items.length - 1] += ` ${words}`;
    else items.push(words);
    isOpen = true;
  }
  return items.slice(0, maxItems);
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export interface PreludeFacts extends PreludeParts {
  readonly name: string;
  readonly role: string;
  readonly tokens: number;
}

/** Lines above the bullets: the form's own, and its sources. Nobody states them. */
export function preludeHeadLines(sources: readonly string[]): number {
  return sources.length + 3;
}

/** One line each, in the fixed form. */
export function printPrelude({ name, role, sources, bullets, tokens }: PreludeFacts): string {
  const [who, what] = [inOneLine(name), inOneLine(role)];
  return printLines({
    name: who,
    role: what,
    tokens,
    sources: sources.map(inOneLine),
    bullets: bullets.map(inOneLine),
  }).join('\n');
}
