/** What the rest of the program may know of meetings: words, shapes, events, operations. */
import { z } from 'zod';
import { foreseenSchema } from '../forecast/contract.ts';
import { activityIdSchema, agentSessionIdSchema, projectNameSchema } from '../../kernel/pure/ids.ts';
import { workDiffFields } from '../../kernel/pure/work-diff.ts';
import {
  queuedMessageSchema,
  runningTurnSchema,
  transcriptEntrySchema,
  usageSchema,
  type AnswerKept,
  type TurnEvent,
  type Usage,
} from './contract/talk.ts';

export {
  queuedMessageSchema,
  toolCallSchema,
  usageSchema,
  type AnswerKept,
  type AnswerMark,
  type QueuedMessage,
  type RunningTurn,
  type ToolCallView,
  type TranscriptEntry,
  type TurnEvent,
  type TurnView,
  type Usage,
} from './contract/talk.ts';

/** The feature's word in ids, branches (`claude/meeting/<id>`), folders and events. */
export const meetingKind = 'meeting';
/** Where meeting artifacts live, relative to the project. */
export const meetingsFolder = '.lore/meetings';

export const meetingIdSchema = activityIdSchema;
export type MeetingId = z.infer<typeof meetingIdSchema>;

/** Made by whoever sends the message, before it is sent: sent again, it is known. */
export const messageIdSchema = z
  .string()
  .regex(/^m-[a-z0-9]{8,20}$/, 'a message id is m- and 8 to 20 lower-case letters and digits');

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
  /** Of the whole meeting, from its close on. */
  usage: usageSchema.nullable(),
  problems: z.array(problemSchema),
});
export type MeetingRecord = z.infer<typeof meetingRecordSchema>;

/** Notes as they would be written now, for the person to look at and change before the close. */
export const notesDraftSchema = z.object({
  /** Markdown. */
  text: z.string(),
  at: z.string(),
  /** Who wrote its summary: the model, or nobody: then it is assembled from the record. */
  by: z.enum(['model', 'record']),
  /** Why the model did not, where it was asked. */
  problem: z.string().nullable(),
  /** Number of the last turn that it tells of. */
  turn: z.number(),
});
export type NotesDraft = z.infer<typeof notesDraftSchema>;

export { maxNotesLength } from './fold/limits.ts';

/** Events of the hall's stream whose subject is `meeting:<id>`. Times are ISO 8601, UTC. */
export interface MeetingEvents {
  'meeting.requested': { id: string; worker: string; agenda: string };
  'meeting.opening': { id: string };
  'meeting.opened': { id: string; worker: string; branch: string };
  /** `gone`: the person's own meeting, of which nothing is left. */
  'meeting.opening_rolled_back': { id: string; reason: string; firstMessage: string; status: 'requested' | 'gone' };
  'meeting.declined': { id: string; reason: string };
  'meeting.deferred': { id: string; until: string };
  'meeting.renamed': { id: string; title: string };
  'meeting.message_queued': { id: string; messageId: string; turn: number; text: string; at: string };
  /** `at`: when it was said; `since`: when its turn began. Told again when the turn begins anew after a stop. */
  'meeting.turn_started': { turn: number; messageId: string; text: string; at: string; since: string };
  /** `kept` comes with the last event of the turn; null where the answer could not be written down. */
  'meeting.turn': { turn: number; event: TurnEvent; kept?: AnswerKept | null };
  'meeting.turn_usage': Usage & { turn: number };
  'meeting.agent_retry': { turn: number; attempt: number; errorClass: string; delayMs: number; at: string };
  /** The meeting was closed before these words were answered. */
  'meeting.message_unanswered': { turn: number; messageId: string; text: string; at: string };
  'meeting.session_renewed': { id: string; oldSession: string; newSession: string; at: string; reason: string };
  'meeting.record_changed': { id: string; what: string };
  'meeting.notes_drafting': { id: string; at: string };
  'meeting.notes_drafted': { id: string; draft: NotesDraft };
  /** The drafting came to nothing: the meeting is being closed, or the hall stopped. */
  'meeting.notes_dropped': { id: string; reason: string };
  'meeting.closing': { id: string };
  /** So many places on its branch look like secrets: nothing was merged. `status` is what the meeting is again. */
  'meeting.close_stopped': { id: string; status: 'open' | 'closed'; secrets: number };
  'meeting.closed': {
    id: string;
    merge: MergeFacts;
    commit: string | null;
    transcriptKept: boolean;
    usage: Usage | null;
  };
  'meeting.merge_conflict': { id: string; files: string[]; branch: string };
  'meeting.merge_dismissed': { id: string; merge: MergeFacts; usage: Usage | null };
}
export type MeetingEventType = keyof MeetingEvents;

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

