/** The notes of a meeting: by the configured model, or assembled from the record, which they then say. */
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { MeetingsContext } from './context.ts';
import type { MeetingRecord, TranscriptEntry } from './contract.ts';
import { readPrompt } from './prompts.ts';
import { activityOf } from './reactions/live.ts';
import type { MeetingRef } from './store/place.ts';
import { linkFromMeeting } from './store/record.ts';
import { firstSentence, shorten, summariseForRenewal } from './summary.ts';

/** What is written of the talk itself; the facts between the two are always those of the record. */
export interface NotesParts {
  /** Markdown, headed. */
  readonly summary: string;
  readonly questions: string;
  readonly by: 'model' | 'record';
  /** The model was asked and failed, and why: what stands here is assembled, and the transcript is worth keeping. */
  readonly problem: string | null;
}

export interface NotesSource {
  readonly record: MeetingRecord;
  readonly entries: readonly TranscriptEntry[];
  /** Artifact paths that the meeting changed or linked, without doubles. */
  readonly produced: readonly string[];
  /** Requests for other meetings that came out of this one. */
  readonly followUps: readonly MeetingRecord[];
}

/** Asks the model where one is configured, else, or when it fails, assembles them from the record. */
export async function writeParts(ctx: MeetingsContext, ref: MeetingRef, source: NotesSource): Promise<NotesParts> {
  const { record, entries } = source;
  const model = await modelOf(ctx, record);
  const wasSilent = entries.every((entry) => entry.speaker !== 'user');
  if (wasSilent || ctx.gateway.describeModel(model.modelName).isRehearsal) return assembledParts(ctx, source, null);
  try {
    const written = await ctx.gateway.complete(activityOf(ref), {
      ...model,
      system: await readPrompt(ctx, 'notes', {}),
      prompt: `Title: ${record.title}\nAgenda: ${record.agenda}\n\n${summariseForRenewal(entries)}`,
      maxTokens: 2000,
    });
    const [summary, questions] = splitWritten(await ctx.scrub(written));
    return { summary, questions, by: 'model', problem: null };
  } catch (error) {
    ctx.log.warn({ err: error, meeting: ref.id }, 'the model could not write the notes');
    return assembledParts(ctx, source, errorFactsOf(error).message);
  }
}

async function assembledParts(
  ctx: MeetingsContext,
  { record, entries }: NotesSource,
  problem: string | null,
): Promise<NotesParts> {
  const why = problem === null ? undefined : `The model could not write these notes: ${problem}`;
  const [summary, questions] = await Promise.all([
    ctx.scrub(assembleSummary(record, entries, why)),
    ctx.scrub(assembleQuestions(entries)),
  ]);
  return { summary, questions, by: 'record', problem };
}

/** The notes, with the facts as they are now. */
export async function composeNotes(ctx: MeetingsContext, parts: NotesParts, source: NotesSource): Promise<string> {
  return ctx.scrub(`${parts.summary}\n\n${factsSection(source)}\n\n${parts.questions}`);
}

/** The model of the meeting's worker, where its package names one. */
async function modelOf(ctx: MeetingsContext, record: MeetingRecord): Promise<{ readonly modelName?: string }> {
  const { workers } = await ctx.catalogue();
  const named = [...workers.values()].find(({ name }) => name === record.worker)?.model;
  return named === undefined ? {} : { modelName: named };
}

