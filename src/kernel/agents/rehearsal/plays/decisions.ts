/** Reads decisions and their questions out of what a person says. */
import type { Situation, SituationTurn } from '../situation.ts';
import { shortened } from './markdown.ts';
import { spokenText } from './spoken.ts';
import { readTerms, rootOf } from './words.ts';

interface SpokenDecision {
  readonly question: string;
  readonly decision: string;
  readonly reasoning: string;
}

const decisionForm =
  /^(?:please\s+)?(?:record|note|log|write down)\s+(?:a|the|our|this|my)?\s*decision\b[:,]?\s*(?:that|to)?\s*([\s\S]*)$|^(?:so\s+|ok(?:ay)?,?\s+|then\s+)?(?:we|i)(?:'ve|\s+have)?\s+(?:decided?|agreed?)\b\s*:?\s*(?:that\s+|to\s+|on\s+)?([\s\S]+)$|^decision:\s*([\s\S]+)$|^(?:so\s+|ok(?:ay)?,?\s+|then\s+)?(let'?s\s+(?:use|take|go with|choose|pick|adopt|keep|drop|stay with)\s[\s\S]+)$/i;

export function readDecision(situation: Situation, text: string): SpokenDecision | undefined {
  const match = decisionForm.exec(text);
  if (match === null) return undefined;
  const whole = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim().replace(/[.\s]+$/, '');
  const [decided, because] = whole.split(/[,;.]?\s+(?:because|since|so that|as it|reason(?:ing)?:)\s+/i);
  const said = (decided ?? '')
    .replace(/\bquestion:[^\n]*\n?/i, '')
    .replace(/^let'?s\s+/i, '')
    .trim();
  const decision = capital(said || 'as said in the conversation');
  const asked = /\bquestion:\s*([^\n]+)/i.exec(text)?.[1];
  const question = asked ?? questionIn(said) ?? questionBefore(situation.turns, decision) ?? questionAbout(said);
  const reasoning = capital(because?.trim() ?? 'The person stated it in this conversation and gave no reason.');
  return { question: shortened(question.replaceAll(/\s+/g, ' '), 200), decision, reasoning };
}

/** The question that a decision of this form answers: "we use X for Y" answers "What do we use for Y?". */
function questionIn(decided: string): string | undefined {
  const match =
    /^(?:(?:we|i)(?:\s+will|'ll|\s+shall)?\s+)?(use|take|choose|pick|adopt|go with|keep|prefer)\s+(.+?)\s+(for|as|in|instead of|over|rather than)\s+(.+)$/i.exec(
      decided,
    );
  if (match === null) return undefined;
  const [, how, what, joint, purpose] = match;
  if (/instead|over|rather/i.test(joint!)) return `${capital(what!)} or ${purpose}?`;
  return `What do we ${/^(keep|prefer)$/i.test(how!) ? how!.toLowerCase() : 'use'} ${joint!.toLowerCase()} ${purpose}?`;
}

/** The question of one of the last turns, when the decision has a word in common with it. */
function questionBefore(turns: readonly SituationTurn[], decision: string): string | undefined {
  const words = readTerms(decision);
  const roots = [...words.words, ...words.names].map((word) => rootOf(word.toLowerCase()));
  const asked = turns
    .slice(-4)
    .map((turn) => spokenText(turn.userText))
    .filter((text) => text.includes('?') && text.length < 200);
  return asked.findLast((text) => roots.some((root) => text.toLowerCase().includes(root)));
}

function questionAbout(decided: string): string {
  const terms = readTerms(decided);
  const topic = [...terms.names.map((name) => `\`${name}\``), ...terms.words].slice(0, 4).join(' ');
  return topic === '' ? 'What was to be decided in this conversation?' : `What holds for ${topic}?`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
