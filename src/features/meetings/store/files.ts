/** The files of meetings: artifacts in the integration worktree, transcripts and working state in the home. */
import { join } from 'node:path';
import { mkdir, readdir, rm, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { editArtifact, type ArtifactEdit } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { appendDurably, readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import {
  type MeetingId,
  meetingIdSchema,
  type MeetingRecord,
  meetingsFolder,
  notesDraftSchema,
  type QueuedMessage,
  queuedMessageSchema,
  type TranscriptEntry,
} from '../contract.ts';
import type { MeetingsContext } from '../context.ts';
import { type ParsedTranscript, parseTranscript, printEntry } from '../fold/transcript.ts';
import { meetingPath, recordOfDocument } from './record.ts';

/**
 * What a meeting is in the middle of: machine-local, one file a meeting, there from the first step of its opening to
 * the last of its close. After a crash it tells what is still to do.
 */
const meetingStateSchema = z.object({
  project: projectNameSchema,
  id: meetingIdSchema,
  phase: z.enum(['opening', 'open', 'closing', 'conflict']),
  /** Whether an opening that fails goes back to `requested` or leaves nothing. */
  fromRequest: z.boolean(),
  /** The person's first words, so that an opening that is rolled back can give them back; masked once it is open. */
  firstMessage: z.string(),
  /** Under which id the opening or the acceptance was sent; empty where the sender gave none. */
  firstMessageId: z.string().default(''),
  /** Tip of the integration branch when the activity branch was made; null before that. */
  base: z.string().nullable(),
  /** Number of the last turn that was started. */
  turn: z.number(),
  queue: z.array(queuedMessageSchema),
  /** How the last messages were acknowledged, the newest last. */
  said: z
    .array(z.object({ messageId: z.string(), turn: z.number(), position: z.number(), cursor: z.string() }))
    .default([]),
  /** `since`: when the turn began; `cursor`: what is shown of it comes after. */
  running: queuedMessageSchema
    .extend({ turn: z.number(), since: z.string().optional(), cursor: z.string() })
    .nullable(),
  /** Notes that were drafted while it was open, and from what; `drafting`: since when new ones are being made. */
  draft: notesDraftSchema.extend({ summary: z.string(), questions: z.string() }).nullable().default(null),
  drafting: z.string().nullable().default(null),
  closing: z
    .object({
      /** What the meeting produced is among its links. */
      linked: z.boolean().default(false),
      notes: z.string().nullable(),
      notesFailed: z.boolean(),
      /** The record as the merge writes it: computed once, so that a merge that is done again makes the same commit. */
      final: z.string().nullable(),
      /** What the merge gave; from then on only clean-up is left. */
      merged: z.object({ commit: z.string(), tip: z.string().nullable() }).nullable(),
      /** The person said that what looks like a secret in the branch's files is meant. */
      allowSecrets: z.boolean().default(false),
    })
    .nullable(),
});
export type MeetingState = z.infer<typeof meetingStateSchema>;
type Closing = NonNullable<MeetingState['closing']>;

/** How far a close has come; nothing of it where none has begun. */
export function closingOf(state: MeetingState | undefined): Closing {
  const fresh = { linked: false, notes: null, notesFailed: false, final: null, merged: null, allowSecrets: false };
  return state?.closing ?? fresh;
}

export function stateOf(
  ctx: MeetingsContext,
  meeting: { readonly project: { readonly name: string }; readonly id: MeetingId },
): StateFile<MeetingState> {
  // A project's name has no dot, so the two parts stay apart.
  const path = join(ctx.home.state, 'meetings', `${meeting.project.name}.${meeting.id}.json`);
  return stateFile({ path, schema: meetingStateSchema, version: 1 });
}

/** Reads, changes and writes the working state. The caller holds the meeting's lock. */
export async function changeState(
  ctx: MeetingsContext,
  ref: { readonly project: { readonly name: string }; readonly id: MeetingId },
  change: (state: MeetingState) => MeetingState,
): Promise<MeetingState> {
  const file = stateOf(ctx, ref);
  const before = await file.read();
  if (before === undefined) throw noState(ref.id);
  const after = change(before);
  await file.write(after);
  return after;
}

function noState(id: MeetingId): Error {
  return fail(
    'conflict',
    `The working state of meeting ${id} is missing; it is made when a meeting opens.`,
    'Restart the hall to make it anew from the record: guild-hall down, then guild-hall up',
  );
}

/** All meetings that have working state: those that were open, opening or closing when the hall ended. */
export async function listStates(
  ctx: MeetingsContext,
): Promise<readonly { readonly project: string; readonly id: MeetingId }[]> {
  const names = await namesIn(join(ctx.home.state, 'meetings'));
  return names.flatMap((name) => {
    const [project = '', stem = '', ending] = name.split('.');
    const id = meetingIdSchema.safeParse(stem);
    return ending === 'json' && id.success ? [{ project, id: id.data }] : [];
  });
}

/** The record's file. @throws HallError `forbidden` when a link of the repository leads it out of the project */
export async function artifactFile(project: Project, id: MeetingId): Promise<string> {
  return resolveInside(project.integrationWorktree, meetingPath(id));
}

export async function readMeeting(project: Project, id: MeetingId): Promise<MeetingRecord | undefined> {
  const source = await readTextIfExists(await artifactFile(project, id));
  return source === undefined ? undefined : recordOfDocument(project.name, id, parseArtifact(source, meetingPath(id)));
}

/** @throws HallError `not_found` */
export async function requireMeeting(project: Project, id: MeetingId): Promise<MeetingRecord> {
  const record = await readMeeting(project, id);
  if (record === undefined) throw missing(project, id);
  return record;
}

export interface MeetingsRead {
  /** Newest first. */
  readonly meetings: readonly MeetingRecord[];
  /** Files that are no meetings, and a folder that cannot be read: the others are listed all the same. */
  readonly problems: MeetingRecord['problems'];
}

/** Every meeting of a project. */
export async function readMeetings(project: Project): Promise<MeetingsRead> {
  let folder: string;
  try {
    folder = await resolveInside(project.integrationWorktree, meetingsFolder);
  } catch (error) {
    const { message } = errorFactsOf(error);
    return { meetings: [], problems: [{ file: meetingsFolder, line: 1, column: 1, message }] };
  }
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.md') && !name.startsWith('.'));
  const read = await Promise.all(names.map((name) => readNamed(project, name)));
  const meetings = read.flatMap((one) => ('id' in one ? [one] : []));
  return {
    meetings: newestFirst(meetings),
    problems: read.flatMap((one) => ('id' in one ? [] : [one])),
  };
}

export function newestFirst(meetings: readonly MeetingRecord[]): MeetingRecord[] {
  const started = (meeting: MeetingRecord): string => meeting.log[0]?.timestamp ?? meeting.date;
  return meetings.toSorted((x, y) => started(y).localeCompare(started(x)) || y.id.localeCompare(x.id));
}

export async function readNamed(
  project: Project,
  name: string,
): Promise<MeetingRecord | MeetingRecord['problems'][number]> {
  const file = `${meetingsFolder}/${name}`;
  const id = meetingIdSchema.safeParse(name.slice(0, -'.md'.length));
  const at = { file, line: 1, column: 1 };
  if (!id.success)
    return { ...at, message: 'The name is no meeting id: rename the file to letters, digits and hyphens.' };
  try {
    return (await readMeeting(project, id.data)) ?? { ...at, message: 'The file went away while it was read.' };
  } catch (error) {
    return { ...at, message: errorFactsOf(error).message };
  }
}

/** Edits the artifact in place. The caller holds the meeting's lock; committing is another step. */
export async function editMeeting(project: Project, id: MeetingId, edit: ArtifactEdit): Promise<MeetingRecord> {
  const file = await artifactFile(project, id);
  const source = await readTextIfExists(file);
  if (source === undefined) throw missing(project, id);
  const text = editArtifact(source, edit);
  await writeAtomically(file, text);
  return recordOfDocument(project.name, id, parseArtifact(text, meetingPath(id)));
}

export function missing(project: Project, id: string): Error {
  return fail(
    'not_found',
    `There is no meeting ${id} in project ${project.name}.`,
    `See: guild-hall meeting list --project ${project.name}`,
  );
}

export function transcriptFile(ctx: MeetingsContext, id: MeetingId): string {
  return join(ctx.home.root, 'meetings', `${id}.md`);
}

export async function readTranscript(ctx: MeetingsContext, id: MeetingId): Promise<ParsedTranscript> {
  return parseTranscript((await readTextIfExists(transcriptFile(ctx, id))) ?? '');
}

/** The person's words as an entry. */
export function questionEntry(message: QueuedMessage & { readonly turn: number }): TranscriptEntry {
  const { turn, messageId, text, at } = message;
  return { speaker: 'user', turn, at, mark: messageId, text, tools: [], error: null, hint: null, usage: null };
}

/** One write, on disk when it returns. Secrets are masked in the person's words too; an answer's have been before. */
export async function appendEntry(ctx: MeetingsContext, id: MeetingId, entry: TranscriptEntry): Promise<void> {
  const text = entry.speaker === 'user' ? await ctx.scrub(entry.text) : entry.text;
  await appendDurably(transcriptFile(ctx, id), printEntry({ ...entry, text }), { mode: 0o600 });
}

/** Cuts an entry off that a crash left half-written; nothing acknowledged is ever half-written. */
export async function mendTranscript(ctx: MeetingsContext, id: MeetingId): Promise<void> {
  const file = transcriptFile(ctx, id);
  const source = await readTextIfExists(file);
  if (source === undefined || source === '' || source.endsWith('\n\n')) return;
  // Inside a text such a line is guarded by a backslash, so this is always the start of an entry.
  const start = source.lastIndexOf('\n\n## ');
  await truncate(file, start === -1 ? 0 : Buffer.byteLength(source.slice(0, start + 2)));
}

/** The folders of meetings in the home, closed to other users. */
export async function ensureMeetingFolders(ctx: MeetingsContext): Promise<void> {
  for (const folder of [join(ctx.home.root, 'meetings'), join(ctx.home.state, 'meetings')]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
}

export async function removeTranscript(ctx: MeetingsContext, id: MeetingId): Promise<void> {
  await rm(transcriptFile(ctx, id), { force: true });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
