/** What a question asks for, as far as its form says so. */
import type { Situation, SituationTurn } from '../situation.ts';
import { readTerms, type Terms, unique } from './words.ts';

export type Intent =
  | 'overview'
  | 'explain'
  | 'usage'
  | 'tests'
  | 'count'
  | 'compare'
  | 'dependencies'
  | 'open_work'
  | 'errors'
  | 'settings'
  | 'largest'
  | 'more'
  | 'list';

export interface Question {
  readonly text: string;
  readonly intent: Intent;
  readonly terms: Terms;
  /** The terms are those of an earlier turn, because this one has none of its own. */
  readonly isFollowUp: boolean;
  /** A place of an earlier answer that is meant: "the second", "more of that". */
  readonly place?: { readonly path: string; readonly line: number };
}

/** First match decides. */
const forms: readonly (readonly [RegExp, Intent])[] = [
  [/\b(differ(s|ence|ences|ent)?|compare|compared (to|with)|versus|vs\.?)\b/i, 'compare'],
  [/\b(todos?|fixmes?|hacks?|unfinished|technical debt|open work|left to do|risks?|improve(ments?)?)\b/i, 'open_work'],
  [/\b(largest|biggest|longest|size of (the|this) (project|code)|how (big|large)|lines of code)\b/i, 'largest'],
  [/\bhow (many|often)\b|\bcount (the|all|how)\b|\bnumber of\b/i, 'count'],
  [/\b(tested|tests?|coverage|specs? for|covered)\b/i, 'tests'],
  [
    /\b(who|what|where)\b.*\b(calls?|uses?|called|used|referenced|imports?|imported|depends on)\b|\b(callers?|usages?|references?|call sites?)\b/i,
    'usage',
  ],
  [/\b(dependenc(y|ies)|third.party|packages? (are|is|does|do)|which (version|libraries|packages))\b/i, 'dependencies'],
  [
    /\b(env(ironment)? var(iable)?s?|settings?|config(uration)? (options?|keys?|values?)|feature flags?)\b/i,
    'settings',
  ],
  [
    /\b(errors?|exceptions?)\b.*\b(throw[ns]?|raised?|reported|possible|types?|kinds?|handled)\b|\b(throws?|raises?)\b|\bwhat can (go wrong|fail)\b|\bfailure modes?\b/i,
    'errors',
  ],
  [
    /\b(list|enumerate|which|what)\b.*\b(classes|functions|methods|exports|types|interfaces|commands|routes|endpoints|modules|constants|enums)\b/i,
    'list',
  ],
];

