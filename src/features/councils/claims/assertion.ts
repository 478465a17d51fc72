/** Whether one clause asserts something: what stands before it is taken off, what is only announced is judged by itself. */
import type { Clause, Words } from './clauses.ts';
import { announced, announcedWishes, auxiliaries, openers } from './lexicon.ts';
import { hasFiniteVerb, hasVerb, isBareFact, isJudgement, isLeftOpen, isRequest, mainPart } from './predicates.ts';
import { judgeFirstPerson } from './stance.ts';

/** What follows upon a wish with "and that" or "so that", or without a verb of its own, is wished as well. */
export function assertsAny(clauses: readonly Clause[]): boolean {
  let isWished = false;
  for (const { words, joint } of clauses) {
    const goesOn = isWished && (/\bthat$/u.test(joint) || !hasFiniteVerb(words));
    if (goesOn) continue;
    if (isAsserted(words)) return true;
    isWished = isOwn(words);
  }
  return false;
}

const isOwn = (clause: Words): boolean => {
  const [first = ''] = withoutOpeners(clause);
  return /^(?:i|i'd|i'll|i'm|we|we'd|let|let's|my)$/u.test(first) || isRequest(withoutOpeners(clause));
};

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

export function withoutOpeners(clause: Words): Words {
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
    if (noun !== undefined && that !== verb + 1) {
      const said = clause.slice(verb + 1);
      return said.length > 0 && hasVerb(mainPart(said)) ? said : 'wished';
    }
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
