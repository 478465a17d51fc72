/** "Where are we", "what did we decide": answers from the conversation itself, without a search. */
import type { RehearsalPlay } from '../move.ts';
import { sayMove } from '../move.ts';
import type { Situation, SituationTurn } from '../situation.ts';
import { bullets, numbered, paragraphs } from './markdown.ts';
import { outcomeOf } from './outcome.ts';
import { ownWords } from './spoken.ts';

const recapForm =
  /\b(summari[sz]e|sum up|summary of|recap(itulate)?)\b(?!.*\bprogress\b).{0,30}\b(we|us|our|conversation|discussion|talk|session|so far|until now|everything)\b|^\W*(?:please\s+)?(?:recap|sum up|summari[sz]e)(?: please)?\W*$|\bwhere (are we|do we stand|were we)\b|\bwhat (have|did) we (found|find|discuss(ed)?|learn(ed|t)?|talk(ed)? about|see|seen|cover(ed)?|do|done)\b/i;
const decidedForm =
  /\bwhat (?:did|have) we (?:decided?|agreed?)\b|\b(?:which|what|list|show)\b.{0,20}\b(?:our |the )?decisions?\b.{0,30}\b(?:we|made|taken|so far|far|record)\b/i;

export const recapPlay: RehearsalPlay = {
  name: 'recap',
  priority: 35,
  play: (situation) => {
    const text = ownWords(situation.turn.userText);
    if (/\.(mdx?|txt)\b/.test(text) || text.length > 300) return undefined;
    if (decidedForm.test(text)) return sayMove(decisionsText(situation));
    const ofThis = new RegExp(`\\b(summari[sz]e|recap|summary of) (this|our|the) ${situation.activityKind}\\b`, 'i');
    return recapForm.test(text) || ofThis.test(text) ? sayMove(recapText(situation)) : undefined;
  },
};

function recapText(situation: Situation): string {
  const turns = situation.turns.filter((turn) => turn.assistantText !== '' || turn.calls.length > 0);
  const earlier = earlierRecord(situation);
  if (turns.length === 0) return earlier ?? 'This conversation has only begun: there is nothing to summarise yet.';
  const outcomes = turns.map((turn) => outcomeOf(turn));
  const rows = outcomes.filter(({ kind, found }) => kind !== 'nothing' && found !== '');
  const empty = outcomes.filter(({ kind, asked }) => kind === 'nothing' && asked.includes('?'));
  return paragraphs(
    earlier,
    `Where we are, from the ${turns.length === 1 ? 'turn' : `${turns.length} turns`} of this conversation (question → what was found):`,
    rows.length > 0 && numbered(rows.map(({ asked, found }) => `${asked} → ${found}`)),
    empty.length > 0 && `**Without a finding:**\n\n${bullets(empty.map(({ asked }) => asked))}`,
    rows.length === 0 && 'Nothing was found or decided so far.',
  );
}

/** The hall's own account of an earlier sitting, which stands in the system prompt. */
function earlierRecord(situation: Situation): string | undefined {
  const text = /^### Earlier in this [^\n]+\n+[^\n]*\n+([\s\S]+?)(?=\n### |(?![\s\S]))/m.exec(
    situation.systemPrompt,
  )?.[1];
  return text === undefined
    ? undefined
    : `From an earlier sitting, as the hall kept it:\n\n${text.trim().slice(0, 1500)}`;
}

interface KeptDecision {
  readonly question: string;
  readonly decision: string;
  readonly reasoning: string;
}

/** Decisions that were recorded in these turns. */
export function decisionsIn(turns: readonly SituationTurn[]): KeptDecision[] {
  const calls = turns.flatMap((turn) => turn.calls).filter((call) => call.name.endsWith('record_decision'));
  const field = (value: unknown): string => (typeof value === 'string' ? value : '');
  return calls
    .filter((call) => call.result?.isError === false)
    .map(({ input }) => ({
      question: field(input['question']),
      decision: field(input['decision']),
      reasoning: field(input['reasoning']),
    }));
}

function decisionsText(situation: Situation): string {
  const decisions = decisionsIn(situation.turns);
  if (decisions.length === 0)
    return 'No decision was recorded in this conversation. *Record a decision: … because …* keeps one; what was written earlier is among the artifacts (*which artifacts are there?*).';
  const rows = decisions.map(({ question, decision, reasoning }) =>
    [question && `**${question}**`, decision, reasoning && `(${reasoning})`].filter((part) => part !== '').join(' '),
  );
  return paragraphs('**Decided in this conversation**', bullets(rows));
}
