/**
 * Whether a speaker passes the piece: `I pass`, `I pass the piece`, `I pass to X`, `passing to X`, in plain words, where it
 * stands alone or opens or ends a sentence. In doubt it is none: a pass that was missed costs some beats, one that was
 * none cuts the speaker off. Pure.
 */
import { lineEnd, masked, type Passage, passagesOf } from './plain-speech.ts';

export interface FoundPass {
  /** The line that it ends in, as it was said: a name may go on over the end of a line. */
  readonly line: string;
  /** Who was named, as it was said; null for nobody. */
  readonly to: string | null;
  /** Offset of the line's end in the words. */
  readonly end: number;
}

/**
 * The first pass in them.
 * @param own without what was delivered to the speaker
 * @param names of the seats: a name of more words is known by it, also where the sentence goes on
 */
export function findPass(own: string, names: readonly string[] = []): FoundPass | undefined {
  if (!/pass/i.test(own)) return undefined;
  const known = names.map(patternOf);
  for (const passage of passagesOf(own, /pass/i))
    for (const form of passage.plain.matchAll(forms)) {
      const pass = readForm(passage, { start: form.index, end: form.index + form[0].length, form: form[0] }, known);
      if (pass !== undefined) return lineAt(own, passage.lineOf[pass.last]!, pass.to);
    }
  return undefined;
}

function lineAt(own: string, number: number, to: string | null): FoundPass {
  const lines = own.split('\n');
  const end = lines.slice(0, number + 1).join('\n').length;
  return { line: lines[number]!, to, end };
}

/** What of `text` is said up to and with the line of the pass, which was found in `own`, a part of it. */
export function cutAtPass(text: string, own: string, { line, end }: FoundPass): string {
  const wanted = line.trim();
  const isWanted = (each: string): boolean => each.trim() === wanted;
  const after = own.slice(end).split('\n').filter(isWanted).length;
  const lines = text.split('\n');
  const places = lines.flatMap((each, index) => (isWanted(each) ? [index] : []));
  const last = places.at(-1 - after) ?? places[0];
  return last === undefined ? text : lines.slice(0, last + 1).join('\n');
}

const forms =
  /(?<![\p{L}\p{N}_'’-])(?:I\s(?:(?:now|hereby|gladly|happily|therefore)\s)?pass|(?:(?:I\sam|I['’]m)\s(?:(?:now|hereby|gladly|happily)\s)?)?passing)(?![\p{L}\p{N}_'’])/giu;

interface Form {
  readonly start: number;
  readonly end: number;
  readonly form: string;
}

interface ReadPass {
  readonly to: string | null;
  /** Place of the last character that belongs to it. */
  readonly last: number;
}

function readForm(passage: Passage, { start, end, form }: Form, known: readonly RegExp[]): ReadPass | undefined {
  const from = sentenceStart(passage.plain, start);
  if (from === undefined) return undefined;
  const prefix = passage.plain.slice(from, start);
  const before = beforeIt(prefix);
  if (before === undefined) return undefined;
  const isPassing = /ing$/i.test(form);
  const after = passage.plain.slice(end, end + 200);
  const piece = /^\sthe\s(?:talking\s)?piece(?![\p{L}\p{N}_'’-])(?:\s(?:on|over|along|back))?(?!\sof\b)/iu.exec(after);
  const link = /^(?<it>\sit)?(?:\s(?:on|over|back|along))?\sto\s/i.exec(after.slice(piece?.[0].length ?? 0));
  const nameAt = end + (piece?.[0].length ?? 0) + (link?.[0].length ?? 0);
  if (link !== null) {
    const named = readName(passage, nameAt, known, !isPassing);
    // `I pass it to Docker` tells of something else.
    if (named === undefined || (link.groups?.['it'] !== undefined && !named.isKnown)) return undefined;
    if (!fits(passage.plain, named.end, before, named.isKnown ? 'known' : 'name')) return undefined;
    const to = named.to.toLowerCase() === 'you' ? (calledBefore(prefix, known) ?? named.to) : named.to;
    return { to, last: named.end - 1 };
  }
  if (isPassing || !fits(passage.plain, nameAt, before, piece === null ? 'bare' : 'piece')) return undefined;
  return { to: null, last: nameAt - 1 };
}

const shortened = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|no|nr|dr|mr|mrs|ms|st|fig|ca|approx|z\.b|bzw)\.$/i;

/** Nobody's sentence is longer; of one that is, nothing is made. Characters. */
const longestSentence = 2_000;

/** Undefined where its beginning is too far away. */
function sentenceStart(text: string, at: number): number | undefined {
  const from = Math.max(0, at - longestSentence);
  let start = from === 0 ? 0 : undefined;
  for (const { index, 0: mark } of text.slice(from, at).matchAll(/[.!?…]+[)\]]*(?=\s)|\u2029/gu)) {
    const end = from + index + mark.length;
    if (mark === lineEnd || !shortened.test(text.slice(Math.max(0, end - 12), end))) start = end;
  }
  return start;
}

/** What follows in the same sentence, with the marks that end it. */
function restOf(text: string, from: number): string {
  const rest = text.slice(from, from + longestSentence);
  const found = /[.!?…]+(?=[\s)\]\p{Extended_Pictographic}]|$)|\u2029/u.exec(rest);
  return found === null ? rest : rest.slice(0, found.index + found[0].length);
}

