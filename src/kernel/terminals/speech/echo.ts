/** What of a screen's new lines a program said: no echo of what was typed for it, no frame, no status. Pure. */
import type { Manner } from '../contract.ts';
import { lettersOf } from '../delivery/text.ts';
import { isRepetition, maySay, type Passages } from './passages.ts';

/** Fewer letters may be said by chance: a line of them is an echo once for each time that it was typed. */
const tellingLetters = 16;

/** Lines that were typed and whose echo has not been seen. */
export type Awaited = readonly string[];

export interface Heard {
  readonly lines: readonly string[];
  readonly awaited: Awaited;
}

export function heardIn(
  lines: readonly string[],
  manner: Pick<Manner, 'isNoise' | 'plain'>,
  passages: Passages,
  awaited: Awaited,
): Heard {
  const left = [...awaited];
  const kept = lines.filter((line) => {
    if (manner.isNoise?.(line) === true) return false;
    return !isEcho(line, passages, left);
  });
  return { lines: kept.map((line) => manner.plain?.(line) ?? line), awaited: left };
}

/** Takes the line out of those awaited when it is one of them. */
function isEcho(line: string, passages: Passages, left: string[]): boolean {
  const shown = withoutFrame(line);
  const at = left.findIndex((typed) => isTyped(shown, typed));
  if (at !== -1) {
    left.splice(at, 1);
    return true;
  }
  if (lettersOf(line).length < tellingLetters || !isRepetition(passages, line)) return false;
  // The echo of all that was typed has been seen: it is said.
  return left.length > 0 || !maySay(passages, line);
}

/** Marks that a program puts before what is typed: a prompt, a frame. */
const prompt = /^[^\n]{0,80}?[$#%>❯›»:│┃|*-][\s│┃|]*$/u;

/** A prompt with its frame is no longer than a wide screen. */
const maxPrompt = 600;

function isTyped(shown: string, typed: string): boolean {
  const wanted = plainBlanks(typed);
  if (!shown.endsWith(wanted)) return false;
  const before = shown.slice(0, shown.length - wanted.length);
  return before.trim() === '' || (before.length <= maxPrompt && prompt.test(before));
}

function withoutFrame(line: string): string {
  let end = line.length;
  // No pattern: it would begin anew at each of many blanks that stand in the middle of a line.
  while (end > 0 && /[\s│┃|]/u.test(line[end - 1]!)) end -= 1;
  return plainBlanks(line.slice(0, end));
}

function plainBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The lines whose echo is to be expected when `text` is typed. */
export function awaitedFor(text: string): Awaited {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** Lines as one text: without blank lines around it, and never more than one between. */
export function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}
