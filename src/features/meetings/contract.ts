/** What the rest of the program may know of meetings: words, shapes, events, operations. */
import { z } from 'zod';
import { activityIdSchema, agentSessionIdSchema, projectNameSchema } from '../../kernel/pure/ids.ts';

/** The feature's word in ids, branches (`claude/meeting/<id>`), folders and events. */
export const meetingKind = 'meeting';
/** Where meeting artifacts live, relative to the project. */
export const meetingsFolder = '.lore/meetings';

export const meetingIdSchema = activityIdSchema;
export type MeetingId = z.infer<typeof meetingIdSchema>;

export const meetingStatusSchema = z.enum(['requested', 'open', 'closed', 'declined']);
export type MeetingStatus = z.infer<typeof meetingStatusSchema>;

export const logEntrySchema = z.object({ timestamp: z.string(), event: z.string(), reason: z.string() });
export type LogEntry = z.infer<typeof logEntrySchema>;

export const decisionSchema = z.object({
  timestamp: z.string(),
  question: z.string(),
  decision: z.string(),
  reasoning: z.string(),
});

/** `none`: not closed yet. `dismissed`: the person gave the branch up; it is still there. */
export const mergeSchema = z.object({
  state: z.enum(['none', 'merged', 'merge_conflict', 'dismissed']),
  files: z.array(z.string()),
});
export type MergeFacts = z.infer<typeof mergeSchema>;

const problemSchema = z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() });

/** A meeting as its artifact tells it. Reading is tolerant: what cannot be read is a problem, never a guess. */
export const meetingRecordSchema = z.object({
  id: meetingIdSchema,
  project: projectNameSchema,
  /** Artifact path relative to the project. */
  path: z.string(),
  title: z.string(),
  date: z.string(),
  /** null: the file's word is none of the four, see `problems`. */
  status: meetingStatusSchema.nullable(),
  worker: z.string(),
  agenda: z.string(),
  referencedArtifacts: z.array(z.string()),
  /** Paths of other artifacts; a follow-up names the meeting it came from. */
  related: z.array(z.string()),
  requestedBy: z.string().nullable(),
  requestReason: z.string().nullable(),
  deferredUntil: z.string().nullable(),
  /** The agent SDK's session, for `options.resume`; never an address. */
  sessionId: agentSessionIdSchema.nullable(),
  branch: z.string().nullable(),
  linkedArtifacts: z.array(z.string()),
  log: z.array(logEntrySchema),
  decisions: z.array(decisionSchema),
  notesSummary: z.string(),
  merge: mergeSchema,
  mergedFrom: z.string().nullable(),
  problems: z.array(problemSchema),
});
export type MeetingRecord = z.infer<typeof meetingRecordSchema>;

/** The five kinds that a turn's stream shows, and no other. It ends with exactly one `turn_end` or `error`. */
export const turnEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text_delta'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), callId: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    callId: z.string(),
    name: z.string(),
    ok: z.boolean(),
    summary: z.string(),
  }),
  z.object({ type: z.literal('turn_end'), interrupted: z.boolean() }),
  z.object({ type: z.literal('error'), reason: z.string(), hint: z.string() }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;

/** Events of the hall's stream whose subject is `meeting:<id>`. */
export interface MeetingEvents {
  'meeting.requested': { id: string; worker: string; agenda: string };
  'meeting.opened': { id: string; worker: string; branch: string };
  'meeting.opening_rolled_back': { id: string; reason: string; firstMessage: string };
  'meeting.declined': { id: string; reason: string };
  'meeting.deferred': { id: string; until: string };
  'meeting.renamed': { id: string; title: string };
  'meeting.message_queued': { id: string; messageId: string; turn: number };
  'meeting.turn_started': { turn: number; messageId: string; text: string };
  'meeting.turn': { turn: number; event: TurnEvent };
  'meeting.turn_usage': { turn: number; inputTokens: number; outputTokens: number; costUsd: number | null };
  'meeting.agent_retry': { turn: number; attempt: number; errorClass: string; delayMs: number };
  'meeting.session_renewed': { id: string; oldSession: string; newSession: string };
  'meeting.record_changed': { id: string; what: string };
  'meeting.closing': { id: string };
  'meeting.closed': { id: string; merge: MergeFacts; commit: string | null };
  'meeting.merge_conflict': { id: string; files: string[]; branch: string };
}
export type MeetingEventType = keyof MeetingEvents;

/** One entry of a transcript. A turn has a `user` entry and, when it has ended, an `assistant` entry. */
export const transcriptEntrySchema = z.object({
  speaker: z.enum(['user', 'assistant']),
  turn: z.number(),
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Of a user entry: the message's id. Of an assistant entry: how the turn ended. */
  mark: z.string(),
  text: z.string(),
  /** Of an assistant entry: one line a tool call, and why the turn failed. Written by the hall alone. */
  tools: z.array(z.string()),
  error: z.string().nullable(),
});
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;

/** What opening answers: the hall has taken the first message; its turn follows as events from `cursor` on. */
export const meetingOpenedSchema = z.object({
  id: meetingIdSchema,
  project: projectNameSchema,
  status: meetingStatusSchema,
  worker: z.string(),
  branch: z.string(),
  worktree: z.string(),
  path: z.string(),
  turn: z.number(),
  cursor: z.string(),
});
export type MeetingOpened = z.infer<typeof meetingOpenedSchema>;

/** What closing answers. `branch` is the one that is still there: not merged, or checked out or moved elsewhere. */
export const meetingClosedSchema = z.object({
  id: meetingIdSchema,
  project: projectNameSchema,
  status: meetingStatusSchema,
  merge: mergeSchema,
  commit: z.string().nullable(),
  branch: z.string().nullable(),
  path: z.string(),
  notes: z.string(),
  transcriptKept: z.boolean(),
});
export type MeetingClosed = z.infer<typeof meetingClosedSchema>;

/** A meeting with its conversation. */
export const meetingViewSchema = z.object({
  meeting: meetingRecordSchema,
  worktree: z.string().nullable(),
  /** The record's file, absolute: where a person mends it. */
  recordFile: z.string(),
  turns: z.array(transcriptEntrySchema),
  running: z.object({ turn: z.number(), since: z.string() }).nullable(),
  queue: z.array(z.object({ messageId: z.string(), text: z.string(), at: z.string() })),
  changedFiles: z.array(z.object({ path: z.string(), status: z.string() })),
  cursor: z.string(),
});
export type MeetingView = z.infer<typeof meetingViewSchema>;

export const meetingListSchema = z.object({
  meetings: z.array(meetingRecordSchema),
  /** Files among the meetings that are none, with what to do about each. */
  problems: z.array(problemSchema),
});
export type MeetingList = z.infer<typeof meetingListSchema>;
