/** The operations of conversations, described once for every door. */
import { z } from 'zod';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import {
  conversationListSchema,
  conversationSchema,
  conversationStartedSchema,
  conversationViewSchema,
} from './contract.ts';

const idField = z.string().min(1).max(200).describe('Conversation id, its beginning or its last part');
const terminalField = z.string().min(1).max(200);
const turnsField = z.int().min(1, 'at least 1').max(1000, 'at most 1000');

export const conversationStart = describeOperation({
  name: 'conversation.start',
  access: 'write',
  audience: 'person',
  summary: 'Let two terminals talk: what either says is typed into the other',
  input: z.strictObject({
    first: terminalField.describe('The one that begins: id or name of a terminal'),
    second: terminalField.describe('The other one'),
    opening: z
      .string()
      .max(200_000)
      .refine((text) => text.trim() !== '', 'must say something')
      .optional()
      .describe('Your words to the first one; what it answers goes to the other'),
    budget: turnsField.optional().describe('Turns of each before you are asked whether it goes on'),
    allowSecrets: z
      .boolean()
      .default(false)
      .describe('Go on although it looks as if a key or password is in your words'),
  }),
  output: conversationStartedSchema,
  commandLine: {
    positionals: [{ field: 'first' }, { field: 'second' }],
    examples: [
      {
        line: 'guild-hall conversation start ada grace --opening "Agree on a name for the parser"',
        does: 'tells ada, and brings each the words of the other',
      },
      { line: 'guild-hall conversation start ada grace --budget 3', does: 'asks you after three turns each' },
    ],
  },
});

export const conversationList = describeOperation({
  name: 'conversation.list',
  access: 'read',
  audience: 'person',
  summary: 'List the conversations of terminals, open ones first',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
    state: z.enum(['open', 'paused', 'ended']).optional().describe('Only those'),
  }),
  output: conversationListSchema,
  commandLine: {
    ofAllProjects: true,
    examples: [{ line: 'guild-hall conversation list', does: 'lists those of the last 30 days' }],
  },
});

export const conversationShow = describeOperation({
  name: 'conversation.show',
  access: 'read',
  audience: 'person',
  summary: 'Show what was said in a conversation, and what reached whom',
  input: z.strictObject({ id: idField }),
  output: conversationViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall conversation show k3f9', does: 'shows it' }],
  },
});

export const conversationEnd = describeOperation({
  name: 'conversation.end',
  tool: 'end_conversation',
  access: 'write',
  audience: 'agents',
  summary: 'End a conversation; both sides are told, and their terminals go on',
  input: z.strictObject({
    id: idField.optional().describe('Conversation id, its beginning or its last part; a member may leave it out'),
  }),
  output: conversationSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall conversation end k3f9', does: 'ends it; what was said stays for 30 days' }],
  },
});

export const conversationExtend = describeOperation({
  name: 'conversation.extend',
  access: 'write',
  audience: 'person',
  summary: 'Let a conversation go on for so many turns of each side',
  input: z.strictObject({
    id: idField,
    turns: turnsField.optional().describe('Turns of each; as in the settings when left out, which is 8'),
  }),
  output: conversationSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'turns' }],
    examples: [
      { line: 'guild-hall conversation extend k3f9', does: 'goes on for as many turns as the settings say' },
      { line: 'guild-hall conversation extend k3f9 3', does: 'goes on for three turns each' },
    ],
  },
});
