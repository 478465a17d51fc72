/** The files of meetings: artifacts in the integration worktree, transcripts and working state in the home. */
import { join } from 'node:path';
import { mkdir, readdir, rm, truncate } from 'node:fs/promises';
import { z } from 'zod';
import { editArtifact, type ArtifactEdit } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { appendDurably, readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import {
  type MeetingId,
  meetingIdSchema,
  type MeetingRecord,
  meetingsFolder,
  type TranscriptEntry,
} from '../contract.ts';
import type { MeetingsContext } from '../context.ts';
import { type ParsedTranscript, parseTranscript, printEntry } from '../fold/transcript.ts';
import { meetingPath, recordOfDocument } from './record.ts';

const queuedSchema = z.object({ messageId: z.string(), text: z.string(), at: z.string() });

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
  /** The person's first words, so that an opening that is rolled back can give them back. */
  firstMessage: z.string(),
  /** Tip of the integration branch when the activity branch was made; null before that. */
  base: z.string().nullable(),
  /** Number of the last turn that was started. */
  turn: z.number(),
  queue: z.array(queuedSchema),
  running: queuedSchema.extend({ turn: z.number(), cursor: z.string() }).nullable(),
  closing: z.object({ notes: z.string().nullable(), notesFailed: z.boolean() }).nullable(),
});
export type MeetingState = z.infer<typeof meetingStateSchema>;

export function stateOf(ctx: MeetingsContext, id: MeetingId): StateFile<MeetingState> {
  return stateFile({ path: join(ctx.home.state, 'meetings', `${id}.json`), schema: meetingStateSchema, version: 1 });
}

/** Reads, changes and writes the working state. The caller holds the meeting's lock. */
export async function changeState(
  ctx: MeetingsContext,
  id: MeetingId,
  change: (state: MeetingState) => MeetingState,
): Promise<MeetingState> {
  const file = stateOf(ctx, id);
  const before = await file.read();
  if (before === undefined) throw noState(id);
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

/** Ids of all meetings that have working state: those that were open, opening or closing when the hall ended. */
export async function listStates(ctx: MeetingsContext): Promise<readonly MeetingId[]> {
  const names = await namesIn(join(ctx.home.state, 'meetings'));
  return names.flatMap((name) => {
    const id = meetingIdSchema.safeParse(name.replace(/\.json$/, ''));
    return name.endsWith('.json') && id.success ? [id.data] : [];
  });
}

export function artifactFile(project: Project, id: MeetingId): string {
  return join(project.integrationWorktree, meetingPath(id));
}

export async function readMeeting(project: Project, id: MeetingId): Promise<MeetingRecord | undefined> {
  const source = await readTextIfExists(artifactFile(project, id));
  return source === undefined ? undefined : recordOfDocument(project.name, id, parseArtifact(source, meetingPath(id)));
}

/** @throws HallError `not_found` */
export async function requireMeeting(project: Project, id: MeetingId): Promise<MeetingRecord> {
  const record = await readMeeting(project, id);
  if (record === undefined) throw missing(project, id);
  return record;
}

/** Every meeting of a project, newest first; a file whose name is no usable id is named in `unusable`. */
export async function readMeetings(
  project: Project,
): Promise<{ readonly meetings: readonly MeetingRecord[]; readonly unusable: readonly string[] }> {
  const names = await namesIn(join(project.integrationWorktree, meetingsFolder));
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith('.'));
  const ids = files.map((name) => ({ name, id: meetingIdSchema.safeParse(name.slice(0, -3)) }));
  const read = await Promise.all(ids.flatMap(({ id }) => (id.success ? [readMeeting(project, id.data)] : [])));
  const meetings = read.filter((meeting) => meeting !== undefined);
  const started = (meeting: MeetingRecord): string => meeting.log[0]?.timestamp ?? meeting.date;
  return {
    meetings: meetings.toSorted((a, b) => started(b).localeCompare(started(a)) || b.id.localeCompare(a.id)),
    unusable: ids.flatMap(({ name, id }) => (id.success ? [] : [`${meetingsFolder}/${name}`])),
  };
}

/** Edits the artifact in place. The caller holds the meeting's lock; committing is another step. */
export async function editMeeting(project: Project, id: MeetingId, edit: ArtifactEdit): Promise<MeetingRecord> {
  const file = artifactFile(project, id);
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

/** One write, on disk when it returns. Person's words are kept as they are; an agent's have been scrubbed before. */
export async function appendEntry(ctx: MeetingsContext, id: MeetingId, entry: TranscriptEntry): Promise<void> {
  await appendDurably(transcriptFile(ctx, id), printEntry(entry), { mode: 0o600 });
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
