/** What one clause says of its subject: a request, a thing left open, a judgement, or a verb that tells. */
import type { Words } from './clauses.ts';
import {
  auxiliaries,
  beforeNouns,
  imperatives,
  irregularPasts,
  judgements,
  judgementsOfTalk,
  judgingVerbs,
  numberWords,
  softModals,
  subordinators,
  talkNouns,
  units,
  verbStems,
} from './lexicon.ts';

/** Up to where something else begins that depends on it. */
export function mainPart(clause: Words): Words {
  const end = clause.findIndex((word, at) => at > 0 && subordinators.has(word));
  return end < 0 ? clause : clause.slice(0, end);
}

const urging = new Set(['never', 'always', 'only', 'just', 'instead', 'rather', 'at', 'least']);

export function isRequest(clause: Words): boolean {
  const [first = '', second = ''] = clause;
  if (first === "let's" || (first === 'let' && clause.length > 1)) return true;
  if (urging.has(first) && clause.length > 2) return isRequest(clause.slice(1));
  if (!imperatives.has(first)) return false;
  const main = mainPart(clause).slice(1);
  // "Push messages need …": two nouns and their verb.
  if (isFiniteForm(second) && verbStems.has(clause[2] ?? '') && !/^(?:make|help|have|see|watch)$/u.test(first))
    return false;
  if (auxiliaries.has(second) && second !== 'be' && second !== 'have') return false;
  if (isFiniteForm(second) && clause.length > 3 && !main.some((word) => beforeNouns.has(word))) return false;
  return !main.some((word, at) => finite.has(word) && !pronouns.has(main[at - 1] ?? ''));
}

const finite = new Set(
  [...auxiliaries].filter((word) => !['be', 'being', 'been', 'have', 'do', 'having'].includes(word)),
);
const pronouns = new Set(['i', 'we', 'you', 'they', 'it', 'he', 'she']);
const isFiniteForm = (word: string): boolean =>
  /(?:[^s]s|ed)$/u.test(word) && !beforeNouns.has(word) && !['yes', 'less', 'us'].includes(word);

/** A figure with its unit. */
export const isNumber = (clause: Words): boolean =>
  clause.some(
    (word, at) =>
      (/\d/u.test(word) || numberWords.has(word)) && (units.has(clause[at + 1] ?? '') || /\d\p{L}|%/u.test(word)),
  );
const names = (clause: Words): boolean =>
  clause.some((word) => word.includes('‹') || /\p{L}_\p{L}|\p{L}\.\p{L}/u.test(word));

const somebody = new Set([
  'someone',
  'somebody',
  'anyone',
  'anybody',
  'everyone',
  'everybody',
  'one',
  'you',
  'we',
  'people',
]);

/** Should, could, might: it is not said that it is so. A figure is one all the same. */
export function isLeftOpen(clause: Words): boolean {
  const [first = '', second = '', third = ''] = clause;
  const modals = [...clause.keys()].filter((at) => isModal(clause, at));
  const end = mainPart(clause).length;
  const isOpen = modals.length > 0 && (modals[0]! < end || !clause.slice(modals.at(-1)).some((word) => told.has(word)));
  if (isOpen) return !isNumber(clause);
  if (first === 'you' && second === 'need' && /^an?$/u.test(third)) return false;
  const needs = third === 'to' ? `${second} to` : second;
  return somebody.has(first) && /^(?:must|needs?(?: to)?|ha(?:s|ve) to|can)$/u.test(needs);
}

/** May is a month, too. */
const isModal = (clause: Words, at: number): boolean =>
  softModals.has(clause[at]!) &&
  !(clause[at] === 'may' && (months.has(clause[at - 1] ?? '') || /^\d/u.test(clause[at + 1] ?? '')));
const months = new Set('in of since until last by from to this next early late before after mid and for'.split(' '));

const told = new Set(['is', 'are', 'was', 'were', 'has', 'had', 'does', 'did', 'will', 'can', 'cannot']);

