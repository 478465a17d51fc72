/** "Write … to <path>": gathers material, composes an artifact, writes it and links it. */
import type { RehearsalPlay } from '../move.ts';
import type { Situation, SituationCall } from '../situation.ts';
import { bodyOf, composeArtifact, type Draft, titleOf } from './compose.ts';
import { countsOf, kindOfFile, pathsOf } from './evidence.ts';
import { gatherFindings } from './findings.ts';
import { at, bullets, code, paragraphs, plural, shortened } from './markdown.ts';
import { canSearch, fillInput, offeredTool } from './offered.ts';
import { topicOf } from './outcome.ts';
import { countTerms } from './question.ts';
import { replayScript, resultText, type Script, type ToolRequest } from './script.ts';
import { grepCount, type Step } from './search.ts';
import { escapePattern, readTerms, type Terms } from './words.ts';
import { readOrder, type WriteOrder } from './write-order.ts';

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

function* writeScript(situation: Situation, order: WriteOrder): Script {
  const own = readTerms(order.subject);
  const topic: Terms = countTerms(own) > 0 ? own : topicOf(situation);
  const findings = yield* gatherFindings(situation, topic);
  const untested = yield* untestedOf(
    situation,
    findings.flatMap(({ name, path }) => (name === undefined || kindOfFile(path) !== 'source' ? [] : [name])),
  );
  const draft: Draft = { title: titleOf(order, topic), topic, findings, untested };
  const written = yield* deliver(situation, order, draft);
  if ('problem' in written)
    return `I composed the artifact but could not write ${code(order.path)}: ${shortened(written.problem, 300)}\n\nThis is what it would have been:\n\n${composeArtifact(situation, draft)}`;
  const linked = yield* linkFile(situation, written.path);
  const rows = findings.map((finding) => `${finding.name === undefined ? '' : `\`${finding.name}\`: `}${at(finding)}`);
  return paragraphs(
    `I have ${written.did} \`${written.path}\`${linked ? ' and linked it' : ''}.${order.chosen ? ' You named no path, so I made one from the subject.' : ''}${written.note}`,
    findings.length === 0
      ? `I found nothing on *${draft.title}*, and the artifact says so.`
      : `“${draft.title}”, with ${plural(findings.length, 'finding')}:\n\n${bullets(rows)}`,
    'Its status is *draft*: a rehearsal gathers and quotes; the judgement is yours to add.',
  );
}

/** Of these names the first that no test file mentions; at most two. */
function* untestedOf(situation: Situation, names: readonly string[]): Step<string[]> {
  if (!canSearch(situation)) return [];
  const asked = names.slice(0, 3);
  const calls = yield asked.map((name) => grepCount(`${escapePattern(name)}\\b`));
  const isTested = (i: number): boolean =>
    [...countsOf(situation, calls[i]).keys()].some((path) => kindOfFile(path) === 'test');
  return asked.filter((_, i) => !isTested(i)).slice(0, 2);
}

type Delivered = { path: string; did: string; note: string } | { problem: string };

/**
 * Writes by the hall's tool, or by the agent program's own; a path that is refused is tried again below `.lore/`. What is
 * there already is kept, unless the person asked to change it: then the new artifact goes to a free name beside it.
 */
function* deliver(situation: Situation, order: WriteOrder, draft: Draft): Step<Delivered> {
  const paths = order.path.startsWith('.lore/') ? [order.path] : [order.path, `.lore/${order.path}`];
  let problem = 'no tool';
  for (const candidate of paths) {
    const before = yield* readExisting(situation, candidate);
    // To what was read only in part nothing can be added: writing it back would cut it off.
    const cannotAppend = order.existing === 'append' && (before === '' || pageMark.test(before ?? ''));
    const keeps = before !== undefined && (order.existing === 'keep' || cannotAppend);
    const path = keeps ? yield* freeName(situation, candidate) : candidate;
    const isWhole = before !== undefined && before !== '' && !pageMark.test(before);
    const appends = isWhole && order.existing === 'append';
    const content = appends
      ? `${before.trimEnd()}\n\n# ${draft.title}\n\n${bodyOf(situation, draft)}\n`
      : composeArtifact(situation, draft);
    const [call] = yield [writeCall(situation, path, content)];
    problem = call?.result?.text ?? problem;
    if (!isDone(call)) continue;
    const refused =
      candidate === order.path
        ? ''
        : ` (It was refused at ${code(order.path)}: ${shortened(problemAt(situation, order.path), 160)})`;
    const kept = keeps
      ? ` ${code(candidate)} is there already, so I left it as it is; to change it say *update* or *append to* with its path.`
      : '';
    return {
      path,
      did: appends ? 'added to' : before !== undefined && !keeps ? 'rewritten' : 'written',
      note: `${kept}${refused}`,
    };
  }
  return { problem };
}

/** What `read_artifact` says at the end of a page that is not the last. */
const pageMark = /\[[^\]\n]*\boffset\b[^\]\n]*\]\s*$/;

function problemAt(situation: Situation, path: string): string {
  const failed = situation.turn.calls.find((call) => call.input['path'] === path && call.result?.isError === true);
  return failed?.result?.text.replaceAll(/\s+/g, ' ') ?? 'no reason given';
}

/** The text at a path, empty when it cannot be read but is there; undefined when nothing is there. */
function* readExisting(situation: Situation, path: string): Step<string | undefined> {
  const tool = offeredTool(situation, 'read_artifact');
  if (tool !== undefined && path.startsWith('.lore/')) {
    const [call] = yield [{ name: tool.name, input: fillInput(tool, { path }) }];
    return resultText(call);
  }
  if (offeredTool(situation, 'Glob') === undefined) return undefined;
  const [call] = yield [{ name: 'Glob', input: { pattern: path.replaceAll(/[[\]{}*?!]/g, '?') } }];
  return pathsOf(situation, call).length > 0 ? '' : undefined;
}

function* freeName(situation: Situation, path: string): Step<string> {
  const end = path.lastIndexOf('.');
  for (let i = 2; i < 20; i += 1) {
    const other = `${path.slice(0, end)}-${i}${path.slice(end)}`;
    if ((yield* readExisting(situation, other)) === undefined) return other;
  }
  return `${path.slice(0, end)}-next${path.slice(end)}`;
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