/** An artifact that the meeting made, changed or discusses. `same`: linked, and as it is in the project. */
export const meetingArtifactSchema = z.object({
  path: z.string(),
  status: z.enum(['new', 'changed', 'same']),
  title: z.string(),
});
export type MeetingArtifact = z.infer<typeof meetingArtifactSchema>;

/** One artifact as it stands in the meeting's worktree: read before it is merged. */
export const meetingArtifactShownSchema = meetingArtifactSchema.extend({
  id: meetingIdSchema,
  project: projectNameSchema,
  /** The whole file; empty where it is no text. */
  content: z.string(),
  isText: z.boolean(),
  frontmatter: z.record(z.string(), z.unknown()),
  body: z.string(),
  problems: z.array(problemSchema),
});
export type MeetingArtifactShown = z.infer<typeof meetingArtifactShownSchema>;

/** What the meeting's work, uncommitted included, would change in the project. */
export const meetingDiffSchema = z.object({
  id: meetingIdSchema,
  project: projectNameSchema,
  /** The commit that the work began from; null where there is no work that is not merged. */
  base: z.string().nullable(),
  ...workDiffFields,
});
export type MeetingDiff = z.infer<typeof meetingDiffSchema>;

/** A meeting with its conversation. What happens after `cursor` follows as events: see `fold/conversation.ts`. */
export const meetingViewSchema = z.object({
  meeting: meetingRecordSchema,
  /** What the hall is in the middle of; null for a meeting that is neither open nor in conflict. */
  phase: z.enum(['opening', 'open', 'closing', 'conflict']).nullable(),
  worktree: z.string().nullable(),
  /** The record's file, absolute: where a person mends it. */
  recordFile: z.string(),
  turns: z.array(transcriptEntrySchema),
  running: runningTurnSchema.nullable(),
  queue: z.array(queuedMessageSchema),
  /** What its work, uncommitted included, changes in the project; `status` as git's letter. */
  changedFiles: z.array(z.object({ path: z.string(), status: z.string() })),
  /** Below `.lore/`: what it made or changed and is not merged yet, and what is linked. */
  artifacts: z.array(meetingArtifactSchema),
  /** Other open activities that work on the same files, and what it would not merge with. */
  conflicts: z.array(foreseenSchema),
  /** Of the meeting so far; null where nothing was counted. */
  usage: usageSchema.nullable(),
  /** The notes that were drafted last, until they are written. */
  draft: notesDraftSchema.nullable(),
  /** Since when notes are being drafted; null when none are. */
  drafting: z.string().nullable(),
  /** Whether its agent runs in a sandbox, by what holds for its next turn; null where no agent can run. */
  isSandboxed: z.boolean().nullable(),
  cursor: z.string(),
});
export type MeetingView = z.infer<typeof meetingViewSchema>;

export const meetingListSchema = z.object({
  meetings: z.array(meetingRecordSchema),
  /** Files among the meetings that are none, with what to do about each. */
  problems: z.array(problemSchema),
});
export type MeetingList = z.infer<typeof meetingListSchema>;
