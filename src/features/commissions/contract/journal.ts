/**
 * What the hall and the process of a worker tell each other, as files in the folder of one attempt:
 *
 * | file | written by | |
 * |---|---|---|
 * | `order.json` | hall, before the process starts | what is to be done: `attemptOrderSchema` |
 * | `identity.json` | process, its first act, created exclusively | who it is: `attemptIdentitySchema` |
 * | `journal.jsonl` | process, appended | what happens: a `JournalEntry` a line, numbered from 1 |
 * | `result.json` | process, created exclusively | the result: `attemptResultSchema` |
 * | `words.jsonl` | hall, appended | what the person says to the running worker: a `WordToWorker` a line |
 * | `process.log` | process | its standard error |
 * | `agent/`, `tmp/` | agent | its own state and temporary files |
 *
 * Nothing else passes between them: the process needs nothing of the hall while it works.
 */
import { z } from 'zod';
import { activityIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { usageSchema } from './usage.ts';

const processSchema = z.object({ pid: z.int().positive(), startTime: z.string().max(200) });
const paths = z.array(z.string().min(1).max(500));

export const attemptOrderSchema = z.object({
  version: z.literal(1),
  project: projectNameSchema,
  id: activityIdSchema,
  attempt: z.int().min(1),
  /** Random, of this attempt alone; also in the environment of every process of it, as `GUILD_HALL_ATTEMPT`. */
  token: z.string().min(20),
  /** The home's root; absolute. */
  home: z.string(),
  /** Absolute. */
  worktree: z.string(),
  worker: z.string(),
  title: z.string(),
  prompt: z.string(),
  dependencies: z.array(z.string()),
  /** Where they are given they stand in for the package's. */
  maxTurns: z.int().min(1).nullable(),
  maxBudgetUsd: z.number().positive().nullable(),
  /** Markdown: what earlier attempts came to, answers to their questions, remarks on their work. Empty at the first. */
  earlier: z.string(),
  /** Pass to the hall for its own tools, where the worker has such; it counts while the attempt runs. */
  hallSecret: z.string().optional(),
  orderedAt: z.string(),
});
export type AttemptOrder = z.infer<typeof attemptOrderSchema>;

export const attemptIdentitySchema = z.object({
  version: z.literal(1),
  token: z.string(),
  process: processSchema,
  startedAt: z.string(),
});
export type AttemptIdentity = z.infer<typeof attemptIdentitySchema>;

export const attemptResultSchema = z.object({
  version: z.literal(1),
  token: z.string(),
  at: z.string(),
  /** Markdown. */
  summary: z.string(),
  /** Relative to the project. */
  artifacts: paths,
});
export type AttemptResult = z.infer<typeof attemptResultSchema>;

/** `question`: answer to the question of that id; null: just words. */
export const wordToWorkerSchema = z.object({
  n: z.int().min(1),
  at: z.string(),
  question: z.string().nullable(),
  text: z.string(),
});
export type WordToWorker = z.infer<typeof wordToWorkerSchema>;

/** Why a session ended without its worker having ended it. The agent's own classes, and `activation`: it never began. */
export const endClassSchema = z.enum([
  'auth',
  'rate_limit',
  'overloaded',
  'expired_session',
  'max_turns',
  'budget',
  'aborted',
  'crashed',
  'protocol',
  'activation',
]);
export type EndClass = z.infer<typeof endClassSchema>;

/** `n`: number of the line, from 1 without gaps; `at`: ISO 8601, UTC. What an agent said is masked before it is written. */
const line = { n: z.int().min(1), at: z.string() };

/** `progress` to `ended` are on disk (fsync) before whoever caused them goes on; the others may be lost with the power. */
export const journalEntrySchema = z.discriminatedUnion('kind', [
  /** The agent's session is open. `sandbox`: `none` where there is none. */
  z.object({ ...line, kind: z.literal('started'), model: z.string(), isRehearsal: z.boolean(), sandbox: z.string() }),
  /** Words of the agent, as they come: pieces of at most some kilobytes. */
  z.object({ ...line, kind: z.literal('text'), text: z.string() }),
  z.object({ ...line, kind: z.literal('thought'), text: z.string() }),
  /** `limitMs`: while it runs it counts as life for at most so long; null: until its result comes. */
  z.object({
    ...line,
    kind: z.literal('tool'),
    callId: z.string(),
    name: z.string(),
    /** At most 2,000 characters. */
    input: z.string(),
    limitMs: z.number().nullable(),
  }),
  z.object({
    ...line,
    kind: z.literal('tool_result'),
    callId: z.string(),
    name: z.string(),
    ok: z.boolean(),
    /** At most 2,000 characters. */
    summary: z.string(),
  }),
  z.object({
    ...line,
    kind: z.literal('retry'),
    attempt: z.number(),
    errorClass: z.string(),
    delayMs: z.number(),
  }),
  /** A sign of life where nothing else was written for some seconds. */
  z.object({ ...line, kind: z.literal('alive') }),
  z.object({ ...line, kind: z.literal('progress'), text: z.string() }),
  /** `id`: `q1`, `q2` … within the commission over all attempts: `<attempt>.<number>` after the q, like `q2.1`. */
  z.object({ ...line, kind: z.literal('question'), id: z.string(), text: z.string() }),
  z.object({
    ...line,
    kind: z.literal('decision'),
    question: z.string(),
    decision: z.string(),
    reasoning: z.string(),
  }),
  z.object({ ...line, kind: z.literal('artifact'), path: z.string() }),
  /** Written after `result.json`, which alone is the truth. */
  z.object({ ...line, kind: z.literal('result'), summary: z.string(), artifacts: paths }),
  /** Words of the person reached the worker: the last number of `words.jsonl`. */
  z.object({ ...line, kind: z.literal('heard'), word: z.int() }),
  /** Of the attempt so far. */
  z.object({ ...line, kind: z.literal('usage'), usage: usageSchema }),
  /** Always the last line of a process that ends by itself. `done`: the agent came to its end. `stopped`: it was asked to. */
  z.object({
    ...line,
    kind: z.literal('ended'),
    how: z.enum(['done', 'failed', 'stopped']),
    class: endClassSchema.nullable(),
    /** `turn limit reached (150)`, `budget reached ($1.02 of $1.00)`, `usage limit until 14:00` …; empty for `done`. */
    reason: z.string(),
    hint: z.string(),
    retryAfterMs: z.number().nullable(),
  }),
]);
export type JournalEntry = z.infer<typeof journalEntrySchema>;
export type NewJournalEntry = JournalEntry extends infer Entry
  ? Entry extends JournalEntry
    ? Omit<Entry, 'n' | 'at'>
    : never
  : never;
