/** What the command line writes to: a terminal with its width and colours, or a file or pipe without. */
import { stripVTControlCharacters, styleText } from 'node:util';
import { asTyped, programNameOf } from './typed.ts';

export type Format = 'bold' | 'dim' | 'italic' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan';

export interface Terminal {
  /** Standard output, as it is. */
  out(text: string): void;
  /** Standard error, as it is. */
  err(text: string): void;
  /** Whether a person reads standard output as it comes. */
  readonly isTty: boolean;
  /** Whether a line that was written to standard error can be taken back: a person reads it as it comes. */
  readonly canTakeBack: boolean;
  /** Columns; 100 where nobody says. */
  readonly width: number;
  /** The text in that format, or unchanged where colours are not wanted; taken off again where only one stream wants them. */
  style(format: Format, text: string): string;
  /** The program's own words with the commands in them as the person has to type them here. */
  hint(text: string): string;
}

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** @param script what Node was told to run, as it was typed */
export function createTerminal(
  streams: { out: Stream; err: Stream },
  env: NodeJS.ProcessEnv,
  script: string = '',
): Terminal {
  const program = programNameOf(env, script);
  const isTty = streams.out.isTTY === true;
  const isErrTty = streams.err.isTTY === true;
  const colours = { out: wantsColours(isTty, env), err: wantsColours(isErrTty, env) };
  const any = colours.out || colours.err;
  const shown = (text: string, wanted: boolean): string => (any && !wanted ? stripVTControlCharacters(text) : text);
  return {
    out: (text) => void streams.out.write(shown(text, colours.out)),
    err: (text) => void streams.err.write(shown(text, colours.err)),
    isTty,
    canTakeBack: isErrTty && env['TERM'] !== 'dumb',
    // A terminal that does not say how wide it is has zero columns.
    width: streams.out.columns || streams.err.columns || usualWidth,
    hint: (text) => asTyped(text, program),
    style: (format, text) => (any && text !== '' ? styleText(format, text, { validateStream: false }) : text),
  };
}

/** Columns, where nobody says. */
const usualWidth = 100;

/**
 * `● open` with its mark alone in colour: words are in the colour that the terminal has for words, since yellow is hard
 * to read on white and blue on black. What is dim is dim as a whole.
 */
export function marked(term: Terminal, [text, format]: readonly [string, Format]): string {
  if (format === 'dim') return term.style(format, text);
  const [mark = '', ...words] = text.split(' ');
  return [term.style(format, mark), ...words].join(' ');
}

/** `NO_COLOR` and a dumb terminal say no, `FORCE_COLOR` says yes, else a terminal decides. */
export function wantsColours(isTty: boolean, env: NodeJS.ProcessEnv): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  if ((env['FORCE_COLOR'] ?? '') !== '') return env['FORCE_COLOR'] !== '0';
  return isTty && env['TERM'] !== 'dumb';
}

/**
 * Text of others, safe to print: control characters that could move the cursor, change the terminal's title or hide
 * words are left out; line breaks and tabs stay.
 */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controlCharacters, '');
}

const controlCharacters = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** At most `width` characters in one line, with a mark where it was cut. */
export function oneLine(text: string, width: number): string {
  const flat = plainText(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...flat];
  return characters.length <= width ? flat : `${characters.slice(0, Math.max(1, width - 1)).join('')}…`;
}