const copulas = new Set(
  "is are was were be been being seems seem feels feel looks look sounds sound remains remain becomes become isn't aren't wasn't weren't it's that's makes make made find finds nothing strikes".split(
    ' ',
  ),
);
const strong =
  /\b(?:(?:good|fair|strong|valid|great|bad|terrible|nice|weak|poor) (?:point|idea|argument|question|compromise|call)|makes? (?:no |more |little )?sense|worth (?:the|it|a|doing|\p{L}+ing)|(?:more|less|most|least) (?:important|sensible|honest|elegant|valuable|urgent|interesting|convincing|reasonable)|(?:better|worse|rather) (?:than|off|to)|deciding factor|the (?:right|wrong|best|worst|better) \p{L}+|too (?:much|little|many|few)|a lot of|needs? (?:more |some |a little )?(?:work|care|thought|attention|polish|love|time)|depends? on (?:what|how|who|whether|where)|(?:gives?|buys?|leaves?|costs?) us (?:more|less|room|time|nothing|too))\b/u;
const feeling =
  /^(?:not )?(?:happy|glad|sorry|ready|willing|keen|eager|curious|tempted|inclined|unsure|sure|fine|good|great|sounds?|looks|hard|tough) (?:to|about|with|for|at|by|good|fine|right|great|reasonable)\b|\bwe (?:are|were|keep) (?:still |again |now |all )?(?:over\p{L}+|discussing|talking|missing|solving|circling|arguing|mixing|conflating|debating|guessing|splitting|asking|going)\b|\b(?:risk|stakes|bar|gain|benefit|value|effort|upside|downside|price) (?:is|are|seems) (?:very |too |quite |rather )?(?:low|high|small|tiny|modest|real|great|large)\b|^it (?:all )?depends\b|\bthere yet\b|\bha(?:s|ve) a point\b|\b(?:is|are|was) (?:(?:not|more|less|all|mostly|only|really|just) ){0,2}about (?!\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|half|twice|twenty|thirty|fifty|hundred)\b)|\bno (?:perfect|easy|right|good|better|simple) \p{L}+|\bburden of proof\b|\b(?:is|are|am) (?:absolutely |quite )?(?:right|wrong) (?:about|on|to|there|here)\b|\bremains? to be\b|^(?:nobody|no one|none of us|we) ha(?:s|ve) (?:yet |not |so far ){0,2}(?:said|asked|mentioned|named|answered|explained|spoken|talked|discussed|addressed)\b|^(?:an?|one|two|three|some|the|another|few|something|nothing|everything|all)(?: \p{L}+){0,3} (?:i|i'd|i'll) (?:would|want|like|need|miss|propose|suggest|am|will|love|ask)\b|^point taken|\bha(?:s|ve) (?:a|its|their) (?:point|price|place|limits|merits?|charm|cost|downsides?)\b|^(?:an? |the )?(?:good|bad|great|honest|healthy|boring|ideal|perfect) \p{L}+|^what (?:i|we) (?:miss|want|need|like|love|hope|care|ask|propose|suggest|would|lack|value)\b|^what (?:matters|counts|helps)\b|^we (?:still )?have (?:a|no|two|three|four|several|many|some|enough|different) (?:\p{L}+ )?(?:goals?|options?|choices?|questions?|problems?|proposals?|views?|answers?|time|ways?|reasons?|decisions?)$|^(?:quality|trust|simplicity|clarity|honesty|complexity|patience|focus|speed|safety|privacy|transparency|consistency|perfection|security|design|silence|scope|ownership|names) (?:is|are|beats?|comes?|wins?|matters?|means|costs)\b|\bcost of being\b/u;
const ofTalk = new Set(
  "this that it such it's that's these those which option idea proposal design approach argument plan wording name solution variant point".split(
    ' ',
  ),
);

export function isJudgement(clause: Words): boolean {
  if (isNumber(clause) || names(clause)) return false;
  const main = mainPart(clause);
  const text = main.join(' ');
  if (strong.test(clause.join(' ')) || feeling.test(text)) return true;
  if (main.some((word, at) => at > 0 && judgingVerbs.has(word) && !beforeNouns.has(main[at - 1]!))) return true;
  if (
    /\b(?:me|myself|mine|my (?:side|view|mind|position|opinion|own view|point|liking|taste))\b/u.test(clause.join(' '))
  )
    return true;
  const verb = main.findIndex((word) => copulas.has(word));
  if (verb < 0) return false;
  const said = main.slice(verb + 1, verb + 8);
  const isOfTalk = main.slice(0, verb + 1).some((word) => ofTalk.has(word));
  return said.some(
    (word, at) =>
      (isOfTalk
        ? judgements.has(word) || judgementsOfTalk.has(word)
        : judgements.has(word) && !judgementsOfTalk.has(word)) ||
      (word === 'too' && at + 1 < said.length),
  );
}

