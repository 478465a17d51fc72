/**
 * Masks secrets in a text that comes in pieces, so that what is shown and kept of it never holds one, also when it is
 * cut anywhere. Pure: a state and a piece in; the next state, and what may be shown, out.
 *
 * What is still open (a word without its end, a name before the value that it announces, a private key) stays in the
 * state; what is settled is looked through like any other text, and leaves it. Of what is open, everything is shown at
 * once that cannot be part of a secret: the words of prose are, a value after `password:` is not.
 */
import { findKnown, findNow, knownFrom, type KnownSecret, mayHoldSecret } from './find.ts';
import { type Finding, maskFindings } from './patterns.ts';
import { findOpenKey } from './private-keys.ts';

export interface MaskState {
  /** What is not settled yet; it begins where a word begins. */
  readonly open: string;
  /** Characters of it that have been shown. */
  readonly shown: number;
  /** Secrets that were found and are looked for in what follows, where no name announces them any more. */
  readonly known: readonly KnownSecret[];
}

export const emptyMaskState: MaskState = { open: '', shown: 0, known: [] };

/** From now on these are masked too, wherever they stand. */
export function withKnown(state: MaskState, more: readonly KnownSecret[]): MaskState {
  return more.length === 0 ? state : { ...state, known: withFresh(state.known, more) };
}

export interface MaskStep {
  readonly state: MaskState;
  readonly text: string;
}

/** Characters without a blank that are held at most before the first half of them is let go. */
const longestWord = 8_400;
/** A word that is held is looked at anew with each piece up to this length; a longer one when it ends. */
const freshWord = 300;
/** What has come of a private key is dropped from time to time, when it is longer. */
const longestKey = 2_000;
const maxKnown = 50;

/** What must not be cut: its beginning, and as `held` what of it may be a secret. Each reaches to the end of the text. */
const open = [
  // A name that announces a secret, and the value.
  /(?:password|passwd|passphrase|pwd|token|secret|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|credential|auth[_-]?key)\\?["'`]?\s{0,8}(?:(?:=>?|:)\s{0,8}\\?["'`]?(?<held>\S{0,9000}))?$/i,
  /\b(?:Bearer|Basic)(?:\s{1,8}(?<held>\S{0,9000}))?$/i,
  // An address may hold signs that are in no other secret.
  /[a-z][a-z0-9+.-]{1,20}:\/\/(?<held>\S{0,1400})$/i,
  /(?<held>-----BEGIN ?[A-Z0-9 ]{0,80}-{0,4})$/,
];

/** Beginnings of secrets that need no name. After one of them a word is held to its end. */
const beginnings =
  'AKIA ASIA ABIA ACCA AIza eyJ gho_ ghp_ ghr_ ghs_ ghu_ github_ sk- sk_ rk_ pypi- ya29. AGE- npm_ xoxa- xoxb- xoxo- xoxp- xoxr- xapp- gsk_ hf_ lin_ ntn_ SG. shpp shpc shpa shps glpat- glc_ glsa_ ops_ hvs. hvb. hvr. vca_ vci_ vck_ vcp_ vcr_ dapi dckr_ figd_ https:// http:// ftp:// ftps:// mongodb mysql jdbc: postgres'.split(
    ' ',
  );
const begun = beginnings.flatMap((word) => Array.from(word.slice(1), (_, index) => word.slice(0, index + 1)));
const beginsSecret = new RegExp(`(?<![A-Za-z0-9])(?:${alternatives(beginnings)})|-----|:\\/\\/`);
const mayBeginSecret = new RegExp(`(?<![A-Za-z0-9])(?:${alternatives(begun)})$|-{1,4}$`);
/** Signs that stand in secrets and seldom in prose; a colon within a word may end a name. */
const unusual = /[\d_=@+~%\\#&]|:./;

function alternatives(words: readonly string[]): string {
  return [...new Set(words)].map((word) => word.replaceAll('.', String.raw`\.`)).join('|');
}

/** @param piece any part of the text, of any length, cut anywhere */
export function maskPiece(state: MaskState, piece: string): MaskStep {
  const text = state.open + piece;
  if (staysHeld(state, piece)) return { state: { ...state, open: text }, text: '' };
  const { settled, visible } = partsOf(text);
  const findings = settled === 0 ? [] : findWith(state.known, text, settled);
  return letGo(state, text, findings, Math.max(settled, ...findings.map(({ end }) => end)), visible);
}

/** What is still held, when nothing more comes. */
export function maskRest(state: MaskState): string {
  const { open: text, known } = state;
  return letGo(state, text, findWith(known, text, text.length), text.length, text.length).text;
}

/** A long word without its end: there is nothing new to tell of it. */
function staysHeld({ open: before, shown }: MaskState, piece: string): boolean {
  const isLong = before.length > freshWord && before.length + piece.length < longestWord;
  return isLong && shown < before.length && !before.includes('-----') && !/[^\x21-\x7e]/.test(piece);
}

interface Parts {
  /** Up to here the text is settled. */
  readonly settled: number;
  /** Up to here it may be shown. */
  readonly visible: number;
}

function partsOf(text: string): Parts {
  const wordStart = startOfWord(text, text.length);
  const key = text.includes('-----BEGIN') ? findOpenKey(text, wordStart) : undefined;
  if (key === undefined && text.length - wordStart >= longestWord) {
    const half = text.length - longestWord / 2;
    return { settled: half, visible: half };
  }
  const all = open.flatMap((pattern) => partsBy(pattern, text));
  if (key !== undefined) all.push({ settled: startOfWord(text, key.start), visible: key.start });
  all.push({ settled: wordStart, visible: isHarmless(text.slice(wordStart)) ? text.length : wordStart });
  return {
    settled: Math.min(...all.map(({ settled }) => settled)),
    visible: Math.min(...all.map(({ visible }) => visible)),
  };
}

function partsBy(pattern: RegExp, text: string): Parts[] {
  const found = pattern.exec(text);
  if (found === null) return [];
  const held = found.groups?.['held'] ?? '';
  return [{ settled: startOfWord(text, found.index), visible: text.length - held.length }];
}

/** Blanks end a word, and so do letters that are in no secret. */
function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && text.charCodeAt(start - 1) > 0x20 && text.charCodeAt(start - 1) < 0x7f) start -= 1;
  return start;
}

