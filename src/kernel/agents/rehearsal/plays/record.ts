/** Orders to keep something: a decision, a memory, progress, a follow-up. Each is one call of one tool. */
import { slugOf } from '../../../pure/ids.ts';
import type { RehearsalPlay } from '../move.ts';
import type { Situation, SituationTurn } from '../situation.ts';
import { capital, readDecision } from './decisions.ts';
import { bullets, listed, paragraphs, shortened } from './markdown.ts';
import { fillInput, offeredTool } from './offered.ts';
import { outcomeRow, topicOf, turnsAbout } from './outcome.ts';
import { countTerms } from './question.ts';
import { replayScript } from './script.ts';
import type { Step } from './search.ts';
import { ownWords } from './spoken.ts';
import { readTerms } from './words.ts';

interface Order {
  readonly tool: string;
  /** What the input's fields are filled from, by concept. */
  readonly values: Readonly<Record<string, string>>;
  /** Said before the tool's own answer. */
  readonly says: string;
}

export const recordPlay: RehearsalPlay = {
  name: 'record',
  priority: 30,
  play: (situation) => {
    const order = readRecordOrder(situation);
    return order === undefined || offeredTool(situation, order.tool) === undefined
      ? undefined
      : replayScript(situation, recordScript(situation, order));
  },
};

function* recordScript(situation: Situation, order: Order): Step<string> {
  const tool = offeredTool(situation, order.tool)!;
  const [call] = yield [{ name: tool.name, input: fillInput(tool, order.values) }];
  const said = shortened((call?.result?.text ?? '').trim(), 400);
  if (call?.result?.isError === true) return `\`${order.tool}\` refused: ${said}`;
  return paragraphs(order.says, said !== '' && `\`${order.tool}\` answered: ${said}`);
}

/** The one thing that the message asks to keep, or undefined. */
export function readRecordOrder(situation: Situation): Order | undefined {
  const text = situation.turn.userText.trim();
  const own = ownWords(text).trim();
  // What stands in quotes may be kept, but only the person's own words order it.
  if (own === '' || own.startsWith('·')) return undefined;
  return (
    decisionOrder(situation, text) ??
    readMemory(text) ??
    readProgress(situation, own) ??
    readFollowUp(situation, own, text)
  );
}

function decisionOrder(situation: Situation, text: string): Order | undefined {
  const read = readDecision(situation, text);
  if (read === undefined) return undefined;
  const { question, decision, reasoning } = read;
  return {
    tool: 'record_decision',
    values: { question, decision, reasoning, title: shortened(decision, 80), content: decision, summary: decision },
    says: paragraphs(
      'The decision is recorded.',
      bullets([`**Question:** ${question}`, `**Decision:** ${decision}`, `**Reasoning:** ${reasoning}`]),
    ),
  };
}

function readMemory(text: string): Order | undefined {
  const match =
    /^(?:please\s+)?(?:remember|memori[sz]e|keep in mind)\b[:,]?\s*(for yourself|for (?:all|every) projects?|everywhere|globally|for this project)?[:,]?\s*(?:that\s+)?([\s\S]+)$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const content = capital(match[2]!.trim());
  const scope = /yourself/i.test(match[1] ?? '')
    ? 'worker'
    : /all|every|global/i.test(match[1] ?? '')
      ? 'global'
      : 'project';
  const slug = slugOf(content, 40) || 'note';
  return {
    tool: 'write_memory',
    values: { scope, content, title: slug, path: `${slug}.md`, summary: content },
    says: `I keep this in the ${scope} memory: “${shortened(content, 200)}”`,
  };
}

function readProgress(situation: Situation, text: string): Order | undefined {
  if (!/\b(summari[sz]e|record|note|report|log)\b.{0,20}\bprogress\b|\bprogress (summary|report)\b/i.test(text))
    return undefined;
  const summary = progressOf(situation.turns);
  return {
    tool: offeredTool(situation, 'report_progress') === undefined ? 'summarize_progress' : 'report_progress',
    values: { summary, content: summary, title: 'Progress' },
    says: paragraphs('Progress so far, from this conversation:', summary),
  };
}

/** One line a turn: what was asked, and what came of it. */
export function progressOf(turns: readonly SituationTurn[]): string {
  if (turns.length === 0) return 'Nothing has been done yet.';
  return bullets(turns.map((turn) => outcomeRow(turn)));
}

function readFollowUp(situation: Situation, own: string, text: string): Order | undefined {
  const match =
    /\b(?:propose|schedule|plan|arrange|suggest)?\s*(?:an?\s+)?follow[ -]?up\b\s*(?:on|about|for|with|to|:)?\s*([\s\S]*)$/i.exec(
      own,
    );
  if (
    match === null ||
    own.length > 400 ||
    /^(what|which|who|where|how|why|is|are|was|were|does|did|has|have)\b/i.test(own)
  )
    return undefined;
  const named = text
    .slice(text.length - match[1]!.length)
    .trim()
    .replace(/[.?!]+$/, '');
  const terms = readTerms(named);
  const topic = countTerms(terms) > 0 ? terms : topicOf(situation);
  const words = listed([...topic.names.map((name) => `\`${name}\``), ...topic.words]);
  const subject = named || words || 'what is open after this conversation';
  const touching = turnsAbout(situation.turns, topic).slice(-3);
  const agenda = paragraphs(
    `Go on with: ${subject}.`,
    touching.length > 0 && `Comes from:\n\n${bullets(touching.map((turn) => outcomeRow(turn)))}`,
  );
  const reasoning = 'The person asked for it in this conversation.';
  return {
    tool: 'propose_followup',
    values: {
      title: shortened(capital(subject), 80),
      agenda,
      content: agenda,
      summary: agenda,
      reasoning,
      question: subject,
    },
    says: `I proposed a follow-up: “${shortened(subject, 160)}”. It waits for you to accept or decline.`,
  };
}
