/**
 * How the rehearsal works in a commission: it reports, does what the order says with the plays of the project (search,
 * compose, write to the path that is named), reads what it wrote, asks where it could not check something, and submits.
 */
import { callMove, type Move, type MoveBlock, type RehearsalPlay } from '../../../kernel/agents/rehearsal/move.ts';
import { offeredTool } from '../../../kernel/agents/rehearsal/plays/offered.ts';
import { projectPlays } from '../../../kernel/agents/rehearsal/plays/project-plays.ts';
import type { Situation, SituationCall } from '../../../kernel/agents/rehearsal/situation.ts';
import { commissionKind } from '../contract.ts';

export const commissionPlay: RehearsalPlay = { name: 'commission', priority: 200, play: playCommission };

/** Of a very long order this is what the rehearsal reads. Characters. */
const readLength = 20_000;

function playCommission(situation: Situation): Move | undefined {
  const has = (name: string): boolean => offeredTool(situation, name) !== undefined;
  if (situation.activityKind !== commissionKind || !has('report_progress') || !has('submit_result')) return undefined;
  const { calls } = situation.turn;
  const reports = calls.flatMap((call, index) => (isOf(call, 'report_progress') ? [index] : []));
  const [begun, finished] = reports;
  if (begun === undefined) return begin(situation);
  const work = playWork(situation, calls.slice(begun + 1, finished ?? calls.length));
  if (work.next !== undefined) return work.next;
  if (finished === undefined) return check(situation, work);
  return handOver(situation, work, calls.slice(finished + 1));
}

/** What the plays of the project made of the order. */
interface Work {
  /** What they do next; undefined when they have come to their end. */
  readonly next: Move | undefined;
  readonly said: string;
  /** Relative to the project. */
  readonly written: readonly string[];
}

function begin(situation: Situation): Move {
  const order = situation.turn.userText.replaceAll(/\s+/g, ' ').slice(0, 120);
  return {
    blocks: [
      { type: 'text', text: `I begin with the order: “${order}”.` },
      call(situation, 'report_progress', { summary: `Read the order and began: ${order}` }),
    ],
  };
}

function playWork(situation: Situation, calls: readonly SituationCall[]): Work {
  const { turn } = situation;
  const inner: Situation = { ...situation, turn: { ...turn, userText: taskOf(turn.userText), calls } };
  const move = workMove(inner);
  const isOver = move === undefined || move.blocks.every(({ type }) => type === 'text');
  const said = (move?.blocks ?? []).flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  return { next: isOver ? undefined : move, said, written: writtenBy(situation, calls) };
}

/** How it is to be checked is no part of what is to be looked for. */
const aboutChecking =
  /^(?:[-*\d.)\s]*)(?:\*\*)?(?:check|checks|verify|make sure|ensure|criteria|acceptance|success|it is done when|done when|report progress|ask)\b/i;

