/** The operations of meetings, described once for every door. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { stewardOnly } from '../steward/contract.ts';
import {
  maxNotesLength,
  meetingClosedSchema,
  meetingIdSchema,
  meetingOpenedSchema,
  meetingStatusSchema,
  notesDraftSchema,
} from './contract.ts';
import { allowSecretsField, messageField, messageIdField, projectField, ref } from './descriptions/fields.ts';

export { meetingArtifact, meetingDiff, meetingList, meetingShow } from './descriptions/reading.ts';

export const meetingOpen = describeOperation({
  name: 'meeting.open',
  access: 'write',
  audience: 'person',
  summary: 'Open a meeting with a worker and say the first thing',
  input: z.strictObject({
    project: projectField,
    worker: z.string().min(1).max(200).describe('Worker to meet; see: guild-hall worker list'),
    agenda: z.string().max(100_000).optional().describe('Why the meeting is held; the first words when left out'),
    artifacts: z
      .array(z.string().min(1).max(1000))
      .max(100)
      .default([])
      .describe('Artifact that prompts it; repeatable'),
    message: messageField.describe('What to say first'),
    messageId: messageIdField,
    allowSecrets: allowSecretsField,
  }),
  output: meetingOpenedSchema,
  commandLine: {
    positionals: [{ field: 'message', rest: true }],
    flags: { artifacts: 'artifact' },
    examples: [
      {
        line: 'guild-hall meeting open --worker researcher "How does the parser report errors?"',
        does: 'opens a meeting and streams the answer',
      },
    ],
  },
});

export const meetingRequest = describeOperation({
  name: 'meeting.request',
  access: 'write',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Put a meeting among the requests, to be accepted when there is time for it',
  input: z.strictObject({
    project: projectField,
    worker: z.string().min(1).max(200).describe('Worker to meet; see: guild-hall worker list'),
    agenda: z
      .string()
      .max(100_000)
      .refine((text) => text.trim() !== '', 'must say something')
      .describe('What it is about, and the decision that it should bring'),
    reason: z.string().max(5000).default('').describe('Why now'),
    artifacts: z
      .array(z.string().min(1).max(1000))
      .max(100)
      .default([])
      .describe('Artifact that it is about; repeatable'),
    allowSecrets: allowSecretsField,
  }),
  output: z.object({ id: meetingIdSchema, project: projectNameSchema, path: z.string() }),
  commandLine: {
    positionals: [{ field: 'agenda', rest: true }],
    flags: { artifacts: 'artifact' },
    examples: [
      {
        line: 'guild-hall meeting request --worker reviewer "Go through the errors of the parser"',
        does: 'leaves it in the inbox for later',
      },
    ],
  },
});

export const meetingSay = describeOperation({
  name: 'meeting.say',
  access: 'write',
  audience: 'person',
  summary: 'Say something in an open meeting',
  input: z.strictObject({
    ...ref,
    message: messageField.describe('What to say'),
    messageId: messageIdField,
    allowSecrets: allowSecretsField,
  }),
  output: z.object({
    id: meetingIdSchema,
    project: projectNameSchema,
    messageId: z.string(),
    turn: z.number(),
    /** How many messages are answered before this one. */
    position: z.number(),
    cursor: z.string(),
  }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'message', rest: true }],
    examples: [
      { line: 'guild-hall meeting say k3f9 "And where is it tested?"', does: 'sends a message and streams the answer' },
    ],
  },
});

export const meetingNotes = describeOperation({
  name: 'meeting.notes',
  access: 'write',
  audience: 'person',
  summary: 'Draft the notes of an open meeting, to look at and change before the close',
  input: z.strictObject({
    ...ref,
    again: z.boolean().default(false).describe('Write them anew, although nothing was said since the last draft'),
  }),
  output: notesDraftSchema.extend({ id: meetingIdSchema, project: projectNameSchema }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall meeting notes k3f9', does: 'prints the notes as they would be written now' },
      { line: 'guild-hall meeting notes k3f9 --again', does: 'has them written anew' },
    ],
  },
});

