/** The timeline of a commission: what happened, in order, over all attempts. It stands in the artifact. */
import { z } from 'zod';
import { commissionStatusSchema, heartbeatSchema, mergeStateSchema } from './words.ts';

/**
 * `timestamp`: ISO 8601, UTC. `attempt`: 1, 2 …; 0 before the first. `n`: the journal's line that it was folded from; it
 * makes folding the same line twice impossible. The hall's own entries have none.
 */
const base = { timestamp: z.string(), attempt: z.int().min(0), n: z.int().min(1).optional() };

export const timelineEntrySchema = z.discriminatedUnion('event', [
  z.object({
    ...base,
    event: z.literal('status'),
    /** Null at the creation. */
    from: commissionStatusSchema.nullable(),
    to: commissionStatusSchema,
    reason: z.string(),
    /** The next thing to do, where it failed. */
    hint: z.string().optional(),
  }),
  z.object({ ...base, event: z.literal('progress'), text: z.string() }),
  z.object({ ...base, event: z.literal('question'), id: z.string(), text: z.string() }),
  z.object({ ...base, event: z.literal('answer'), question: z.string(), text: z.string() }),
  z.object({
    ...base,
    event: z.literal('decision'),
    question: z.string(),
    decision: z.string(),
    reasoning: z.string(),
  }),
  z.object({ ...base, event: z.literal('artifact'), path: z.string() }),
  z.object({ ...base, event: z.literal('result'), summary: z.string(), artifacts: z.array(z.string()) }),
  z.object({ ...base, event: z.literal('heartbeat'), from: heartbeatSchema, to: heartbeatSchema }),
  /** Begins every attempt but the first: its number is `attempt`. */
  z.object({ ...base, event: z.literal('attempt'), branch: z.string(), reason: z.string() }),
  z.object({ ...base, event: z.literal('anomaly'), text: z.string() }),
  z.object({
    ...base,
    event: z.literal('merge'),
    state: mergeStateSchema,
    files: z.array(z.string()),
    text: z.string(),
  }),
  z.object({
    ...base,
    event: z.literal('gate'),
    ok: z.boolean(),
    command: z.string(),
    /** The end of what it printed, at most 8,000 characters. */
    output: z.string(),
  }),
  /** The person looked at the finished work. */
  z.object({ ...base, event: z.literal('review'), text: z.string() }),
  /** The person's remark on the work; `path` and `line` where it is about one. */
  z.object({
    ...base,
    event: z.literal('comment'),
    path: z.string().optional(),
    line: z.int().optional(),
    text: z.string(),
  }),
  /** The person, or whoever created it, changed it while it was pending or blocked: which fields. */
  z.object({ ...base, event: z.literal('edited'), fields: z.array(z.string()) }),
]);
export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