function taskOf(order: string): string {
  const sentences = order.slice(0, readLength).split(/(?<=[.!?:])\s+(?=[\p{Lu}*#-])|\n+/u);
  const task = sentences.filter((sentence) => !aboutChecking.test(sentence));
  return task.length === 0 ? order.slice(0, readLength) : task.map(asOrder).join('\n');
}

const path = '[`"“]?((?:\\.?[\\w@-]+/)*[\\w@.-]+\\.(?:mdx?|txt))[`"”]?';
/** `.lore/a.md says how b is done`: the file as it is to be in the end. */
const fileInTheEnd = new RegExp(`^\\s*${path}\\s+(?:says|names|lists|describes|explains|tells|shows)\\s+(.+)$`, 'is');
/** `Write to .lore/a.md how b is done`: the subject comes last. */
const writeToFile = new RegExp(`^\\s*write\\s+(?:in)?to\\s+${path}\\s+(.+)$`, 'is');

function asOrder(sentence: string): string {
  const [, file, what] = fileInTheEnd.exec(sentence) ?? writeToFile.exec(sentence) ?? [];
  return file === undefined ? sentence : `Write \`${file}\` about ${what!.replace(/\.\s*$/, '')}.`;
}

/** An order to write comes first, then a question about the project; what else it may be is tried last. */
function workMove(situation: Situation): Move | undefined {
  const rank = ({ name }: RehearsalPlay): number => (name === 'write' ? 0 : name === 'ask' ? 1 : 2);
  for (const play of projectPlays.toSorted((a, b) => rank(a) - rank(b))) {
    const move = play.play(situation);
    if (move !== undefined) return move;
  }
  return undefined;
}

function writtenBy(situation: Situation, calls: readonly SituationCall[]): string[] {
  const paths = calls.flatMap((done) => {
    if (done.result === undefined || done.result.isError) return [];
    if (isOf(done, 'write_artifact')) return [String(done.input['path'] ?? '')];
    return done.name === 'Write' ? [withoutRoot(situation, String(done.input['file_path'] ?? ''))] : [];
  });
  return [...new Set(paths.filter((path) => path !== ''))];
}

function withoutRoot({ cwd }: Situation, path: string): string {
  return cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** Tells what was made, and reads it once more. */
function check(situation: Situation, { written }: Work): Move {
  const summary =
    written.length === 0 ? 'Searched; no file was written.' : `Wrote ${written.join(', ')}; reading it again.`;
  const readable = written.filter((path) => path.startsWith('.lore/'));
  const reads = offeredTool(situation, 'read_artifact') === undefined ? [] : readable;
  return {
    blocks: [
      call(situation, 'report_progress', { summary }),
      ...reads.map((path) => call(situation, 'read_artifact', { path })),
    ],
  };
}

function handOver(situation: Situation, work: Work, calls: readonly SituationCall[]): Move {
  const question = questionAbout(situation, work);
  const isAsked = calls.some((done) => isOf(done, 'log_question'));
  if (question !== undefined && !isAsked && offeredTool(situation, 'log_question') !== undefined) {
    return { blocks: [call(situation, 'log_question', { question })] };
  }
  const submitted = calls.find((done) => isOf(done, 'submit_result'));
  if (submitted !== undefined) {
    const text =
      submitted.result?.isError === true
        ? `The result was not taken: ${submitted.result.text.slice(0, 300)}`
        : 'The result is handed over.';
    return { blocks: [{ type: 'text', text }] };
  }
  const read = calls.filter((done) => isOf(done, 'read_artifact') && done.result?.isError === false);
  const checked =
    read.length === 0
      ? ''
      : `\n\nChecked: ${read.map((done) => `\`${String(done.input['path'])}\``).join(', ')} can be read.`;
  const open = question === undefined ? '' : `\n\nOpen: ${question}`;
  const summary = `${work.said.slice(0, 8000)}${checked}${open}`;
  return callMove({ name: nameOf(situation, 'submit_result'), input: { summary, artifacts: work.written } });
}

const wantsRunning =
  /\b(?:npm|npx|pnpm|yarn|make|cargo|pytest|go test|tests? pass|runs? (?:the )?tests?|builds? (?:the|it)|compiles?)\b/i;
const foundNothing = /found nothing|no line matches|I have not understood|so I searched nothing|could not write/i;

/** What a rehearsal could not do of the order; undefined where there is nothing to ask. */
function questionAbout(situation: Situation, { said, written }: Work): string | undefined {
  const command = wantsRunning.exec(situation.turn.userText.slice(0, readLength))?.[0];
  if (command !== undefined) {
    return `The order names something to run (“${command}”), and a rehearsal runs nothing: that criterion is not checked. Who runs it?`;
  }
  if (!foundNothing.test(said)) return undefined;
  const where = written[0] === undefined ? '' : ` \`${written[0]}\` says so.`;
  return `I found nothing in the project on what the order asks for.${where} Where should I look?`;
}

function call(situation: Situation, name: string, input: Readonly<Record<string, unknown>>): MoveBlock {
  return { type: 'tool_use', name: nameOf(situation, name), input };
}

function nameOf(situation: Situation, name: string): string {
  return offeredTool(situation, name)?.name ?? name;
}

function isOf({ name }: SituationCall, tool: string): boolean {
  return name === tool || name.endsWith(`__${tool}`);
}