const overviewForm =
  /\b(overview|architecture|structure|tour|layout|organi[sz]ed|entry points?|main parts|getting started)\b|\b(what|describe|explain|about|introduce)\b.{0,20}\b(this|the) (project|repo(sitory)?|code ?base|library|package|program|app)\b|\bwhat('s| is) (in )?here\b|\bwhere (do|should|would) (i|we) (start|begin)\b/i;
const moreForm =
  /\b(tell me more|more (about|of|on)|go on|continue|show (me )?(more|the rest)|read on|keep going|elaborate|in (more )?detail)\b|\bthe (first|second|third|fourth|fifth|last) (one|place|file|hit|result)?\b/i;

/** Reads the question of the current turn; earlier turns lend their terms when it has none. */
export function readQuestion(situation: Situation): Question {
  const text = situation.turn.userText;
  const own = withFormSubject(readTerms(text), text);
  const form = forms.find(([pattern]) => pattern.test(text))?.[1];
  const place = moreForm.test(text) ? placeMeant(situation, text) : undefined;
  if (place !== undefined && own.names.length === 0 && own.files.length === 0) {
    return { text, intent: 'more', terms: own, isFollowUp: true, place };
  }
  if (overviewForm.test(text) && own.names.length === 0 && own.files.length === 0 && form !== 'compare') {
    return { text, intent: 'overview', terms: own, isFollowUp: false };
  }
  const earlier = leansOnEarlier(text, own, form) ? earlierTerms(situation.turns) : undefined;
  const isThing = earlier !== undefined && earlier.names.length + earlier.files.length > 0;
  // Words alone are a subject to explain, not a thing of which tests or calls could be counted.
  if (earlier === undefined || (!isThing && form !== undefined && form !== 'usage')) {
    return { text, intent: form ?? 'explain', terms: own, isFollowUp: false };
  }
  const terms = earlier.names.length > 0 ? { ...earlier, words: own.words } : earlier;
  return { text, intent: form ?? 'explain', terms, isFollowUp: true };
}

const pronouns =
  /^(it|its|this|that|these|those|they|them|you|we|i|he|she|there|here|everything|all|one|the|a|an|things?|stuff|done|mean|what|work|code|project|program|tests?|files?)$/i;

/** "how does hello work?": a word that is no search word elsewhere is one where the form of the question says so. */
function withFormSubject(terms: Terms, text: string): Terms {
  if (countTerms(terms) > 0) return terms;
  const subject =
    /\b(?:how (?:does|do|is|are)|what (?:is|does|are|do)|where (?:is|are)|who (?:calls|uses)|is|explain)\s+(?:the\s+)?([A-Za-z_$][\w$]*)\b(?:\s+(?:work|works|do|for|defined|used|called|tested|implemented|mean|made|located))*\s*[?.!]*$/i.exec(
      text.trim(),
    )?.[1];
  return subject === undefined || pronouns.test(subject) ? terms : { ...terms, names: [subject] };
}

/** True when the question means what was spoken of before: it has no term of its own, or only a pronoun for the thing. */
function leansOnEarlier(text: string, own: Terms, form: Intent | undefined): boolean {
  if (own.names.length + own.files.length > 0 || !/[a-z]{2}/i.test(text)) return false;
  const pronoun = /\b(it|its|that|this|they|them|these|those)\b/i.test(text);
  if (own.words.length > 0) return pronoun && (form === 'usage' || form === 'tests');
  if (form === undefined || form === 'usage' || form === 'compare') return true;
  return pronoun && (form === 'tests' || form === 'count' || form === 'errors');
}

/** The names of the question; without one, its words stand in for names. */
export function subjectsOf(question: Question): readonly string[] {
  const { names, words } = question.terms;
  const things = words.filter(
    (word) => !/^(tests?|tested|testing|coverage|covered|covers?|covering|checks?|specs?)$/.test(word),
  );
  return names.length > 0 ? names.slice(0, 2) : things.slice(0, 2);
}

export function countTerms(terms: Terms): number {
  return terms.names.length + terms.files.length + terms.words.length;
}

/** The terms of the latest turn that had any. */
function earlierTerms(turns: readonly SituationTurn[]): Terms | undefined {
  for (const turn of turns.toReversed()) {
    const terms = readTerms(turn.userText);
    if (countTerms(terms) === 0) continue;
    const focus = /(?:\*\*|^### )`([\w$.]+)`/m.exec(turn.assistantText)?.[1];
    if (focus === undefined || terms.names.includes(focus)) return terms;
    return { names: [focus, ...terms.names], files: terms.files, words: [] };
  }
  return undefined;
}

const ordinals: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, fifth: 4, last: -1 };

/** Places in an answer are written `path:line`. */
export function placesIn(text: string): { path: string; line: number }[] {
  const matches = [...text.matchAll(/`([^`\s]+?):(\d+)(?:[-–]\d+)?`/g)];
  const keys = unique(matches.map((match) => `${match[1]}:${match[2]}`));
  return keys.map((key) => ({
    path: key.slice(0, key.lastIndexOf(':')),
    line: Number(key.slice(key.lastIndexOf(':') + 1)),
  }));
}

function placeMeant(situation: Situation, text: string): { path: string; line: number } | undefined {
  const places = placesIn(
    situation.turns.findLast((turn) => placesIn(turn.assistantText).length > 0)?.assistantText ?? '',
  );
  const ordinal = /\bthe (first|second|third|fourth|fifth|last)\b/i.exec(text)?.[1]?.toLowerCase();
  return places.at(ordinal === undefined ? 0 : (ordinals[ordinal] ?? 0)) ?? places.at(-1);
}
