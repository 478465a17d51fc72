/** Words of sessions: ids, and the small shapes that logs and views share. */
import { z } from 'zod';
import { idSchema } from '../../../kernel/pure/ids.ts';

/** Id of a session as the hall knows it: the name of its log's file. Never the agent's own id. */
export const sessionIdSchema = idSchema('session');
export type SessionId = z.infer<typeof sessionIdSchema>;

/** Name of an agent in the settings, or of one that is ready made: claude, claude-acp, codex … */
export const agentNameSchema = idSchema('agent name');
export type AgentName = z.infer<typeof agentNameSchema>;

/** Where a block stands: its session, the sequence number of its message there, and which block of the message it is. */
export const blockRefSchema = z.strictObject({
  sessionId: sessionIdSchema,
  /** Sequence number of the first event of that message. */
  message: z.int().positive(),
  /** 0, 1, 2 … */
  position: z.int().nonnegative(),
});
export type BlockRef = z.infer<typeof blockRefSchema>;

/** An image that came with a prompt; the file lies beside the log under this name. */
export const imageRefSchema = z.object({
  /** `<sha-256>.<png|jpg|gif|webp>` */
  name: z.string(),
  mimeType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  bytes: z.number(),
});
export type ImageRef = z.infer<typeof imageRefSchema>;

export const diffSchema = z.object({ path: z.string(), oldText: z.string().nullable(), newText: z.string() });
export type Diff = z.infer<typeof diffSchema>;

export const choiceSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['mode', 'model', 'other']),
  current: z.string(),
  options: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
});
export type Choice = z.infer<typeof choiceSchema>;

export const agentCommandSchema = z.object({ name: z.string(), description: z.string(), hint: z.string() });

export const planEntrySchema = z.object({ text: z.string(), status: z.string() });

export const permissionOptionSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
});

/** Of one turn, or of a whole session. */
export const sessionUsageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** US dollars; null where the price is not known. */
  costUsd: z.number().nullable(),
  contextUsed: z.number().nullable(),
  contextWindow: z.number().nullable(),
});
export type SessionUsage = z.infer<typeof sessionUsageSchema>;

/** How a turn ended. `interrupted`: by the person, or because the hall or the agent was stopped in the middle. */
export const stopReasonSchema = z.enum(['done', 'interrupted', 'failed']);
export type StopReason = z.infer<typeof stopReasonSchema>;

/** An agent that a session can be of. */
export const sessionAgentSchema = z.object({
  name: agentNameSchema,
  /** For people: "Claude Code". */
  title: z.string(),
  kind: z.enum(['sdk', 'acp']),
  /** From the settings, or ready made. */
  isOwn: z.boolean(),
  /** Whether its program was found; null where that is not known before it is started. */
  isInstalled: z.boolean().nullable(),
  /** Its model is the hall's, and what it uses is counted; else it brings a model of its own. */
  takesGateway: z.boolean(),
  /** How to get it, where it is not installed. */
  hint: z.string(),
});
export type SessionAgent = z.infer<typeof sessionAgentSchema>;

/** What asks for the session that a click makes, kept with it: by this a block is known to be used. */
export const sessionFromSchema = z.object({
  /** Given twice, the same session is answered. */
  clickId: z.string(),
  /** null: `guild-hall next` without a block. */
  block: blockRefSchema.nullable(),
  label: z.string(),
});
export type SessionFrom = z.infer<typeof sessionFromSchema>;
