/** What the rest of the program may know of commissions: words, shapes, events. */
import { z } from 'zod';
import { activityIdSchema, projectNameSchema } from '../../kernel/pure/ids.ts';
import { holdUpSchema } from './contract/answers.ts';
import { journalEntrySchema, type JournalEntry } from './contract/journal.ts';
import { timelineEntrySchema, type TimelineEntry } from './contract/timeline.ts';
import { usageSchema } from './contract/usage.ts';
import {
  commissionStatusSchema,
  heartbeatSchema,
  mergeFactsSchema,
  mergeStateSchema,
  type CommissionStatus,
  type MergeFacts,
} from './contract/words.ts';

export {
  answerTakenSchema,
  commentTakenSchema,
  commissionAnswerSchema,
  commissionDiffSchema,
  commissionDispatchedSchema,
  commissionEditedSchema,
  commissionLogsSchema,
  commissionMergedSchema,
  commissionsAwaitedSchema,
  type AnswerTaken,
  type CommentTaken,
  type CommissionAnswer,
  type CommissionDiff,
  type CommissionDispatched,
  type CommissionEdited,
  type CommissionLogs,
  type CommissionMerged,
  type CommissionsAwaited,
  type HoldUp,
} from './contract/answers.ts';

export { commissionKind } from './contract/kind.ts';
export { journalEntrySchema, type JournalEntry } from './contract/journal.ts';
export { timelineEntrySchema, type TimelineEntry } from './contract/timeline.ts';
export { usageSchema, type CommissionUsage } from './contract/usage.ts';
export {
  commissionStatusSchema,
  mergeFactsSchema,
  type CommissionStatus,
  type MergeFacts,
  type MergeState,
} from './contract/words.ts';

/** Where commission artifacts live, relative to the project. */
export const commissionsFolder = '.lore/commissions';

export const commissionIdSchema = activityIdSchema;
export type CommissionId = z.infer<typeof commissionIdSchema>;

export const maxPromptLength = 2_000_000;
export const maxTitleLength = 200;

/** Made by whoever creates a commission, before it is asked for: asked again, it is known. */
export const requestIdSchema = z
  .string()
  .regex(/^r-[a-z0-9]{8,20}$/, 'a request id is r- and 8 to 20 lower-case letters and digits');

const problemSchema = z.object({ file: z.string(), line: z.number(), column: z.number(), message: z.string() });

/** A commission as its artifact tells it. Reading is tolerant: what cannot be read is a problem, never a guess. */
export const commissionRecordSchema = z.object({
  id: commissionIdSchema,
  project: projectNameSchema,
  /** Artifact path relative to the project. */
  path: z.string(),
  title: z.string(),
  date: z.string(),
  /** null: the file's word is none of the seven, see `problems`. */
  status: commissionStatusSchema.nullable(),
  tags: z.array(z.string()),
  modules: z.array(z.string()),
  related: z.array(z.string()),
  worker: z.string(),
  prompt: z.string(),
  /** Artifact paths (`.lore/…` or any path of the project) and ids of commissions of the project. */
  dependencies: z.array(z.string()),
  linkedArtifacts: z.array(z.string()),
  /** Where they are given they stand in for the package's. */
  maxTurns: z.number().nullable(),
  maxBudgetUsd: z.number().nullable(),
  /** `person`, or the activity that made it: `meeting <id>`, `commission <id>`. */
  createdBy: z.string(),
  /** ISO 8601 with milliseconds: the order of the queue. */
  createdAt: z.string(),
  /** Since when it is to be dispatched as soon as there is room; null: nobody asked for it. */
  queuedAt: z.string().nullable(),
  /** Number of the attempt that runs or ran last; 0 before the first. */
  attempt: z.number(),
  /** Branch of that attempt; null before the first. */
  branch: z.string().nullable(),
  currentProgress: z.string(),
  result: z.object({ summary: z.string(), artifacts: z.array(z.string()) }).nullable(),
  completedAt: z.string().nullable(),
  merge: mergeFactsSchema,
  /** Tip of the branch that was merged. */
  mergedFrom: z.string().nullable(),
  /** When the person had looked at the finished work; null while it waits for that. */
  reviewedAt: z.string().nullable(),
  /** Of all attempts together. */
  usage: usageSchema.nullable(),
  timeline: z.array(timelineEntrySchema),
  problems: z.array(problemSchema),
});
export type CommissionRecord = z.infer<typeof commissionRecordSchema>;

/** What runs now for a commission. */
export const runningProcessSchema = z.object({
  pid: z.number(),
  attempt: z.number(),
  startedAt: z.string(),
  lastHeartbeat: z.string(),
  heartbeat: heartbeatSchema,
  worktree: z.string(),
  /** `none`: the agent is not in a sandbox. */
  sandbox: z.string(),
  /** Name of the model, as the gateway tells it. */
  model: z.string(),
  isRehearsal: z.boolean(),
});
export type RunningProcess = z.infer<typeof runningProcessSchema>;

/** `isThere`: the path stands on the integration branch, or the commission is completed (and merged). */
export const dependencySchema = z.object({
  on: z.string(),
  isThere: z.boolean(),
  /** The commission, where it is one. */
  commission: z
    .object({ id: commissionIdSchema, title: z.string(), status: commissionStatusSchema.nullable() })
    .nullable(),
});
export type Dependency = z.infer<typeof dependencySchema>;