/** What may stand before a pass that opens a sentence. */
const leadIn =
  /^(?:(?:and|so|ok|okay|alright|all right|right|well|now|thus|therefore|hence|here|great|good|fine|yes|no|nope|thanks|thank you(?: all| everyone| both)?|done|for now|for this round|for my part|from me|from my side|as for me|this round|this time|with (?:this|that|these words|gratitude|thanks)|that said|having said that|on that note|in closing|finally|lastly|at this point|today|in that case|that is all(?: from me)?|that's all(?: from me)?|nothing (?:more |else |new )?(?:to add|from me)|over to you|please)(?=[\s,;:!–—-])[\s,;!–—-]*(?::\s+)?)*$/iu;
/** It is thought of, or awaited. */
const conditional =
  /^(?:(?:and|but|so|then|or|only|even|except|not)\s+)*(?:if|when|once|unless|until|till|before|after(?! (?:hearing|listening|reading|weighing|thinking))|whenever|as soon as|as long as|in case|suppose|supposing|imagine|assuming|provided|should|were|had|whether)(?![\p{L}])/iu;
/** Somebody else's words follow, or words that are shown. */
const reporting =
  /(?:\b(?:say|says|said|saying|write|writes|wrote|type|types|typed|shout|shouts|whisper|reply|replies|replied|answer|answers|answered|announce|announces|announced|read|reads|ask|asks|asked|tell|tells|told|quote|phrase|instance|example|means|goes)|\be\.g\.|\bsuch as|\blike|\bi\.e\.)\s*$/iu;
const ownColon =
  /(?:\b(?:decision|verdict|conclusion|status|result|closing|summary|last words?|from me|me|done|nothing (?:more )?to add)|^final)\s*:\s*$/iu;
/** Between two parts of a sentence. */
const clauseEnd =
  /[,;–—…]\s*|\s-+\s+|\s(?=(?:and|so|but|therefore|thus|hence)\s+(?:now\s+|with (?:this|that)\s+|here\s+)?$)/iu;

const joining = /^(?:(?:and|so|but|now|here|therefore|thus|hence|with (?:this|that))\s+)*$/iu;

/** `open`: it opens the sentence; `end`: it may end it; undefined: neither. */
function beforeIt(words: string): 'open' | 'end' | undefined {
  const prefix = words.replace(/^[^\p{L}\p{N}\uE000]+/u, '');
  if (leadIn.test(prefix)) return 'open';
  if (ownColon.test(prefix)) return 'end';
  const clauses = prefix.split(new RegExp(clauseEnd, 'giu'));
  const last = clauses.pop()!;
  if (clauses.length === 0 || !joining.test(last)) return undefined;
  if (clauses.some((clause) => conditional.test(clause))) return undefined;
  // After `and`, `so` nobody is quoted.
  return last === '' && reporting.test(clauses.at(-1)!) ? undefined : 'end';
}

const ends =
  /^(?:\s(?:now|here|for now|this time|this round|again|today|next|please|then|with (?:thanks|gratitude|pleasure|this|that)))?[^\p{L}\p{N}\uE000?]*$/iu;
const nextClause = /^(?:\s*[,;–—(]|\s*\p{Extended_Pictographic}|\s-+\s)/u;
const because =
  /^\s(?:because|since|so|now|here|for now|this time|this round|again|today|without)(?![\p{L}\p{N}_'’-])/iu;
const afterName = /^\s(?:because|since|so|now|next|who|for|as|and|here|this time|this round)(?![\p{L}\p{N}_'’-])/iu;
const notAfterKnown =
  /^(?:['’]\p{L}|[-/_@]\p{L}|\s(?:the|a|an|my|our|your|his|her|its|their|this(?! (?:time|round))|that|these|those|all|some|was|is|are|were|would|will|could|can|should|might|means|makes|made|in|into|through|via|as|by|when|whenever|once|if|unless|until|after|before|later|soon|tomorrow|always|often|usually|every)(?![\p{L}]))/iu;
const notAfterPiece =
  /^(?:['’-]\p{L}|\s(?:of|that|which|into|through|as|in|under|by|when|whenever|once|if|unless|until|after|before|only|later|soon)(?![\p{L}]))/iu;

/** Whether what follows the pass leaves it one. */
function fits(text: string, end: number, before: 'open' | 'end', what: 'bare' | 'piece' | 'name' | 'known'): boolean {
  const rest = restOf(text, end);
  if (ends.test(rest)) return true;
  if (before === 'end' || isAsked(rest)) return false;
  if (what === 'piece') return !notAfterPiece.test(rest);
  if (what === 'known') return !notAfterKnown.test(rest);
  if (nextClause.test(rest)) return true;
  return what === 'name' ? /^:\s/.test(rest) || afterName.test(rest) : because.test(rest);
}

/** `I pass?`, `I pass to Mo, right?`: asked is the pass itself, and not what follows it. */
function isAsked(rest: string): boolean {
  if (!/\?[^\p{L}\p{N}]*$/u.test(rest)) return false;
  const [first, ...more] = rest.split(/[,;:–—]|\s-+\s/u);
  const asked = more
    .join(' ')
    .replaceAll(/[^\p{L}\s]/gu, '')
    .trim();
  return first!.includes('?') || /^(?:right|ok|okay|yes|no|correct|or|or not|shall i|should i|do i|)$/iu.test(asked);
}

interface ReadName {
  readonly to: string;
  readonly end: number;
  readonly isKnown: boolean;
}

/** `Mo`, as it may be written: case and blanks do not matter. */
function patternOf(name: string): RegExp {
  const words = name
    .normalize('NFC')
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${words.join('\\s+')}(?![\\p{L}\\p{N}\\p{M}_])`, 'iu');
}

const introduced = /^(?:you,?\s|@|#|number\s|speaker\s)*/iu;
const inOrder =
  /^(?:(?:the|our|whoever\sis|whoever\scomes)\s)?next(?:\s(?:one|speaker|person|member|voice|in\s(?:order|line|turn|the\s(?:circle|order|round))))?(?![\p{L}\p{N}_'’-])(?!\s\p{L})/iu;
const notAName =
  /^(?:the|a|an|this|that|these|those|my|our|his|her|its|their|some|any|each|every|all|both|another|other|such|what|which|it|them|in|on|by|be|do|get|make|see|have|go|let|use|me|him|us)(?![\p{L}])/iu;
const oneWord = /^(?:no\sone(?![\p{L}])|[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*)/u;
const someWords = /^[\p{Lu}\p{N}][\p{L}\p{N}\p{M}_-]*(?:\s[\p{Lu}\p{N}][\p{L}\p{N}\p{M}_-]*){0,3}/u;

/** `Ben, I pass to you`: who was called. */
function calledBefore(prefix: string, known: readonly RegExp[]): string | undefined {
  const clause = /([^,;:–—]{1,80})[,–—]\s*$/u.exec(prefix)?.[1]?.replaceAll(/^[^\p{L}\p{N}]+|\s+-?$/gu, '');
  return clause !== undefined && known.some((name) => name.exec(clause)?.[0] === clause) ? clause : undefined;
}

/** @param isSure of the form: another than a known name, not written as one, may stand there too */
function readName(
  { raw, plain }: Passage,
  at: number,
  known: readonly RegExp[],
  isSure: boolean,
): ReadName | undefined {
  if (plain[at] === masked) return quotedName(raw, plain, at, known);
  const from = at + introduced.exec(plain.slice(at, at + 40))![0].length;
  const text = plain.slice(from, from + 200);
  const longest = longestOf(known, text);
  if (longest !== '')
    return {
      to: longest.replaceAll(/\s+/g, ' '),
      end: from + longest.length + numberAfter(text, longest),
      isKnown: true,
    };
  const order = inOrder.exec(text)?.[0];
  if (order !== undefined) return { to: order, end: from + order.length, isKnown: true };
  if (notAName.test(text)) return undefined;
  const word = (someWords.exec(text) ?? (isSure ? oneWord.exec(text) : null))?.[0];
  if (word === undefined) return undefined;
  const number = numberAfter(text, word);
  return { to: text.slice(0, word.length + number), end: from + word.length + number, isKnown: false };
}

function longestOf(known: readonly RegExp[], text: string): string {
  const all = known.map((name) => name.exec(text)?.[0] ?? '');
  return all.reduce((one, other) => (other.length > one.length ? other : one), '');
}

/** Of ` (1)` behind a name. */
function numberAfter(text: string, name: string): number {
  return /^\s?\(\d{1,4}\)/.exec(text.slice(name.length))?.[0].length ?? 0;
}

/** `I pass to "Mo"`: the name alone is in marks. */
function quotedName(raw: string, plain: string, at: number, known: readonly RegExp[]): ReadName | undefined {
  let end = at;
  while (plain[end] === masked) end += 1;
  const to = raw.slice(at, end).replaceAll(/^[`"'“”„«»‹›‘’‚「」『』\s@#]+|[`"'“”„«»‹›‘’‚「」『』\s]+$/gu, '');
  const isKnown = known.some((name) => name.exec(to)?.[0] === to);
  return isKnown || someWords.exec(to)?.[0] === to ? { to, end, isKnown: false } : undefined;
}
