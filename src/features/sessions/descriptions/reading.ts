/** The operations that show sessions. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { workDiffFields } from '../../../kernel/pure/work-diff.ts';
import { agentNameSchema, diffSchema, imageRefSchema, sessionAgentSchema, sessionIdSchema } from '../contract/words.ts';
import { projectField, ref } from './fields.ts';
import { sessionListSchema, sessionMessageSchema, sessionViewSchema } from './shapes.ts';

export const sessionList = describeOperation({
  name: 'session.list',
  access: 'read',
  audience: 'person',
  summary: 'List the sessions of a project, the newest first, with the contexts that they are in',
  input: z.strictObject({ project: projectField }),
  output: sessionListSchema,
  commandLine: {
    isDefault: true,
    examples: [{ line: 'guild-hall session list', does: 'lists them' }],
  },
});

export const sessionShow = describeOperation({
  name: 'session.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a session: its newest messages, what runs, what waits',
  input: z.strictObject(ref),
  output: sessionViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session show k3f9', does: 'shows the conversation so far' }],
  },
});

export const sessionSwitch = describeOperation({
  name: 'session.switch',
  access: 'read',
  audience: 'person',
  summary: 'Switch to a session: the same as show, by its whole id',
  input: z.strictObject({ sessionId: sessionIdSchema.describe('Id of the session') }),
  output: z.object({ event: z.literal('SessionSwitched'), sessionId: sessionIdSchema, view: sessionViewSchema }),
  commandLine: {
    positionals: [{ field: 'sessionId' }],
    examples: [{ line: 'guild-hall session switch claude-20260214-093000-k3f9', does: 'shows it' }],
  },
});

export const sessionMessages = describeOperation({
  name: 'session.messages',
  access: 'read',
  audience: 'person',
  summary: 'Show earlier messages of a session',
  input: z.strictObject({
    ...ref,
    before: z.int().positive().describe('Number of the message before which they stand'),
    count: z.int().min(1).max(500).default(60).describe('So many at most'),
  }),
  output: z.object({ messages: z.array(sessionMessageSchema).readonly(), earlier: z.number() }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'before' }],
    examples: [{ line: 'guild-hall session messages k3f9 412', does: 'shows what was said before that message' }],
  },
});

export const sessionAgents = describeOperation({
  name: 'session.agents',
  access: 'read',
  audience: 'person',
  summary: 'List the agents that a session can be of',
  input: z.strictObject({}),
  output: z.object({ default: agentNameSchema, agents: z.array(sessionAgentSchema).readonly() }),
  commandLine: {
    examples: [{ line: 'guild-hall session agents', does: 'lists them, and what is missing' }],
  },
});

export const sessionImage = describeOperation({
  name: 'session.image',
  access: 'read',
  audience: 'person',
  summary: 'Give back an image that went with words',
  input: z.strictObject({
    ...ref,
    name: z.string().min(1).max(100).describe('Name of the image, as the message has it'),
  }),
  output: imageRefSchema.extend({ data: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'name' }],
    examples: [{ line: 'guild-hall session image k3f9 0f3a….png --json', does: 'prints it as base64' }],
  },
});

export const sessionChanges = describeOperation({
  name: 'session.changes',
  access: 'read',
  audience: 'person',
  summary: 'Show what is changed in the folder of a session, and what its agent told to have changed',
  input: z.strictObject(ref),
  output: z.object({
    id: sessionIdSchema,
    folder: z.string(),
    /** The whole checkout against its last commit; also what others than the agent have changed. */
    ...workDiffFields,
    /** Why there is nothing of git, in a sentence; null where there is. */
    gitProblem: z.string().nullable(),
    /** In the order of the first change; paths as the agent names them. */
    told: z.array(z.object({ path: z.string(), diffs: z.array(diffSchema).readonly() })).readonly(),
  }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session changes k3f9', does: 'prints the changes' }],
  },
});

export const sessionExport = describeOperation({
  name: 'session.export',
  access: 'read',
  audience: 'person',
  summary: 'Print a session as Markdown',
  input: z.strictObject(ref),
  output: z.object({ id: sessionIdSchema, title: z.string(), markdown: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session export k3f9', does: 'prints it' }],
  },
});
