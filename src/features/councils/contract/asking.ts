/** The words of the questions that a council puts, and what a typed answer means. One text for every door. */
import type { CouncilQuestion } from './session.ts';
import type { Disposition, PinDisposition, YieldAnswer, YieldName } from './words.ts';

/** The choices of a yield in one line. */
export const yieldLine = '[c]ontinue / [p]ause / [i]nterject "..." / [w]rap-up / [a]bort';
export const pinLine = '[e]xtract / [k]eep in notes only / [d]rop';
export const reviewLine = '[a]ccept / [e]dit / [d]rop';

export interface AnswerOption {
  readonly answer: string;
  readonly label: string;
}

/** Free text is the fifth answer: the interjection. */
const yieldOptions: readonly AnswerOption[] = [
  { answer: 'continue', label: '[c]ontinue' },
  { answer: 'pause', label: '[p]ause' },
  { answer: 'wrap-up', label: '[w]rap-up' },
  { answer: 'abort', label: '[a]bort' },
];
const pinOptions: readonly AnswerOption[] = [
  { answer: 'extract', label: 'Extract' },
  { answer: 'keep', label: 'Keep in notes only' },
  { answer: 'drop', label: 'Drop' },
];
const reviewOptions: readonly AnswerOption[] = [
  { answer: 'accept', label: 'Accept' },
  { answer: 'edit', label: 'Edit' },
  { answer: 'drop', label: 'Drop' },
];

const yieldTitles: Readonly<Record<YieldName, string>> = {
  'post-charter': 'post-CHARTER',
  'post-research': 'post-RESEARCH',
  'discuss-cadence': 'discuss-cadence',
  'pre-close': 'pre-CLOSE',
  'pre-save': 'pre-SAVE',
};

/** @param turns with `discuss-cadence`: DISCUSS turns since the last yield */
function yieldText(at: YieldName, turns: number): string {
  const after = {
    'post-charter': 'review charter and decide how to proceed',
    'post-research': 'review preludes and decide how to proceed',
    'discuss-cadence': `${turns} DISCUSS turn${turns === 1 ? '' : 's'} since last yield; review and decide how to proceed`,
    'pre-close': 'about to draft close-time triage and artifacts; review and decide how to proceed',
    'pre-save': 'about to write artifacts to disk; review and decide how to proceed',
  }[at];
  return `${yieldTitles[at]} yield — ${after}`;
}

/** What stands above the choices. */
export function questionWords(question: CouncilQuestion): { readonly header: string; readonly text: string } {
  switch (question.kind) {
    case 'yield':
      return { header: `Yield: ${yieldTitles[question.at]}`, text: yieldText(question.at, question.turns) };
    case 'pin':
      return {
        header: `Pin: ${question.pin}`,
        text: `${question.pin} — a file of its own, in the notes only, or neither?`,
      };
    case 'review':
      return {
        header: `Review: ${draftTitle(question.draft)}`,
        text: `${draftTitle(question.draft)} — written as shown, as you change it, or not at all?`,
      };
  }
}

/** One word for what is asked: `post-charter`, `SP-2`, `memory:Theo`. */
export function questionName(question: CouncilQuestion): string {
  if (question.kind === 'yield') return question.at;
  return question.kind === 'pin' ? question.pin : question.draft;
}

/** `memory:Theo` → `memory of Theo`. */
export function draftTitle(draft: string): string {
  if (draft === 'action-items') return 'action items';
  return draft.startsWith('memory:') ? `memory of ${draft.slice('memory:'.length)}` : draft;
}

export function optionsOf({ kind }: CouncilQuestion): readonly AnswerOption[] {
  return { yield: yieldOptions, pin: pinOptions, review: reviewOptions }[kind];
}

export function lineOf({ kind }: CouncilQuestion): string {
  return { yield: yieldLine, pin: pinLine, review: reviewLine }[kind];
}

export type KnownAnswer = YieldAnswer | PinDisposition | Disposition;

const spellings: Readonly<Record<CouncilQuestion['kind'], Readonly<Record<string, KnownAnswer>>>> = {
  yield: {
    c: 'continue',
    continue: 'continue',
    p: 'pause',
    pause: 'pause',
    i: 'interject',
    interject: 'interject',
    w: 'wrap-up',
    'wrap-up': 'wrap-up',
    wrapup: 'wrap-up',
    'wrap up': 'wrap-up',
    a: 'abort',
    abort: 'abort',
  },
  pin: {
    e: 'extract',
    extract: 'extract',
    k: 'keep',
    keep: 'keep',
    'keep in notes only': 'keep',
    d: 'drop',
    drop: 'drop',
  },
  review: { a: 'accept', accept: 'accept', e: 'edit', edit: 'edit', d: 'drop', drop: 'drop' },
};

/** A letter or a full word, in any case, with or without brackets. Undefined for anything else. */
export function knownAnswer({ kind }: CouncilQuestion, typed: string): KnownAnswer | undefined {
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/^\[(\w)\]/, '$1');
  return Object.hasOwn(spellings[kind], word) ? spellings[kind][word] : undefined;
}

/** Every full word that may be answered, for a message. */
export function answersOf(question: CouncilQuestion): readonly string[] {
  return [...new Set(Object.values(spellings[question.kind]))];
}

export interface TypedAnswer {
  readonly answer: KnownAnswer;
  readonly text?: string;
}

/**
 * What a person typed at the prompt: a known answer, `interject` with its words, or at a yield any other text, which is
 * the interjection. Undefined where it has to be asked again.
 */
export function parseTyped(question: CouncilQuestion, typed: string): TypedAnswer | undefined {
  const said = typed.trim();
  const known = knownAnswer(question, said);
  if (known !== undefined) return { answer: known };
  if (question.kind !== 'yield' || said === '') return undefined;
  const interjected = /^(?:\[?i\]?nterject|i)[\s:]+(.+)$/isu.exec(said)?.[1]?.trim();
  return { answer: 'interject', text: withoutQuotes(interjected ?? said) };
}

function withoutQuotes(text: string): string {
  return /^(["'“]).*["'”]$/su.test(text) && text.length > 2 ? text.slice(1, -1) : text;
}
