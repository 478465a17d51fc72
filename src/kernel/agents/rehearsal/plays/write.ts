/** "Write … to <path>": gathers material, composes an artifact, writes it and links it. */
import { slugOf } from '../../../pure/ids.ts';
import type { RehearsalPlay } from '../move.ts';
import type { Situation, SituationCall, SituationTurn } from '../situation.ts';
import { answer } from './ask.ts';
import { bullets, paragraphs, shortened } from './markdown.ts';
import { canSearch, fillInput, offeredTool } from './offered.ts';
import { countTerms, placesIn, readQuestion } from './question.ts';
import { replayScript, type Script, type ToolRequest } from './script.ts';
import type { Step } from './search.ts';
import { readTerms, unique } from './words.ts';

const verb = /\b(write|draft|create|save|record|compose|put|produce|prepare|document|store|make)\b/i;
const namedPath = /[`"'(]?((?:\.?[\w@-]+\/)*\.?[\w@-][\w.@-]*\.(?:mdx?|txt|ya?ml|json))\b/i;
const aboutArtifact =
  /\b(write|draft|compose|produce|prepare)\b.{0,30}\b(artifact|note|notes|report|summary|document|spec|brief|findings)\b/i;

export interface WriteOrder {
  readonly path: string;
  /** The path was not named; it is made from the subject. */
  readonly chosen: boolean;
  /** The request without the order to write. */
  readonly subject: string;
}

export const writePlay: RehearsalPlay = {
  name: 'write',
  priority: 20,
  play: (situation) => {
    const order = readOrder(situation.turn.userText);
    const tool = offeredTool(situation, 'write_artifact') ?? offeredTool(situation, 'Write');
    if (order === undefined || tool === undefined) return undefined;
    return replayScript(situation, writeScript(situation, order));
  },
};

/** What is to be written where, or undefined when nothing is asked to be written. */
export function readOrder(text: string): WriteOrder | undefined {
  const match = namedPath.exec(text);
  const before = match === null ? '' : text.slice(0, match.index);
  const isOrder =
    match !== null &&
    verb.test(before) &&
    /\b(to|at|in|into|as|under|file|called|named|artifact|write|draft|create)\s*[`"'(]?$/i.test(before);
  const subject = text
    .replace(match?.[0] ?? '', ' ')
    .replace(/\b(please|can you|could you|now|then)\b/gi, ' ')
    .replace(
      /\b(write|draft|create|save|record|compose|put|produce|prepare|document|store|make)\b(?:\s+(?:it|that|this|down|up|me|us|an?|the|your|our|short|brief|new|artifact|notes?|report|summary|document|spec|findings|of|about|on|with)\b)*/gi,
      ' ',
    )
    .replaceAll(/\b(to|at|in|into|as|under)\s*[`"').,]*\s*(?=$|\n|[.,])/gi, ' ')
    .replaceAll(/[`"')(]{2,}|\s+/g, ' ')
    .trim();
  if (isOrder) return { path: match[1]!, chosen: false, subject };
  if (match !== null || !aboutArtifact.test(text)) return undefined;
  return { path: `.lore/notes/${slugOf(subject, 50) || 'notes'}.md`, chosen: true, subject };
}

function* writeScript(situation: Situation, order: WriteOrder): Script {
  const hasOwn = countTerms(readTerms(order.subject)) > 0;
  const asked = { ...situation, turn: { ...situation.turn, userText: order.subject } };
  const findings = hasOwn && canSearch(situation) ? yield* answer(asked, readQuestion(asked)) : '';
  const content = composeArtifact(situation, order, findings);
  const written = yield* deliver(situation, order.path, content);
  if ('problem' in written)
    return `I composed the artifact but could not write \`${order.path}\`: ${shortened(written.problem, 300)}\n\nThis is what it would have been:\n\n${content}`;
  const linked = yield* linkFile(situation, written.path);
  return paragraphs(
    `I have written \`${written.path}\`${linked ? ' and linked it' : ''}.${order.chosen ? ' You named no path, so I made one from the subject.' : ''}${written.path === order.path ? '' : ` (It was refused at \`${order.path}\`.)`}`,
    `It holds ${findings === '' ? '' : 'what I found in the project, '}${situation.turns.length > 0 ? 'what was said before in this conversation, ' : ''}and open questions, with status *draft*: a rehearsal gathers and quotes; the judgement is yours to add.`,
    findings !== '' && `Its beginning: ${shortened(firstParagraph(findings), 400)}`,
  );
}

/** Writes by the hall's tool, or by the agent program's own; a path that is refused is tried again below `.lore/`. */
function* deliver(situation: Situation, path: string, content: string): Step<{ path: string } | { problem: string }> {
  const paths = path.startsWith('.lore/') ? [path] : [path, `.lore/${path}`];
  let problem = 'no tool';
  for (const candidate of paths) {
    const [call] = yield [writeCall(situation, candidate, content)];
    if (isDone(call)) return { path: candidate };
    problem = call?.result?.text ?? problem;
  }
  return { problem };
}

function writeCall(situation: Situation, path: string, content: string): ToolRequest {
  const tool = offeredTool(situation, 'write_artifact');
  if (tool !== undefined) return { name: tool.name, input: fillInput(tool, { path, content }) };
  const absolute = situation.cwd === undefined ? path : `${situation.cwd}/${path}`;
  return { name: 'Write', input: { file_path: absolute, content } };
}

function* linkFile(situation: Situation, path: string): Step<boolean> {
  const tool = offeredTool(situation, 'link_artifact');
  if (tool === undefined) return false;
  const [call] = yield [{ name: tool.name, input: fillInput(tool, { path, title: path }) }];
  return isDone(call);
}

function isDone(call: SituationCall | undefined): boolean {
  return call?.result !== undefined && !call.result.isError;
}

function composeArtifact(situation: Situation, order: WriteOrder, findings: string): string {
  const title = titleOf(order);
  const date = /Today's date is (\d{4}-\d{2}-\d{2})/.exec(situation.systemPrompt)?.[1];
  const tags = unique(
    [...readTerms(order.subject).words, ...readTerms(order.subject).names]
      .map((word) => slugOf(word, 24))
      .filter((word) => word !== ''),
  ).slice(0, 5);
  const header = [
    '---',
    `title: ${JSON.stringify(title)}`,
    ...(date === undefined ? [] : [`date: ${date}`]),
    'status: draft',
    `tags: [${tags.join(', ')}]`,
    '---',
  ];
  const body = findings
    .split('\n\n')
    .filter((part) => !part.startsWith('*Next:*'))
    .join('\n\n');
  const lead = firstParagraph(body);
  return `${header.join('\n')}\n\n${paragraphs(
    `# ${title}`,
    `## Summary`,
    lead === '' ? fromTurns(situation.turns) || 'Nothing has been found yet.' : lead,
    body !== lead &&
      body !== '' &&
      paragraphs('## Findings', body.slice(lead.length).trim().replaceAll(/^### /gm, '### ')),
    lead !== '' &&
      fromTurns(situation.turns) !== '' &&
      paragraphs('## From the conversation', fromTurns(situation.turns)),
    '## Open questions',
    openQuestions(body, order),
    '*Gathered by the rehearsal, without a model: quotes and places are from the project, conclusions are missing.*',
  )}\n`;
}

function titleOf(order: WriteOrder): string {
  const words = order.subject.replace(/[.?!:,\s]+$/, '').replaceAll('`', '');
  const stem = order.path
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')
    .replaceAll(/[-_]+/g, ' ');
  const text = words.length > 3 && words.length <= 80 ? words : stem;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function firstParagraph(text: string): string {
  return text.split('\n\n')[0] ?? '';
}

/** What was asked before with the first thing that was answered and its places, and what was decided. */
function fromTurns(turns: readonly SituationTurn[]): string {
  const rows = turns.flatMap((turn) => {
    const decisions = turn.calls.filter(
      (call) => call.name.endsWith('record_decision') && call.result?.isError === false,
    );
    if (decisions.length > 0)
      return decisions.map((call) => `**Decided:** ${String(call.input['decision'] ?? turn.userText)}`);
    const places = placesIn(turn.assistantText);
    if (places.length === 0 || readOrder(turn.userText) !== undefined) return [];
    const told =
      turn.assistantText.split('\n\n').find((part) => part !== '' && !/^(>|#|```|`[^`]+`$)/.test(part)) ?? '';
    const where = places.slice(0, 3).map((place) => `\`${place.path}:${place.line}\``);
    return [
      `**${shortened(turn.userText.replaceAll(/\s+/g, ' '), 120)}** ${shortened(told.replaceAll(/\s+/g, ' '), 240)} (${where.join(', ')})`,
    ];
  });
  return bullets(rows.slice(-12));
}

function openQuestions(body: string, order: WriteOrder): string {
  const missing = body
    .split('\n\n')
    .filter(
      (part) =>
        /^\*\*Not found|no test file mentions|No test file|I see no line that|as such is nowhere/i.test(part) ||
        part.includes('No test file mentions'),
    );
  const rows = missing.map((part) => shortened(part.replaceAll('**', '').replaceAll(/\s+/g, ' '), 220));
  const asked = order.subject.endsWith('?') ? [order.subject] : [];
  const all = unique([...rows, ...asked]);
  return bullets(
    all.length > 0 ? all : ['Is what was found all of it? The search went by words and names, not by meaning.'],
  );
}
