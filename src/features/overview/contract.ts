/** The overview: what runs, what waits, what came out, what it cost today. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { inboxKindSchema } from '../inbox/contract.ts';

/** Model usage as the gateway counted it. */
export const usageSchema = z.object({
  turns: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Null when no turn had a known price; else of those that had. */
  costUsd: z.number().nullable(),
  /** Turns whose price is not known: with these the cost is more than `costUsd` says. */
  unpricedTurns: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

/** `answering`: it works. `waiting`: it is the person's turn. `idle`: the same, for more than a day. */
export const runningStateSchema = z.enum(['opening', 'answering', 'waiting', 'idle', 'closing']);
export type RunningState = z.infer<typeof runningStateSchema>;

/** An open activity, as its feature tells it. */
export const runningActivitySchema = z.object({
  kind: z.string(),
  id: z.string(),
  title: z.string(),
  project: projectNameSchema,
  worker: z.string(),
  state: runningStateSchema,
  /** Since when it is in this state, ISO 8601. */
  since: z.string(),
});
export type RunningActivity = z.infer<typeof runningActivitySchema>;

/** Open activities of a feature, of one project or of all. */
export type Activities = (project?: string) => Promise<readonly RunningActivity[]>;

export const recentArtifactSchema = z.object({
  project: projectNameSchema,
  path: z.string(),
  title: z.string(),
  /** When it was last committed, or else changed, ISO 8601. */
  at: z.string(),
  /** The activity whose commit it was; null for the person's own. */
  producer: z.object({ kind: z.string(), id: z.string() }).nullable(),
});
export type RecentArtifact = z.infer<typeof recentArtifactSchema>;

const overviewSchema = z.object({
  /** What answers first, then what waits the shortest. */
  running: z.array(runningActivitySchema.extend({ usage: usageSchema })),
  /** How many items of each kind are in the inbox. */
  waiting: z.partialRecord(inboxKindSchema, z.number()),
  /** The newest first, at most 12. Records of activities that are not closed are left out. */
  recentArtifacts: z.array(recentArtifactSchema),
  /** Since the machine's last midnight. */
  today: usageSchema.extend({ since: z.string() }),
  model: z.object({ name: z.string(), label: z.string(), isRehearsal: z.boolean() }),
  projects: z.array(z.object({ name: projectNameSchema, open: z.number(), problems: z.array(z.string()) })),
});
export type Overview = z.infer<typeof overviewSchema>;

export const overview = describeOperation({
  name: 'overview',
  access: 'read',
  audience: 'person',
  summary: 'Show at a glance what runs, what waits for you, what came out, what today cost',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
  }),
  output: overviewSchema,
  commandLine: { examples: [{ line: 'guild-hall overview', does: 'shows it for all projects' }] },
});