function splitWritten(written: string): readonly [string, string] {
  const at = written.search(/^## Open questions\s*$/m);
  const summary = (at === -1 ? written : written.slice(0, at)).trim();
  const headed = summary.startsWith('## Summary') ? summary : `## Summary\n\n${summary}`;
  return [headed, at === -1 ? '## Open questions\n\nNone noted.' : written.slice(at).trim()];
}

/** Decisions, artifacts, progress and follow-ups: from the record, never from a model's memory. */
function factsSection({ record, produced, followUps }: NotesSource): string {
  const decisions = record.decisions.map(
    (made) => `- **${oneLine(made.question)}** ${oneLine(made.decision)} (${oneLine(made.reasoning)})`,
  );
  const artifacts = produced.map((path) => `- ${linkFromMeeting(path)}`);
  const progress = record.log.filter((entry) => entry.event === 'progress_summary').map(progressItem);
  const next = followUps.map((meeting) => `- ${linkFromMeeting(meeting.path)}: ${oneLine(meeting.title)}`);
  return [
    `## Decisions\n\n${listOr(decisions, 'None recorded.')}`,
    `## Artifacts\n\n${listOr(artifacts, 'None produced.')}`,
    ...(progress.length === 0 ? [] : [`## Progress\n\n${progress.join('\n')}`]),
    ...(next.length === 0 ? [] : [`## Follow-ups\n\n${next.join('\n')}`]),
  ].join('\n\n');
}

/** A summary of several lines keeps them, set below its time. */
function progressItem(entry: { readonly timestamp: string; readonly reason: string }): string {
  const time = entry.timestamp.slice(0, 16).replace('T', ' ');
  const text = entry.reason.trim();
  return text.includes('\n') ? `- ${time}\n\n${text.replaceAll(/^(?=.)/gm, '  ')}\n` : `- ${time}: ${text}`;
}

function assembleSummary(record: MeetingRecord, entries: readonly TranscriptEntry[], why?: string): string {
  const label = why ?? 'Assembled from the record: no model is configured.';
  const questions = entries.filter((entry) => entry.speaker === 'user');
  const lines = questions.map((asked) => {
    const answer = entries.find((entry) => entry.speaker === 'assistant' && entry.turn === asked.turn);
    return `${asked.turn}. **${firstSentence(asked.text)}** ${answerInBrief(answer)}`;
  });
  const count = questions.length === 1 ? '1 turn' : `${questions.length} turns`;
  const span = `${count} with ${record.worker}`;
  return `## Summary\n\n*${label}*\n\n${span}${lines.length === 0 ? '; nothing was said.' : `:\n\n${lines.join('\n')}`}`;
}

function answerInBrief(answer: TranscriptEntry | undefined): string {
  if (answer === undefined) return '(not answered)';
  if (answer.error !== null) return `(failed: ${oneLine(answer.error)})`;
  const places = [...new Set([...answer.text.matchAll(/`([\w./@-]+:\d+)(?:-\d+)?`/g)].map((found) => found[1]!))].slice(
    0,
    3,
  );
  const where = places.length === 0 ? '' : ` See ${places.map((place) => `\`${place}\``).join(', ')}.`;
  const cut =
    answer.mark === 'interrupted'
      ? ' (interrupted)'
      : answer.mark === 'cut-off'
        ? ' (cut off by a stop of the hall)'
        : '';
  return `${firstSentence(answer.text)}${where}${cut}`;
}

/** Turns without a full answer, and what the answers themselves left open. */
function assembleQuestions(entries: readonly TranscriptEntry[]): string {
  const answered = new Set(
    entries.filter((entry) => entry.speaker === 'assistant' && entry.mark === 'done').map((entry) => entry.turn),
  );
  const unanswered = entries
    .filter((entry) => entry.speaker === 'user' && !answered.has(entry.turn))
    .map((entry) => `- Turn ${entry.turn} has no full answer: ${firstSentence(entry.text)}`);
  const left = entries.filter((entry) => entry.speaker === 'assistant').flatMap((entry) => openQuestionsIn(entry.text));
  return `## Open questions\n\n${listOr([...unanswered, ...new Set(left)], 'None noted.')}`;
}

/** The list under a heading "Open questions" of an answer. */
function openQuestionsIn(text: string): readonly string[] {
  const section = /^#+\s*Open questions\s*\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1] ?? '';
  return section
    .split('\n')
    .filter((line) => /^\s*[-*]\s/.test(line))
    .map((line) => `- ${shorten(oneLine(line.replace(/^\s*[-*]\s+/, '')), 300)}`);
}

function listOr(lines: readonly string[], otherwise: string): string {
  return lines.length === 0 ? otherwise : lines.join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
