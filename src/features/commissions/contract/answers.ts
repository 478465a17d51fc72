/** What the verbs of commissions answer. */
import { z } from 'zod';
import { activityIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { workDiffFields } from '../../../kernel/pure/work-diff.ts';
import { journalEntrySchema } from './journal.ts';
import { commissionStatusSchema, heartbeatSchema, mergeFactsSchema } from './words.ts';

/** Why a queued commission does not run yet. */
export const holdUpSchema = z.object({
  /** 1 is the next; over all projects. */
  position: z.number(),
  because: z.enum(['project_limit', 'global_limit', 'review_limit', 'starting', 'dependency']),
  text: z.string(),
});
export type HoldUp = z.infer<typeof holdUpSchema>;

/** How a commission stands after a verb was done to it. */
export const commissionAnswerSchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  title: z.string(),
  worker: z.string(),
  /** Artifact path relative to the project. */
  path: z.string(),
  status: commissionStatusSchema.nullable(),
  /** Since when it is to be dispatched as soon as there is room; null: nobody asked for it. */
  queuedAt: z.string().nullable(),
  /** Why it waits, where it is queued. */
  queue: holdUpSchema.nullable(),
  /** Dependencies that are not there yet. */
  missing: z.array(z.string()),
  /** Number of the attempt that runs or ran last; 0 before the first. */
  attempt: z.number(),
  branch: z.string().nullable(),
  merge: mergeFactsSchema,
});
export type CommissionAnswer = z.infer<typeof commissionAnswerSchema>;

/** What starts with it, and what nobody is known to make; both empty where only the one was asked for. */
export const commissionDispatchedSchema = commissionAnswerSchema.extend({
  /** Those that were put into the queue besides; whoever is waited for comes before who waits. */
  also: z.array(z.object({ id: activityIdSchema, title: z.string() })),
  /** Paths that something of the chain waits for, and that no commission of it is known to make. */
  unmade: z.array(z.string()),
});
export type CommissionDispatched = z.infer<typeof commissionDispatchedSchema>;

/** `fields`: what was changed, in the words of the input; empty where nothing was. */
export const commissionEditedSchema = commissionAnswerSchema.extend({ fields: z.array(z.string()) });
export type CommissionEdited = z.infer<typeof commissionEditedSchema>;

/** `commit`: the one that was made on the integration branch; null where nothing was merged. */
export const commissionMergedSchema = commissionAnswerSchema.extend({ commit: z.string().nullable() });
export type CommissionMerged = z.infer<typeof commissionMergedSchema>;

/** `reaches`: the worker that runs now, or the next attempt, where none runs. */
export const answerTakenSchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  /** Id of the question that it answers, like `q1.1`; null: just words. */
  question: z.string().nullable(),
  reaches: z.enum(['worker', 'next_attempt']),
});
export type AnswerTaken = z.infer<typeof answerTakenSchema>;

export const commentTakenSchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  path: z.string().nullable(),
  line: z.number().nullable(),
});
export type CommentTaken = z.infer<typeof commentTakenSchema>;

/** A piece of the live log of one attempt. */
export const commissionLogsSchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  title: z.string(),
  status: commissionStatusSchema.nullable(),
  /** 0: nothing has run yet. */
  attempt: z.number(),
  entries: z.array(journalEntrySchema),
  /** Number to ask from for what comes after these. */
  next: z.number(),
  /** There are entries after these already. */
  hasMore: z.boolean(),
  cursor: z.string(),
});
export type CommissionLogs = z.infer<typeof commissionLogsSchema>;

/** What the commission's work, uncommitted included, changes in the project. */
export const commissionDiffSchema = z.object({
  id: activityIdSchema,
  project: projectNameSchema,
  attempt: z.number(),
  /** The commit that the work began from; null where there is no work. */
  base: z.string().nullable(),
  ...workDiffFields,
});
export type CommissionDiff = z.infer<typeof commissionDiffSchema>;

/** How commissions stand that somebody waits for. What happens after `cursor` follows as events. */
export const commissionsAwaitedSchema = z.object({
  commissions: z.array(
    commissionAnswerSchema.extend({
      /** The latest report of its worker. */
      progress: z.string(),
      /** Null where nothing runs. */
      heartbeat: heartbeatSchema.nullable(),
      /** When the running attempt began; null where nothing runs. */
      startedAt: z.string().nullable(),
      /** Why it stands as it does: the reason of the last change of its state. */
      reason: z.string(),
      hint: z.string(),
      /** It is queued, and what it waits for does not come by itself: `reason` says what, `hint` the way out. */
      isStuck: z.boolean(),
      /** Questions without an answer. */
      openQuestions: z.number(),
      /** What the worker handed in; null before. */
      summary: z.string().nullable(),
    }),
  ),
  /** Nothing more happens to any of them by itself: they are completed, failed or cancelled, stuck, or nobody dispatched them. */
  isOver: z.boolean(),
  cursor: z.string(),
});
export type CommissionsAwaited = z.infer<typeof commissionsAwaitedSchema>;
