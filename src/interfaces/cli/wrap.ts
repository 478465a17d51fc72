/** Breaks running text between words, as it comes. What has lines of its own (code, tables) keeps them. */
import type { Terminal } from './terminal.ts';

export interface Wrap {
  /** What can be printed by now; the last word is held back until it is whole. */
  push(text: string): string;
  /** What was held back. */
  flush(): string;
}

interface State {
  readonly width: number;
  column: number;
  /** White space that stands before the next word. */
  space: string;
  word: string;
  /** What the following lines of a paragraph begin with: room under the text of its first, and marks of a quote. */
  prefix: string;
  atStart: boolean;
  inFence: boolean;
  /** This line is printed as it is. */
  asItIs: boolean;
  isHeading: boolean;
  /** Characters of the line as it came. */
  length: number;
  /** The line before ended where its text may go on: the next word decides. */
  mayGoOn: boolean;
}

/** For running text on this terminal; what goes into a file or a pipe is left as it is. */
export function wrapFor(term: Pick<Terminal, 'isTty' | 'width'>): Wrap {
  if (!term.isTty) return { push: (text) => text, flush: () => '' };
  const width = Math.max(20, Math.min(term.width, widest));
  const state: State = { ...lineStart, width, word: '', inFence: false };
  return {
    push: (text) => pushInto(state, text),
    flush: () => place(state) + (state.mayGoOn ? endLine(state, '') : ''),
  };
}

/** A whole text, broken for this terminal. */
export function wrapped(text: string, term: Pick<Terminal, 'isTty' | 'width'>): string {
  const wrap = wrapFor(term);
  return wrap.push(text) + wrap.flush();
}

/** Longer lines are hard to read. Columns. */
export const widest = 100;

/** Words behind a heading of so many columns; lines that follow begin below them. */
export function hanging(text: string, indent: number, width: number): string {
  const room = Math.max(20, Math.min(width, widest) - indent);
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && [...line].length + 1 + [...word].length <= room)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

const lineStart = {
  column: 0,
  space: '',
  prefix: '',
  atStart: true,
  asItIs: false,
  isHeading: false,
  length: 0,
  mayGoOn: false,
};

/** Longer lines were broken by hand; shorter ones are meant as they are. Characters. */
const byHand = 60;
const fence = /^(?:```|~~~)/;
const listMark = /^(?:[-*+]|\d{1,3}[.)]|>)$/;
const heading = /^#{1,6}$/;
const beginsBlock = /^(?:[-*+]$|\d{1,3}[.)]$|>|#{1,6}$|\||```|~~~|-{3,}$|={3,}$|\*{3,}$|_{3,}$)/;

function pushInto(state: State, text: string): string {
  let out = '';
  for (const character of text) {
    state.length += 1;
    if (character === '\n') {
      out += place(state) + endLine(state);
    } else if (character === ' ' || character === '\t') {
      out += place(state);
      state.space += character;
    } else {
      state.word += character;
    }
  }
  return out;
}

/**
 * The break after a line, unless its text may go on: somebody broke a long line by hand, and broken again for this
 * terminal every second line would be a short one.
 */
function endLine(state: State, own = '\n'): string {
  const { length, asItIs, isHeading, atStart, space, mayGoOn } = state;
  if (!atStart && !asItIs && !isHeading && length > byHand && space.length < 2) {
    Object.assign(state, { space: '', atStart: true, length: 0, mayGoOn: true });
    return '';
  }
  Object.assign(state, { ...lineStart });
  return `${mayGoOn ? '\n' : ''}${own}`;
}

/** The word that is whole now, with what stands before it. */
function place(state: State): string {
  if (state.word === '') return '';
  if (state.mayGoOn) return goOn(state);
  const { word, space, prefix } = state;
  const length = [...word].length;
  if (state.atStart) beginText(state);
  const fits = state.asItIs || state.atStart || state.column + space.length + length <= state.width;
  state.column = (fits ? state.column + space.length : prefix.length) + length;
  if (state.atStart) state.atStart = addMark(state);
  Object.assign(state, { word: '', space: '' });
  return (fits ? space : `\n${prefix}`) + word;
}

/** The first word of a line whose break was held back: it goes on with the text, or begins something of its own. */
function goOn(state: State): string {
  state.mayGoOn = false;
  if (!beginsBlock.test(state.word)) {
    Object.assign(state, { space: ' ', atStart: false });
    return place(state);
  }
  Object.assign(state, { ...lineStart, space: state.space });
  return `\n${place(state)}`;
}

/** Before the first word of a line, or the first after a mark. */
function beginText(state: State): void {
  const isFence = fence.test(state.word);
  state.asItIs = isFence || state.inFence || state.word.startsWith('|');
  if (isFence) state.inFence = !state.inFence;
  state.isHeading = heading.test(state.word);
}

/** @returns whether the word was the mark of a list or a quote, after which the text begins */
function addMark(state: State): boolean {
  const { word, space } = state;
  // The end of a fence in a quote stands behind its mark.
  const isMark = (!state.asItIs && listMark.test(word)) || (state.inFence && word === '>');
  const lead = state.prefix === '' ? space.slice(0, 20) : '';
  state.prefix += isMark ? `${lead}${word === '>' ? '>' : ' '.repeat(word.length)} ` : lead;
  return isMark;
}
