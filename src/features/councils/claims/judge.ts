/** Whether a statement can be found true or false by looking, by its words alone. */
import { assertsAny } from './assertion.ts';
import { clausesOf, tokensOf, type Words } from './clauses.ts';
import { auxiliaries } from './lexicon.ts';
import { isClaimingQuestion } from './questions.ts';

/** @param text without sources and marks; code is one word */
export function isClaim(text: string): boolean {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return false;
  if (/\?[\s"'”’)\]*_]*$/u.test(text)) return isClaimingQuestion(tokens);
  if (
    /:[\s,;()]*$/u.test(text.replaceAll('‹source›', '')) &&
    tokens.filter((word) => !word.includes('‹')).length < 7 &&
    !tokens.some((word) => auxiliaries.has(word))
  )
    return false;
  const isIdeal = tokens[0] === 'ideally';
  const isDecided = labels.test(tokens.slice(0, 6).join(' '));
  const clauses = clausesOf(tokens).filter(
    ({ words }, at) => !(isDecided && words[0] === 'we') && !(isIdeal && at < 2),
  );
  return assertsAny(clauses) || isForeign(text, tokens);
}

/** What is decided or proposed here and now is not told of elsewhere. */
const labels =
  /^(?:(?:my|the|our|first|next|a|one) )*(?:decision|decided|proposal|recommendation|suggestion|plan|step|action(?: item)?|goal|request|wish|agreement) :/u;

/** Words of no alphabet that these rules can read are believed to claim something. */
const isForeign = (text: string, tokens: Words): boolean =>
  tokens.length > 0 && (text.match(/[^\p{ASCII}\p{P}\p{S}\s]/gu)?.length ?? 0) > 15;