function isHarmless(word: string): boolean {
  return !unusual.test(word) && !beginsSecret.test(word) && !mayBeginSecret.test(word);
}

/** How much may be shown when the last word may be a secret that was found before. */
function withoutRepeat(text: string, known: readonly KnownSecret[], visible: number): number {
  if (known.length === 0) return visible;
  const wordStart = startOfWord(text, text.length);
  return known.some(({ value }) => mayRepeat(value, text.slice(wordStart))) ? Math.min(visible, wordStart) : visible;
}

function mayRepeat(value: string, word: string): boolean {
  return word.includes(value.slice(0, 8)) || value.startsWith(word.replace(/^["'`(<]+/, ''));
}

/** Findings that begin before `settled`. Only where a word is cut for its length do they reach over it. */
function findWith(known: readonly KnownSecret[], text: string, settled: number): Finding[] {
  const isCutWord = settled < text.length && startOfWord(text, settled) < settled;
  const part = isCutWord ? text : text.slice(0, settled);
  const found = mayHoldSecret(part) ? findNow(part) : [];
  return [...found, ...findKnown(part, known)].filter(({ start }) => start < settled);
}

function letGo(
  { shown, known: before }: MaskState,
  text: string,
  findings: readonly Finding[],
  settled: number,
  visible: number,
): MaskStep {
  // A secret that begins in what was shown is masked from there on.
  const unseen = findings.flatMap(({ start, end, kind }) =>
    end <= shown ? [] : [{ start: Math.max(0, start - shown), end: end - shown, kind }],
  );
  const from = Math.max(settled, shown);
  const known = findings.length === 0 ? before : withFresh(before, knownFrom(text, findings));
  const to = Math.max(from, withoutRepeat(text, known, visible));
  return {
    state: { open: shortened(text.slice(settled)), shown: to - settled, known },
    text: maskFindings(text.slice(shown, from), unseen) + text.slice(from, to),
  };
}

function withFresh(known: readonly KnownSecret[], fresh: readonly KnownSecret[]): readonly KnownSecret[] {
  const isNew = ({ value }: KnownSecret): boolean => known.every((one) => one.value !== value);
  return [...known, ...fresh.filter(isNew)].slice(-maxKnown);
}

/** Without the part of a long private key that is not needed any more to tell where it ends. */
function shortened(text: string): string {
  if (text.length < longestKey || !text.includes('-----BEGIN')) return text;
  const key = findOpenKey(text, text.length);
  return key === undefined ? text : `${text.slice(0, key.body)}\n${text.slice(key.lastRun)}`;
}
