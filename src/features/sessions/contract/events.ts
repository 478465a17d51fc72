/**
 * What the log of a session holds: `<home>/state/sessions/<id>.jsonl`, one event a line, numbered from 1 without gaps,
 * only ever added to. The log is the truth; whatever is shown is folded from it by `fold/session.ts`.
 */
import { z } from 'zod';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import {
  agentCommandSchema,
  agentNameSchema,
  choiceSchema,
  diffSchema,
  imageRefSchema,
  permissionOptionSchema,
  planEntrySchema,
  sessionFromSchema,
  sessionIdSchema,
  sessionUsageSchema,
  stopReasonSchema,
} from './words.ts';

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ seq: z.int().positive(), at: z.string(), type: z.literal(type), ...shape });

export const sessionEventSchema = z.discriminatedUnion('type', [
  /** Only as the first of a log, and only where the session's context is new. */
  event('MetaContextCreated', { metaContextId: z.string(), name: z.string() }),
  event('SessionCreated', {
    sessionId: sessionIdSchema,
    project: projectNameSchema,
    agent: agentNameSchema,
    /** Absolute: where the agent works. */
    folder: z.string(),
    title: z.string(),
    /** null: nobody clicked for it. */
    from: sessionFromSchema.nullable(),
  }),
  event('SessionAddedToMetaContext', { metaContextId: z.string(), name: z.string(), sessionId: sessionIdSchema }),
  /** The agent's own id of the session; another one after it was lost and begun anew. */
  event('AgentSessionStarted', { agentSessionId: z.string(), reason: z.enum(['new', 'renewed']) }),
  /** Acknowledged to the person when it is on disk. */
  event('PromptSubmitted', { promptId: z.string(), text: z.string(), images: z.array(imageRefSchema) }),
  /** Taken back before its turn began. */
  event('PromptWithdrawn', { promptId: z.string() }),
  /** Right before the prompt goes to the agent: what has none is still to be sent after a crash. */
  event('TurnStarted', { promptId: z.string() }),
  event('AgentText', { text: z.string() }),
  event('AgentThought', { text: z.string() }),
  event('ToolCallStarted', {
    callId: z.string(),
    name: z.string(),
    title: z.string(),
    /** read, edit, delete, move, search, execute, think, fetch, other. */
    kind: z.string(),
    input: z.unknown(),
  }),
  event('ToolCallUpdated', {
    callId: z.string(),
    /** To be added to what came out so far. */
    output: z.string(),
    diffs: z.array(diffSchema),
    title: z.string().nullable(),
  }),
  event('ToolCallCompleted', {
    callId: z.string(),
    ok: z.boolean(),
    summary: z.string(),
    diffs: z.array(diffSchema),
  }),
  /** The whole plan, each time. */
  event('PlanUpdated', { entries: z.array(planEntrySchema) }),
  event('ChoicesUpdated', { choices: z.array(choiceSchema) }),
  event('CommandsUpdated', { commands: z.array(agentCommandSchema) }),
  event('TitleChanged', { title: z.string(), by: z.enum(['person', 'agent', 'hall']) }),
  event('UsageUpdated', { usage: sessionUsageSchema }),
  event('RetryAnnounced', { attempt: z.number(), errorClass: z.string(), delayMs: z.number() }),
  event('PermissionRequested', {
    requestId: z.string(),
    callId: z.string(),
    name: z.string(),
    title: z.string(),
    input: z.unknown(),
    diffs: z.array(diffSchema),
    options: z.array(permissionOptionSchema),
  }),
  /** `cancelled`: the turn ended before anybody answered. */
  event('PermissionResolved', {
    requestId: z.string(),
    outcome: z.union([z.object({ optionId: z.string() }), z.literal('cancelled')]),
  }),
  /** The turn did not go well; always before its `TurnCompleted`. */
  event('ErrorOccurred', { errorClass: z.string(), message: z.string(), hint: z.string() }),
  event('TurnCompleted', { promptId: z.string(), stopReason: stopReasonSchema, usage: sessionUsageSchema.nullable() }),
  event('SessionClosed', {}),
  event('SessionReopened', {}),
]);
export type SessionEvent = z.infer<typeof sessionEventSchema>;
export type SessionEventType = SessionEvent['type'];

/** An event before it has its number and time. */
export type NewSessionEvent = SessionEvent extends infer Each
  ? Each extends SessionEvent
    ? Omit<Each, 'seq' | 'at'>
    : never
  : never;
