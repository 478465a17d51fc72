/** Whether typed words stand in a program's input, and whether it took them. Pure. */
import type { Manner, ScreenText } from '../contract.ts';
import { lettersOf } from './text.ts';

/** So much of the end of what was typed is looked for before the cursor. */
const tailLength = 24;

/** The end of `text` stands just before the cursor: it was typed, and nobody has taken it. */
export function standsAtCursor(screen: ScreenText, text: string): boolean {
  const wanted = signsOf(text.slice(-200)).slice(-tailLength);
  let before = signsOf((screen.lines[screen.cursorLine] ?? '').slice(0, screen.cursorColumn));
  if (wanted === '' || before === '') return false;
  // A line of the program's own making ends where the text was broken: the line above goes before it.
  for (let at = screen.cursorLine - 1; before.length < wanted.length && at >= 0; at -= 1) {
    before = signsOf(screen.lines[at]!) + before;
  }
  return before.endsWith(wanted);
}

/** Letters where there are some, else whatever is no blank. */
function signsOf(text: string): string {
  return lettersOf(text) || text.replaceAll(/\s/g, '');
}

/** True when the input shows something that could be what was typed; undefined where its input cannot be seen. */
export function hasInput(manner: Pick<Manner, 'inputOf'>, screen: ScreenText): boolean | undefined {
  const input = manner.inputOf?.(screen);
  if (input === undefined) return undefined;
  return input.trim() !== '';
}

/** How the screen was when the words stood there, before Enter. */
export interface Before {
  readonly stoodAtCursor: boolean;
  /** What the program has in its input, where that is known. */
  readonly hadInput: boolean | undefined;
  /** Everything on the screen as one text. */
  readonly picture: string;
  /** The last lines, without where the cursor is. */
  readonly words: string;
}

const comparedLines = 20;

function wordsOn({ lines }: ScreenText): string {
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  return lines.slice(Math.max(0, end - comparedLines), end).join('\n');
}

/**
 * Whether anything but the echo of the words and of Enter, which the terminal itself makes, tells that they were read.
 * True where that cannot be known: of a program whose input is seen, or where nobody saw the screen before Enter.
 */
export function showsSign(
  manner: Pick<Manner, 'inputOf' | 'hasReceipts' | 'isBusy'>,
  screen: ScreenText,
  before: Before | undefined,
): boolean {
  const isKnownElse = manner.hasReceipts || manner.inputOf !== undefined || manner.isBusy !== undefined;
  if (isKnownElse || before?.stoodAtCursor !== true) return true;
  return wordsOn(screen) !== before.words;
}

export function pictureOf(screen: ScreenText): string {
  return `${screen.cursorLine}:${screen.cursorColumn}\n${screen.lines.slice(screen.firstVisible).join('\n')}`;
}

export function beforeEnter(manner: Pick<Manner, 'inputOf'>, screen: ScreenText, text: string): Before {
  return {
    stoodAtCursor: standsAtCursor(screen, text),
    hadInput: hasInput(manner, screen),
    picture: pictureOf(screen),
    words: wordsOn(screen),
  };
}

/**
 * After Enter: whether the screen shows that the program took the words.
 * @param before undefined where nobody saw the screen before Enter: an earlier hall pressed it
 */
export function wasTaken(
  manner: Pick<Manner, 'inputOf' | 'isBusy'>,
  screen: ScreenText,
  text: string,
  before: Before | undefined,
): boolean {
  const input = hasInput(manner, screen);
  if (input === false) return true;
  if (manner.isBusy?.(screen) === true) return true;
  if (input === true) return false;
  if (standsAtCursor(screen, text)) return false;
  if (before === undefined || before.stoodAtCursor) return true;
  return pictureOf(screen) !== before.picture;
}

/** A program told of a prompt: whether it is these words. It may have put its own around them, or shortened them. */
export function isSamePrompt(told: string, typed: string): boolean {
  const prompt = signsOf(told);
  const words = signsOf(typed);
  if (words === '' || prompt === '') return words === prompt;
  if (prompt.includes(words)) return true;
  const head = words.slice(0, 120);
  const tail = words.slice(-120);
  return prompt.includes(head) && prompt.includes(tail);
}
