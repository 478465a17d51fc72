/**
 * What a speaker marks in their words instead of by a tool: `[decision]`, `[challenge]`, a fenced `pin` block. In code
 * (fences and spans) the first two mean nothing.
 */

/** Longer than this is no decision any more, but an essay. Characters. */
const maxMarkedLength = 600;

export interface PinBlock {
  readonly content: string;
  /** What stands behind `pin` and the target: what it is for. May be empty. */
  readonly intent: string;
  /** `SP-<n>`: the pin that it replaces; undefined for a new one. */
  readonly target: string | undefined;
}

/** Words behind each `[decision]` up to the end of its paragraph or the next mark; where none follow, those before it. */
export const findDecisions = (body: string): string[] => findMarked(body, 'decision');

/** The same for `[challenge]`. */
export const findChallenges = (body: string): string[] => findMarked(body, 'challenge');

/** Of blocks that are closed. An info line reads `pin`, `pin SP-2`, `pin what it is for` or `pin SP-2 what it is for`. */
export function findPinBlocks(body: string): PinBlock[] {
  return fencesIn(body).flatMap(({ info, content }) => {
    const found = /^pin(?:[ \t]+(.*))?$/u.exec(info);
    if (!found || content.trim() === '') return [];
    const [, target, intent] = /^(?:(SP-[1-9]\d{0,5})(?=\s|$))?\s*(.*)$/u.exec(found[1]?.trim() ?? '')!;
    return [{ content, intent: intent!, target }];
  });
}

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*?)[ \t]*$/u;

/** Fenced blocks at the left edge, each closed by its own sign. */
function fencesIn(body: string): { info: string; content: string; from: number; to: number }[] {
  const lines = body.split('\n');
  const found: { info: string; content: string; from: number; to: number }[] = [];
  let open: { sign: string; info: string; from: number } | undefined;
  for (const [at, line] of lines.entries()) {
    const [, sign, info] = fence.exec(line.replace(/\r$/u, '')) ?? [];
    if (sign === undefined) continue;
    if (!open) {
      if (!(sign.startsWith('`') && info!.includes('`'))) open = { sign, info: info!, from: at };
    } else if (info === '' && sign.startsWith(open.sign)) {
      found.push({ info: open.info, content: lines.slice(open.from + 1, at).join('\n'), from: open.from, to: at });
      open = undefined;
    }
  }
  return found;
}

function findMarked(body: string, word: string): string[] {
  const lines = body.split('\n');
  for (const { from, to } of fencesIn(body)) lines.fill('', from, to + 1);
  return paragraphsOf(lines).flatMap((paragraph) => markedIn(withoutSpans(paragraph), word));
}

const mark = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/u;

function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length > 0) paragraphs.push(open.join(' '));
    open = [];
  };
  for (const line of lines) {
    if (line.trim() === '' || mark.test(line)) close();
    if (line.trim() !== '') open.push(line.trim());
  }
  close();
  return paragraphs;
}

/** A mark that is spoken about, `[decision]` in ticks, is none. */
const withoutSpans = (paragraph: string): string =>
  paragraph.replaceAll(/`[^`]*\[(?:decision|challenge)\][^`]*`/giu, '…');

function markedIn(paragraph: string, word: string): string[] {
  const parts = paragraph.split(/(\[(?:decision|challenge)\])/iu);
  const found: string[] = [];
  for (let at = 1; at < parts.length; at += 2) {
    if (parts[at]!.toLowerCase() !== `[${word}]`) continue;
    const after = cleaned(parts[at + 1]!);
    const text = after === '' ? cleaned(parts[at - 1]!.replace(mark, '')) : after;
    if (text !== '') found.push(text);
  }
  return found;
}

const cleaned = (text: string): string =>
  text
    .replace(/^[\s:*_—–-]+/u, '')
    .trim()
    .slice(0, maxMarkedLength);
