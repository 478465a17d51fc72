/** The operations by which the person talks with an agent. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { agentNameSchema, choiceSchema, sessionIdSchema } from '../contract/words.ts';
import { allowSecretsField, imagesField, projectField, promptIdField, ref, textField } from './fields.ts';
import { sessionInfoSchema, sessionViewSchema } from './shapes.ts';

export const sessionNew = describeOperation({
  name: 'session.new',
  access: 'write',
  audience: 'person',
  summary: 'Begin a session with an agent in the folder of a project',
  input: z.strictObject({
    project: projectField,
    agent: agentNameSchema.optional().describe('Which agent; see: guild-hall session agents'),
    title: z.string().trim().min(1).max(200).optional().describe('What to call it; else the first words'),
    prompt: textField.optional().describe('What to say first; - reads it from standard input'),
    promptId: promptIdField.describe('Id of the first words; each call begins a session, also under the same'),
    images: imagesField,
    allowSecrets: allowSecretsField,
  }),
  /** What comes after follows as events from the view's cursor on. */
  output: sessionViewSchema,
  commandLine: {
    positionals: [{ field: 'prompt', rest: true }],
    fromFile: { flag: 'file', field: 'prompt' },
    examples: [
      { line: 'guild-hall session new "Why does the parser fail on tabs?"', does: 'begins one, and asks' },
      { line: 'guild-hall session new --agent codex', does: 'begins one with another agent' },
    ],
  },
});

export const sessionSay = describeOperation({
  name: 'session.say',
  access: 'write',
  audience: 'person',
  summary: 'Say something in a session; while the agent works it waits for its turn',
  input: z.strictObject({
    ...ref,
    text: textField.describe('What to say; - reads it from standard input'),
    promptId: promptIdField,
    images: imagesField,
    allowSecrets: allowSecretsField,
  }),
  output: z.object({
    id: sessionIdSchema,
    promptId: z.string(),
    /** How many prompts are answered before this one. */
    position: z.number(),
    /** What comes of it follows as events from here on. */
    cursor: z.string(),
  }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    fromFile: { flag: 'file', field: 'text' },
    examples: [
      {
        line: 'guild-hall session say k3f9 "And where is it tested?"',
        does: 'says it, and shows the answer as it comes',
      },
      {
        line: 'guild-hall session say k3f9 "Go on" --allow-secrets',
        does: 'says it without being asked about keys in it',
      },
    ],
  },
});

export const sessionWithdraw = describeOperation({
  name: 'session.withdraw',
  access: 'write',
  audience: 'person',
  summary: 'Take words back that still wait for their turn',
  input: z.strictObject({ ...ref, promptId: z.string().min(1).max(100).describe('Id of the waiting words') }),
  /** What it said, so that it can be said otherwise. */
  output: z.object({ id: sessionIdSchema, promptId: z.string(), text: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'promptId' }],
    examples: [{ line: 'guild-hall session withdraw k3f9 p-8x2m4k1q', does: 'takes them back' }],
  },
});

export const sessionCancel = describeOperation({
  name: 'session.cancel',
  access: 'write',
  audience: 'person',
  summary: 'Stop what the agent of a session does now; what waits is done next',
  input: z.strictObject({
    ...ref,
    promptId: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Id of the words whose answer is meant: while another one is given, nothing is stopped'),
  }),
  /** `cancelled`: false where nothing ran, or another answer than the one that is meant. */
  output: z.object({ id: sessionIdSchema, cancelled: z.boolean() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session cancel k3f9', does: 'stops the running turn' }],
  },
});

export const sessionChoose = describeOperation({
  name: 'session.choose',
  access: 'write',
  audience: 'person',
  summary: 'Choose the mode, the model or whatever else the agent of a session offers',
  input: z.strictObject({
    ...ref,
    choice: z.string().min(1).max(200).describe('What is chosen: mode, model, …'),
    option: z.string().min(1).max(200).describe('Id of one of its options'),
  }),
  output: z.object({ id: sessionIdSchema, choices: z.array(choiceSchema).readonly() }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'choice' }, { field: 'option' }],
    examples: [{ line: 'guild-hall session choose k3f9 mode plan', does: 'lets it plan only' }],
  },
});

export const sessionAnswer = describeOperation({
  name: 'session.answer',
  access: 'write',
  audience: 'person',
  summary: 'Answer an agent that asks whether it may do something',
  input: z.strictObject({
    ...ref,
    request: z.string().min(1).max(200).default('-').describe('Id of the question; left out: the only one that waits'),
    option: z
      .string()
      .min(1)
      .max(200)
      .describe('Id of the option; or allow or refuse: once where that is offered, else for good'),
  }),
  output: z.object({ id: sessionIdSchema, request: z.string(), option: z.string(), session: sessionInfoSchema }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'option' }],
    examples: [{ line: 'guild-hall session answer k3f9 allow', does: 'lets it, once' }],
  },
});