const neighbourSchema = z.object({
  id: commissionIdSchema,
  title: z.string(),
  status: commissionStatusSchema.nullable(),
});

/** A commission with everything that its page shows. What happens after `cursor` follows as events. */
export const commissionViewSchema = z.object({
  commission: commissionRecordSchema,
  workerTitle: z.string(),
  /** What the hall is in the middle of with it. */
  phase: z.enum(['setting_up', 'running', 'ending', 'merging', 'cancelling']).nullable(),
  process: runningProcessSchema.nullable(),
  dependencies: z.array(dependencySchema),
  /** Commissions that wait for this one, by id or by a path that it links. */
  dependents: z.array(neighbourSchema),
  queue: holdUpSchema.nullable(),
  /** Those that have to start so that it can, over all levels, and that nobody dispatched; whoever is waited for first. */
  undispatched: z.array(neighbourSchema),
  /** Questions without an answer. */
  openQuestions: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })),
  /** What the person may do now: verbs of the operations. */
  allowed: z.array(
    z.enum(['edit', 'dispatch', 'hold', 'cancel', 'redispatch', 'merge', 'dismiss', 'review', 'answer', 'comment']),
  ),
  /** What its work, uncommitted included, changes in the project; `status` as git's letter. */
  changedFiles: z.array(z.object({ path: z.string(), status: z.string() })),
  /** Branches of all attempts that are still there. */
  branches: z.array(z.string()),
  /** Running activities that touch the same files. */
  conflicts: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      title: z.string(),
      files: z.array(z.string()),
      /** They would not merge as they stand now. */
      isConflict: z.boolean().optional(),
    }),
  ),
  /** The end of the live log of the last attempt: at most 500 entries. */
  journal: z.array(journalEntrySchema),
  /** The journal has earlier entries. */
  journalIsCut: z.boolean(),
  /** The record's file, absolute: where a person mends it. */
  recordFile: z.string(),
  cursor: z.string(),
});
export type CommissionView = z.infer<typeof commissionViewSchema>;

/** One row of a list. */
export const commissionRowSchema = commissionRecordSchema
  .omit({ prompt: true, timeline: true, modules: true, related: true })
  .extend({
    queue: holdUpSchema.nullable(),
    process: runningProcessSchema.nullable(),
    missing: z.array(z.string()),
    openQuestions: z.number(),
    /** When its state was last changed. */
    since: z.string(),
    /** Why it stands as it does: the reason of that change. */
    reason: z.string(),
  });
export type CommissionRow = z.infer<typeof commissionRowSchema>;

export const limitsSchema = z.object({
  /** How many run (set-up counts) and may run; over all projects. */
  running: z.number(),
  global: z.number(),
  projects: z.array(z.object({ project: projectNameSchema, running: z.number(), limit: z.number() })),
  /** How many finished ones wait for the person, and at how many dispatch pauses; 0: never. */
  waitingForReview: z.number(),
  reviewLimit: z.number(),
});
export type Limits = z.infer<typeof limitsSchema>;

export const commissionListSchema = z.object({
  /** Running first, then queued by position, then the newest first. */
  commissions: z.array(commissionRowSchema),
  limits: limitsSchema,
  /** Files among the commissions that are none, with what to do about each. */
  problems: z.array(problemSchema),
});
export type CommissionList = z.infer<typeof commissionListSchema>;

/** Who waits for whom. A node is a commission, or a path that nobody produced yet. */
export const commissionGraphSchema = z.object({
  project: projectNameSchema,
  nodes: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('commission'),
        id: commissionIdSchema,
        title: z.string(),
        worker: z.string(),
        status: commissionStatusSchema.nullable(),
        merge: mergeStateSchema,
        position: z.number().nullable(),
      }),
      z.object({ kind: z.literal('path'), id: z.string(), isThere: z.boolean() }),
    ]),
  ),
  /** `to` waits for `from`. `via`: the path, where a commission is known to have made it. */
  edges: z.array(z.object({ from: z.string(), to: z.string(), via: z.string().nullable(), isMet: z.boolean() })),
});
export type CommissionGraph = z.infer<typeof commissionGraphSchema>;

/** Events of the hall's stream whose subject is `commission:<id>`. */
export interface CommissionEvents {
  'commission.created': { id: string; title: string; worker: string; status: CommissionStatus; createdBy: string };
  /** Told with every change of the state; `reason` as in the timeline. */
  'commission.status': {
    id: string;
    title: string;
    from: CommissionStatus | null;
    to: CommissionStatus;
    reason: string;
    attempt: number;
  };
  /** Every entry of the timeline, those of the state included, after it is in the file. */
  'commission.timeline': { id: string; entry: TimelineEntry };
  /** Every entry of the journal of the running attempt. */
  'commission.journal': { id: string; attempt: number; entry: JournalEntry };
  /** Other facts of the record, or of what runs, changed: read it again. */
  'commission.changed': { id: string; what: string };
  'commission.merge': { id: string; merge: MergeFacts; commit: string | null };
  /** The order or the length of the queue changed. Subject and project are null. */
  'commission.queue': { queued: number; running: number };
}
export type CommissionEventType = keyof CommissionEvents;