/** As far as its forms tell; a word behind an article or a preposition is none. */
export function hasVerb(clause: Words): boolean {
  if (isOnlyNamed(clause)) return false;
  return clause.some((word, at) => {
    if (auxiliaries.has(word)) return true;
    if (at === 0)
      return (clause.length > 2 && isParticiple(word)) || (word.endsWith('s') && isVerbForm(word) && tells(clause[1]));
    const before = clause[at - 1]!;
    if (
      isPast(word) &&
      !/^(?:an?|the|my|your|our|its|their|his|her|of|in|on|by|for|with|from|no|every|each)$/u.test(before)
    )
      return true;
    return !beforeNouns.has(before) && (isVerbForm(word) || isLikeVerb(clause, at));
  });
}

/** "A test that restarts the process": a thing is named, and nothing is said of it. */
function isOnlyNamed(clause: Words): boolean {
  const at = clause.findIndex((word) => /^(?:that|which|who|where)$/u.test(word));
  if (at < 1 || at > 5 || !/^(?:an?|one|two|three|some|another|any)$/u.test(clause[0]!)) return false;
  const isTelling = (word: string, place: number): boolean =>
    auxiliaries.has(word) || (place > 0 && !beforeNouns.has(clause[place - 1]!) && isVerbForm(word));
  if (clause.slice(0, at).some(isTelling)) return false;
  const behind = clause
    .slice(at + 1)
    .filter((word, place) =>
      place === 0 ? isVerbForm(word) || auxiliaries.has(word) : isTelling(word, place + at + 1),
    );
  return behind.length < 2;
}

/** "Returns null", but not "tests for the parser". */
const tells = (next: string | undefined): boolean =>
  next !== undefined && !/^(?:of|in|on|at|by|for|with|from|about|and|or|taken|to|as)$/u.test(next);

/** The same without participles: "each released on its own" tells nothing by itself. */
export const hasFiniteVerb = (clause: Words): boolean =>
  mainPart(clause).some(
    (word, at) =>
      auxiliaries.has(word) ||
      (at > 0 &&
        !beforeNouns.has(clause[at - 1]!) &&
        !word.endsWith('ed') &&
        !isParticiple(word) &&
        isVerbForm(word)) ||
      (at > 0 && word.endsWith('ed') && /^(?:i|we|they|it|he|she|you|nobody|somebody)$/u.test(clause[at - 1]!)),
  );

/** "Written twice a day": something is. */
const isParticiple = (word: string): boolean =>
  word === 'lost' ||
  word === 'kept' ||
  /[^e]ed$/u.test(word) ||
  (word.endsWith('n') && irregularPasts.has(word) && word !== 'given');

/** "The parser chokes on …": of one thing, and more follows. */
const isLikeVerb = (clause: Words, at: number): boolean =>
  /[^su']s$/u.test(clause[at]!) &&
  clause[at]!.length > 3 &&
  !clause[at - 1]!.endsWith('s') &&
  (at === 1 || /^(?:the|an?|each|every|our|its|this|that|it|nobody|nothing)$/u.test(clause[0]!)) &&
  beforeNouns.has(clause[at + 1] ?? '');

const isPast = (word: string): boolean =>
  irregularPasts.has(word) || (word.endsWith('ed') && word.length > 3 && !notPast.has(word));
const notPast = new Set(['need', 'feed', 'seed', 'speed', 'indeed', 'hundred', 'embed', 'shed']);

function isVerbForm(word: string): boolean {
  if (verbStems.has(word) || isPast(word)) return true;
  const stems = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  return word.endsWith('s') && stems.some((stem) => verbStems.has(stem));
}

const absences = new Set(['no', 'nothing', 'nobody', 'none', 'missing', 'without', 'lost', 'only', 'zero', 'never']);

/** Words without a verb that say something all the same: a figure, something missing, much at once. */
export function isBareFact(clause: Words): boolean {
  if (isOnlyNamed(clause)) return false;
  if (isNumber(clause) && clause.length > 3) return true;
  if (clause.some((word) => talkNouns.has(word) || judgements.has(word) || word === 'my' || word === 'me'))
    return false;
  return (absences.has(clause[0]!) && clause.length > 2) || clause.length > 8;
}
