/** What the operations of sessions answer, as schemas; the types are in `contract/`. */
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
} from '../contract/words.ts';

const messagePartSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thought'), text: z.string() }),
  z.object({
    type: z.literal('tool'),
    callId: z.string(),
    name: z.string(),
    title: z.string(),
    kind: z.string(),
    input: z.unknown(),
    state: z.enum(['running', 'done', 'failed']),
    output: z.string(),
    summary: z.string(),
    diffs: z.array(diffSchema).readonly(),
  }),
  z.object({
    type: z.literal('permission'),
    requestId: z.string(),
    callId: z.string(),
    name: z.string(),
    title: z.string(),
    input: z.unknown(),
    diffs: z.array(diffSchema).readonly(),
    options: z.array(permissionOptionSchema).readonly(),
    outcome: z.union([z.object({ optionId: z.string() }), z.literal('cancelled'), z.null()]),
  }),
]);

export const sessionMessageSchema = z.discriminatedUnion('role', [
  z.object({
    role: z.literal('person'),
    seq: z.number(),
    at: z.string(),
    promptId: z.string(),
    text: z.string(),
    images: z.array(imageRefSchema).readonly(),
    state: z.enum(['queued', 'sent', 'withdrawn']),
  }),
  z.object({
    role: z.literal('agent'),
    seq: z.number(),
    at: z.string(),
    promptId: z.string(),
    parts: z.array(messagePartSchema).readonly(),
    state: z.union([z.literal('running'), stopReasonSchema]),
    error: z.object({ errorClass: z.string(), message: z.string(), hint: z.string() }).nullable(),
    retry: z.object({ attempt: z.number(), errorClass: z.string(), at: z.string() }).nullable(),
    usage: sessionUsageSchema.nullable(),
    renewed: z.boolean(),
    endedAt: z.string().nullable(),
  }),
]);

const sessionStateSchema = z.object({
  seq: z.number(),
  id: sessionIdSchema,
  project: projectNameSchema,
  agent: agentNameSchema,
  folder: z.string(),
  title: z.string(),
  createdAt: z.string(),
  lastAt: z.string(),
  from: sessionFromSchema.nullable(),
  metaContext: z.object({ id: z.string(), name: z.string() }).nullable(),
  agentSessionId: z.string().nullable(),
  messages: z.array(sessionMessageSchema).readonly(),
  plan: z.array(planEntrySchema).readonly(),
  choices: z.array(choiceSchema).readonly(),
  commands: z.array(agentCommandSchema).readonly(),
  usage: sessionUsageSchema.nullable(),
  changedFiles: z.array(z.string()).readonly(),
  isClosed: z.boolean(),
});

export const sessionViewSchema = z.object({ session: sessionStateSchema, earlier: z.number(), cursor: z.string() });

export const sessionInfoSchema = z.object({
  id: sessionIdSchema,
  title: z.string(),
  agent: agentNameSchema,
  createdAt: z.string(),
  lastAt: z.string(),
  state: z.enum(['idle', 'running', 'waiting', 'closed', 'unreadable']),
  metaContextId: z.string().nullable(),
  from: sessionFromSchema.nullable(),
});

export const sessionListSchema = z.object({
  project: projectNameSchema,
  sessions: z.array(sessionInfoSchema).readonly(),
  metaContexts: z
    .array(z.object({ id: z.string(), name: z.string(), sessionIds: z.array(z.string()).readonly() }))
    .readonly(),
});