export const meetingClose = describeOperation({
  name: 'meeting.close',
  access: 'write',
  audience: 'person',
  summary: 'Close a meeting: write its notes and squash-merge its branch; again after a conflict to retry',
  input: z.strictObject({
    ...ref,
    notes: z
      .string()
      .max(maxNotesLength)
      .refine((text) => text.trim() !== '', 'must say something; left out, the notes are written for you')
      .optional()
      .describe('Your own notes in place of written ones, Markdown; - reads them from standard input'),
    allowSecrets: z
      .boolean()
      .default(false)
      .describe("Merge although it looks as if a key or password is in the worker's files, or in your notes"),
  }),
  output: meetingClosedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall meeting close k3f9', does: 'writes the notes and merges' },
      { line: 'guild-hall meeting close k3f9 --notes "The parser stays."', does: 'merges with notes of your own' },
    ],
  },
});

const acknowledged = z.object({
  id: meetingIdSchema,
  project: projectNameSchema,
  status: meetingStatusSchema.nullable(),
});

export const meetingInterrupt = describeOperation({
  name: 'meeting.interrupt',
  access: 'write',
  audience: 'person',
  summary: 'Stop the answer that is being given; the meeting stays open',
  input: z.strictObject(ref),
  output: acknowledged.extend({ interrupted: z.boolean() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting interrupt k3f9', does: 'stops the running turn' }],
  },
});

export const meetingAccept = describeOperation({
  name: 'meeting.accept',
  access: 'write',
  audience: 'person',
  summary: 'Accept a requested meeting: it opens, and the worker speaks first',
  input: z.strictObject({
    ...ref,
    message: messageField.optional().describe('Words to add to the agenda'),
    messageId: messageIdField,
    allowSecrets: allowSecretsField,
  }),
  output: meetingOpenedSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'message', rest: true }],
    examples: [
      { line: 'guild-hall meeting accept k3f9 "Start with the second finding"', does: 'opens the requested meeting' },
    ],
  },
});

export const meetingDecline = describeOperation({
  name: 'meeting.decline',
  access: 'write',
  audience: 'person',
  summary: 'Decline a requested meeting; what it refers to stays',
  input: z.strictObject({
    ...ref,
    reason: z.string().max(2000).optional().describe('Why; kept in the log'),
    allowSecrets: allowSecretsField,
  }),
  output: acknowledged,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting decline k3f9', does: 'declines the request' }],
  },
});

export const meetingDefer = describeOperation({
  name: 'meeting.defer',
  access: 'write',
  audience: 'person',
  summary: 'Leave a requested meeting for later',
  input: z.strictObject({
    ...ref,
    until: z
      .string()
      .max(40)
      .regex(/^\d{4}-\d{2}-\d{2}$/, 'a date like 2026-03-31')
      .optional()
      .describe('Date to be reminded, YYYY-MM-DD'),
  }),
  output: acknowledged,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting defer k3f9 --until 2026-03-31', does: 'keeps the request for later' }],
  },
});

export const meetingRename = describeOperation({
  name: 'meeting.rename',
  access: 'write',
  audience: 'person',
  summary: 'Give a meeting another title; its id stays',
  input: z.strictObject({
    ...ref,
    title: z.string().min(1).max(300).describe('The new title'),
    allowSecrets: allowSecretsField,
  }),
  output: acknowledged.extend({ title: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'title', rest: true }],
    examples: [{ line: 'guild-hall meeting rename k3f9 "Parser errors"', does: 'renames the meeting' }],
  },
});

export const meetingDismiss = describeOperation({
  name: 'meeting.dismiss',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Give up merging a closed meeting that conflicts; its branch is kept, its transcript removed',
  input: z.strictObject(ref),
  output: acknowledged.extend({ branch: z.string().nullable() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting dismiss k3f9', does: 'stops asking about the conflict' }],
  },
});
