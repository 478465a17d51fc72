/** What a question claims by the way. */
import { assertsAny, isAsserted, withoutOpeners } from './assertion.ts';
import { clausesOf, type Words } from './clauses.ts';
import { auxiliaries, interrogatives, judgements, softModals } from './lexicon.ts';

const asks = new Set(['right', 'correct', 'yes', 'true', 'agreed', 'ok', 'okay', 'eh', 'huh', 'see']);
const known =
  /\b(?:true|coincidence|case|known|correct|know|knew|aware|realise|realize|realised|remember|noticed|notice|forgotten|forget|fact|sure|clear|see|seen|heard|mean|said|mention|mentioned|admit|added|odd|strange|problem|bug|accident|ok|okay|fine|acceptable|normal|intended|right) that\b/u;
const negated = /^(?:isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|can't|won't)$/u;
const someoneAsked = /^(?:we|you|i|people|anyone|anybody|everyone|that|this|it|one|they|not|would|should|nobody)$/u;

/** A question may carry a claim with it: as its tag, behind a comma, as what it takes for known. */
export function isClaimingQuestion(tokens: Words): boolean {
  const words = withoutOpeners(tokens.filter((word) => word !== '?' && word !== '!' && word !== '"'));
  if (words.length === 0) return false;
  const comma = words.lastIndexOf(',');
  const tail = words.slice(comma + 1);
  if (comma > 2 && (asks.has(tail[0]!) || (tail.length <= 3 && auxiliaries.has(tail[0]!))))
    return assertsAny(clausesOf(words.slice(0, comma)));
  const isAsked =
    interrogatives.has(words[0]!) || words.slice(1, 3).some((word) => /^(?:which|what|whom|whose|who)$/u.test(word));
  if (!isAsked) return assertsAny(clausesOf(words));
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
