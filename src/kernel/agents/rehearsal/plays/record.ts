/** Orders to keep something: a decision, a memory, progress, a follow-up. Each is one call of one tool. */
import { slugOf } from '../../../pure/ids.ts';
import type { RehearsalPlay } from '../move.ts';
import type { Situation, SituationTurn } from '../situation.ts';
import { bullets, paragraphs, shortened } from './markdown.ts';
import { placesIn } from './question.ts';
import { fillInput, offeredTool } from './offered.ts';
import { replayScript } from './script.ts';
import type { Step } from './search.ts';
import { readTerms, rootOf } from './words.ts';

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
  return (
    readDecision(situation, text) ?? readMemory(text) ?? readProgress(situation, text) ?? readFollowUp(situation, text)
  );
}

const decisionForm =
  /^(?:please\s+)?(?:record|note|log|write down)\s+(?:a|the|our|this|my)?\s*decision\b[:,]?\s*(?:that|to)?\s*([\s\S]*)$|^(?:so\s+|ok(?:ay)?,?\s+|then\s+)?(?:we|i)(?:'ve|\s+have)?\s+(?:decided?|agreed?)\s+(?:that\s+|to\s+|on\s+|:\s*)?([\s\S]+)$|^decision:\s*([\s\S]+)$/i;

function readDecision(situation: Situation, text: string): Order | undefined {
  const match = decisionForm.exec(text);
  if (match === null) return undefined;
  const whole = (match[1] ?? match[2] ?? match[3] ?? '').trim();
  const [decided, because] = whole.split(/[,;.]?\s+(?:because|since|so that|reason(?:ing)?:)\s+/i);
  const decision = capital(
    (decided ?? '').replace(/\bquestion:[^\n]*\n?/i, '').trim() || 'as said in the conversation',
  );
  const asked = /\bquestion:\s*([^\n]+)/i.exec(text)?.[1] ?? questionBefore(situation.turns, decision);
  const question =
    asked === undefined ? `What do we do: ${shortened(decision, 80)}?` : shortened(asked.replaceAll(/\s+/g, ' '), 200);
  const reasoning = capital(because?.trim() ?? 'The person stated it in this conversation and gave no reason.');
  return {
    tool: 'record_decision',
    values: { question, decision, reasoning, title: shortened(decision, 80), content: decision, summary: decision },
    says: paragraphs(
      'The decision is recorded.',
      bullets([`**Question:** ${question}`, `**Decision:** ${decision}`, `**Reasoning:** ${reasoning}`]),
    ),
  };
}

/** The question of one of the last turns, when the decision has a word in common with it. */
function questionBefore(turns: readonly SituationTurn[], decision: string): string | undefined {
  const words = readTerms(decision);
  const roots = [...words.words, ...words.names].map((word) => rootOf(word.toLowerCase()));
  const asked = turns.slice(-4).filter((turn) => turn.userText.includes('?'));
  return asked.findLast((turn) => roots.some((root) => turn.userText.toLowerCase().includes(root)))?.userText;
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

/** One line a turn: what was asked, and where the answer was found. */
export function progressOf(turns: readonly SituationTurn[]): string {
  if (turns.length === 0) return 'Nothing has been done yet.';
  return bullets(
    turns.map((turn) => {
      const places = placesIn(turn.assistantText)
        .slice(0, 3)
        .map((place) => `\`${place.path}:${place.line}\``);
      const told =
        places.length > 0
          ? `answered from ${places.join(', ')}`
          : turn.assistantText === ''
            ? 'not answered'
            : 'answered';
      const tools = turn.calls
        .filter((call) => call.name.startsWith('mcp__'))
        .map((call) => call.name.replace(/^mcp__\w+?__/, ''));
      return `“${shortened(turn.userText.replaceAll(/\s+/g, ' '), 120)}”: ${told}${tools.length > 0 ? `; used ${tools.join(', ')}` : ''}`;
    }),
  );
}

function readFollowUp(situation: Situation, text: string): Order | undefined {
  const match =
    /\b(?:propose|schedule|plan|arrange|suggest)?\s*(?:an?\s+)?follow[ -]?up\b\s*(?:on|about|for|with|to|:)?\s*([\s\S]*)$/i.exec(
      text,
    );
  if (
    match === null ||
    text.length > 400 ||
    /^(what|which|who|where|how|why|is|are|was|were|does|did|has|have)\b/i.test(text)
  )
    return undefined;
  const subject = capital(match[1]!.trim().replace(/[.?!]+$/, '')) || 'What is open after this conversation';
  const agenda = paragraphs(
    subject,
    situation.turns.length > 0 && `Comes from:\n\n${progressOf(situation.turns.slice(-5))}`,
  );
  const reasoning = 'The person asked for it in this conversation.';
  return {
    tool: 'propose_followup',
    values: { title: shortened(subject, 80), agenda, content: agenda, summary: agenda, reasoning, question: subject },
    says: `I proposed a follow-up: “${shortened(subject, 160)}”. It waits for you to accept or decline.`,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
