/** Whether a statement can be found true or false by looking, by its words alone. */
import { clausesOf, tokensOf, type Words } from './clauses.ts';
import {
  announced,
  announcedWishes,
  auxiliaries,
  beforeNouns,
  imperatives,
  interrogatives,
  irregularPasts,
  judgements,
  judgementsOfTalk,
  judgingVerbs,
  numberWords,
  openers,
  softModals,
  subordinators,
  talkNouns,
  units,
  verbStems,
} from './lexicon.ts';
import { judgeFirstPerson } from './stance.ts';

/** @param text without sources and marks; code is one word */
export function isClaim(text: string): boolean {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return false;
  if (/\?[\s"'”’)\]*_]*$/u.test(text)) return isClaimingQuestion(tokens);
  const isIdeal = tokens[0] === 'ideally';
  const isDecided = labels.test(tokens.slice(0, 6).join(' '));
  return (
    clausesOf(tokens).some(
      (clause, at) => !(isDecided && clause[0] === 'we') && !(isIdeal && at < 2) && isAsserted(clause),
    ) || isForeign(text, tokens)
  );
}

/** What is decided or proposed here and now is not told of elsewhere. */
const labels =
  /^(?:(?:my|the|our|first|next|a|one) )*(?:decision|decided|proposal|recommendation|suggestion|plan|step|action(?: item)?|goal|request|wish|agreement) :/u;

/** Words of no alphabet that these rules can read are believed to claim something. */
const isForeign = (text: string, tokens: Words): boolean =>
  tokens.length > 0 && (text.match(/[^\p{ASCII}\p{P}\p{S}\s]/gu)?.length ?? 0) > 15;

/** @param clause not empty */
export function isAsserted(clause: Words, depth = 0): boolean {
  const bare = withoutOpeners(clause);
  if (bare.length === 0 || depth > 6) return false;
  const inner = complementOf(bare);
  if (inner === 'wished') return false;
  if (inner) return isAsserted(inner, depth + 1);
  const own = judgeFirstPerson(bare);
  if (own === 'stance') return false;
  if (own === 'told') return true;
  if (own) return isAsserted(own, depth + 1);
  if (isRequest(bare) || isLeftOpen(bare) || isJudgement(bare)) return false;
  return hasVerb(bare) || isBareFact(bare);
}

const guesses = new Set([
  'probably',
  'presumably',
  'apparently',
  'perhaps',
  'maybe',
  'possibly',
  'surely',
  'certainly',
  'allegedly',
  'supposedly',
  'evidently',
]);
const prefaces = [
  /^(?:as far as i (?:know|can tell|can see|remember|am aware)|to my knowledge|to the best of my knowledge) /u,
  /^(?:if i (?:remember|recall)(?: it| this)?(?: correctly| right| well)?|from what i (?:saw|know|read|heard|remember|can tell)) /u,
  /^(?:in my (?:view|opinion|experience|mind|eyes|book)|to my mind|from my (?:side|point of view|experience)|for me|to me|imo|imho|afaik|iirc) /u,
];

function withoutOpeners(clause: Words): Words {
  let rest = clause;
  for (;;) {
    const before = rest.length;
    while (rest.length > 1 && (guesses.has(rest[0]!) || (openers.has(rest[0]!) && !auxiliaries.has(rest[1]!))))
      rest = rest.slice(1);
    const text = `${rest.slice(0, 14).join(' ')} `;
    const preface = prefaces.map((form) => form.exec(text)?.[0]).find((found) => found !== undefined);
    if (preface !== undefined) rest = rest.slice(preface.trim().split(' ').length);
    if (rest.length === before) return fromSpeaker(rest);
  }
}

const aheads = new Set(
  'after before in at on with for from by during tomorrow today later without under beyond between as afterwards given until'.split(
    ' ',
  ),
);

/** "After this round I want …": what comes before the speaker is no part of it. */
function fromSpeaker(clause: Words): Words {
  if (!aheads.has(clause[0]!)) return clause;
  const at = clause.slice(0, 8).findIndex((word) => /^(?:i|we|i'll|i'd|i'm|i've|we'll)$/u.test(word));
  return at > 0 ? clause.slice(at) : clause;
}

const be = new Set([
  'is',
  'was',
  'are',
  'were',
  "it's",
  "that's",
  'seems',
  'appears',
  'remains',
  'looks',
  'turns',
  'means',
  'has',
  'say',
]);

/** "The problem is that …", "it seems that …", "note that …": what stands behind is said, or wished. */
function complementOf(clause: Words): Words | 'wished' | undefined {
  const that = clause.indexOf('that', 1);
  const verb = clause.slice(0, 9).findIndex((word) => be.has(word));
  const noun = nounBefore(clause, verb);
  if (clause[0] === 'my') {
    const head = clause.slice(1, 4);
    if (head.some((word) => announcedWishes.has(word)) && !head.some((word) => announced.has(word))) return 'wished';
    if (noun !== undefined && that < 0) return hasVerb(clause.slice(verb + 1)) ? clause.slice(verb + 1) : 'wished';
  }
  if (noun !== undefined && isWish(clause, noun, verb)) return 'wished';
  const rest = that > 0 && that < 10 ? clause.slice(that + 1) : [];
  if (rest.length < 2) return lookAsIf(clause);
  if (noun !== undefined && that - verb <= 2) return announcedWishes.has(noun) ? 'wished' : rest;
  if (/^(?:it|there|this)$/u.test(clause[0]!) && verb === 1) return rest;
  if (clause[0] === "it's" && that <= 3) return rest;
  return heldTrue.has(clause[that - 1]!) || isReminder(clause.slice(0, that)) ? rest : undefined;
}

const heldTrue = new Set('right correct wrong true told clear certain sure worried doubt fact me us'.split(' '));

const isReminder = (words: Words): boolean =>
  /^(?:please |also |just )?(?:remember|note|notice|recall|mind|consider|observe|know|realise|realize|see|keep in mind|bear in mind|don't forget|do not forget|never forget)$/u.test(
    words.join(' '),
  );

const nounBefore = (clause: Words, verb: number): string | undefined =>
  verb < 1 ? undefined : clause.slice(0, verb).findLast((word) => announced.has(word) || announcedWishes.has(word));

/** "My vote goes to …", "one option is to …", "the question is who …", "the objection is cost". */
function isWish(clause: Words, noun: string, verb: number): boolean {
  const next = clause[verb + 1] ?? '';
  if (announcedWishes.has(noun) && /^(?:to|who|what|which|how|whether|where|when|why|between|not)$/u.test(next))
    return true;
  if (/^(?:point|thing|trick|art|job)$/u.test(noun) && next === 'to') return true;
  return /^(?:objection|concern|fear|worry|argument|question|criterion|goal)$/u.test(noun) && clause.length - verb <= 4;
}

const lookAsIf = (clause: Words): Words | undefined => {
  const text = clause.slice(0, 4).join(' ');
  const found = /^it (?:looks|seems|appears|sounds) (?:as if|as though|like)/u.exec(text);
  return found && clause.length > 5 ? clause.slice(found[0].split(' ').length) : undefined;
};

/** Up to where something else begins that depends on it. */
function mainPart(clause: Words): Words {
  const end = clause.findIndex((word, at) => at > 0 && subordinators.has(word));
  return end < 0 ? clause : clause.slice(0, end);
}

const urging = new Set(['never', 'always', 'only', 'just', 'instead', 'rather', 'at', 'least']);

function isRequest(clause: Words): boolean {
  const [first = '', second = ''] = clause;
  if (first === "let's" || (first === 'let' && clause.length > 1)) return true;
  if (urging.has(first) && clause.length > 2) return isRequest(clause.slice(1));
  if (!imperatives.has(first)) return false;
  const main = mainPart(clause).slice(1);
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

const isNumber = (clause: Words): boolean =>
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
function isLeftOpen(clause: Words): boolean {
  const [first = '', second = '', third = ''] = clause;
  const modals = [...clause.keys()].filter((at) => isModal(clause, at));
  const end = mainPart(clause).length;
  const isOpen = modals.length > 0 && (modals[0]! < end || !clause.slice(modals.at(-1)).some((word) => told.has(word)));
  if (isOpen) return !isNumber(clause);
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
  /^(?:not )?(?:happy|glad|sorry|ready|willing|keen|eager|curious|tempted|inclined|unsure|sure|fine|good|great|sounds?|looks|hard|tough) (?:to|about|with|for|at|by|good|fine|right|great|reasonable)\b|\bwe (?:are|were|keep) (?:still |again |now |all )?(?:over\p{L}+|discussing|talking|missing|solving|circling|arguing|mixing|conflating|debating|guessing|splitting|asking|going)\b|\b(?:risk|stakes|bar|gain|benefit|value|effort|upside|downside|price) (?:is|are|seems) (?:very |too |quite |rather )?(?:low|high|small|tiny|modest|real|great|large)\b|^it (?:all )?depends\b|\bthere yet\b|\bha(?:s|ve) a point\b|\b(?:is|are|was) (?:(?:not|more|less|all|mostly|only|really|just) ){0,2}about (?!\d|(?:a|one|two|three|four|five|six|seven|eight|nine|ten|half|twice|twenty|thirty|fifty|hundred)\b)|\bno (?:perfect|easy|right|good|better|simple) \p{L}+|\bburden of proof\b|\bremains? to be\b|^point taken|\bha(?:s|ve) (?:a|its|their) (?:point|price|place|limits|merits?|charm|cost|downsides?)\b|^(?:an? |the )?(?:good|bad|great|honest|healthy|boring|ideal|perfect) \p{L}+|^what (?:i|we) (?:miss|want|need|like|love|hope|care|ask|propose|suggest|would|lack|value)\b|^what (?:matters|counts|helps)\b|^we (?:still )?have (?:a|no|two|three|four|several|many|some|enough|different) (?:\p{L}+ )?(?:goals?|options?|choices?|questions?|problems?|proposals?|views?|answers?|time|ways?|reasons?|decisions?)$|^(?:quality|trust|simplicity|clarity|honesty|complexity|patience|focus|speed|safety|privacy|transparency|consistency|perfection|security|design|silence|scope|ownership|names) (?:is|are|beats?|comes?|wins?|matters?|means|costs)\b|\bcost of being\b/u;
const ofTalk = new Set(
  "this that it such it's that's these those which option idea proposal design approach argument plan wording name solution variant point".split(
    ' ',
  ),
);

function isJudgement(clause: Words): boolean {
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
function hasVerb(clause: Words): boolean {
  return clause.some((word, at) => {
    if (auxiliaries.has(word)) return true;
    if (at === 0) return clause.length > 2 && isParticiple(word);
    const before = clause[at - 1]!;
    if (
      isPast(word) &&
      !/^(?:an?|the|my|your|our|its|their|his|her|of|in|on|by|for|with|from|no|every|each)$/u.test(before)
    )
      return true;
    return !beforeNouns.has(before) && (isVerbForm(word) || isLikeVerb(clause, at));
  });
}

/** "Written twice a day": something is. */
const isParticiple = (word: string): boolean =>
  word === 'lost' ||
  word === 'kept' ||
  /[^e]ed$/u.test(word) ||
  (/n$/u.test(word) && irregularPasts.has(word) && word !== 'given');

/** "The parser chokes on …": of one thing, and more follows. */
const isLikeVerb = (clause: Words, at: number): boolean =>
  /[^su']s$/u.test(clause[at]!) &&
  clause[at]!.length > 3 &&
  !clause[at - 1]!.endsWith('s') &&
  (at === 1 || /^(?:the|an?|each|every|our|its|this|that|it|nobody|nothing)$/u.test(clause[0]!)) &&
  beforeNouns.has(clause[at + 1] ?? '');

const isPast = (word: string): boolean =>
  irregularPasts.has(word) || (/ed$/u.test(word) && word.length > 3 && !notPast.has(word));
const notPast = new Set(['need', 'feed', 'seed', 'speed', 'indeed', 'hundred', 'embed', 'shed']);

function isVerbForm(word: string): boolean {
  if (verbStems.has(word) || isPast(word)) return true;
  const stems = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  return /s$/u.test(word) && stems.some((stem) => verbStems.has(stem));
}

const absences = new Set(['no', 'nothing', 'nobody', 'none', 'missing', 'without', 'lost', 'only', 'zero', 'never']);

/** Words without a verb that say something all the same: a figure, something missing, much at once. */
function isBareFact(clause: Words): boolean {
  if (isNumber(clause)) return true;
  if (clause.some((word) => talkNouns.has(word) || judgements.has(word) || word === 'my' || word === 'me'))
    return false;
  return (absences.has(clause[0]!) && clause.length > 2) || clause.length > 8;
}

const asks = new Set(['right', 'correct', 'yes', 'true', 'agreed', 'ok', 'okay', 'eh', 'huh', 'see']);
const known =
  /\b(?:true|coincidence|case|known|correct|know|knew|aware|realise|realize|realised|remember|noticed|notice|forgotten|forget|fact|sure|clear|see|seen|heard|mean|said|mention|mentioned|admit|added|odd|strange|problem|bug|accident|ok|okay|fine|acceptable|normal|intended|right) that\b/u;
const negated = /^(?:isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|can't|won't)$/u;
const someoneAsked = /^(?:we|you|i|people|anyone|anybody|everyone|that|this|it|one|they|not|would|should|nobody)$/u;

/** A question may carry a claim with it: as its tag, behind a comma, as what it takes for known. */
function isClaimingQuestion(tokens: Words): boolean {
  const words = withoutOpeners(tokens.filter((word) => word !== '?' && word !== '!' && word !== '"'));
  if (words.length === 0) return false;
  const comma = words.lastIndexOf(',');
  const tail = words.slice(comma + 1);
  if (comma > 2 && (asks.has(tail[0]!) || (tail.length <= 3 && auxiliaries.has(tail[0]!))))
    return clausesOf(words.slice(0, comma)).some((clause) => isAsserted(clause));
  const isAsked =
    interrogatives.has(words[0]!) || words.slice(1, 3).some((word) => /^(?:which|what|whom|whose|who)$/u.test(word));
  if (!isAsked) return clausesOf(words).some((clause) => isAsserted(clause));
  const that = known.exec(words.join(' '));
  if (
    that &&
    words[0] !== 'how' &&
    isAsserted(
      words.slice(
        words
          .join(' ')
          .slice(0, that.index + that[0].length)
          .split(' ').length,
      ),
    )
  )
    return true;
  if (asides(words).some((clause) => isAsserted(clause))) return true;
  if (words[0] === 'why' && auxiliaries.has(words[1]!) && !softModals.has(words[1]!))
    return !someoneAsked.test(words[2] ?? 'it') && !words.some((word) => judgements.has(word));
  return (
    negated.test(words[0]!) &&
    isAsserted([...words.slice(1, 3), 'is', ...words.slice(3)]) &&
    !someoneAsked.test(words[1] ?? 'it')
  );
}

const asideWords = new Set([
  'which',
  'who',
  'because',
  'since',
  'although',
  'though',
  'whereas',
  'while',
  'but',
  'as',
  'given',
  'where',
]);

/** Clauses behind a comma or "because" that say something of their own. */
function asides(words: Words): Words[] {
  const found: Words[] = [];
  for (const [at, word] of words.entries()) {
    if (at === 0 || !asideWords.has(word) || (words[at - 1] !== ',' && word !== 'because')) continue;
    const end = words.indexOf(',', at + 1);
    const clause = words.slice(at + (words[at + 1] === 'that' ? 2 : 1), end < 0 ? undefined : end);
    if (clause.length > 1) found.push(['it', ...clause]);
  }
  return found;
}
