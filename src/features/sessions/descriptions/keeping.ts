/** The operations that change what is kept of a session. */
import { z } from 'zod';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { sessionIdSchema } from '../contract/words.ts';
import { ref } from './fields.ts';
import { sessionInfoSchema } from './shapes.ts';

const changed = z.object({ project: projectNameSchema, session: sessionInfoSchema });

export const sessionRename = describeOperation({
  name: 'session.rename',
  access: 'write',
  audience: 'person',
  summary: 'Give a session another title; its id stays',
  input: z.strictObject({ ...ref, title: z.string().trim().min(1).max(200).describe('The new title') }),
  output: changed,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'title', rest: true }],
    examples: [{ line: 'guild-hall session rename k3f9 "Tabs in the parser"', does: 'renames it' }],
  },
});

export const sessionClose = describeOperation({
  name: 'session.close',
  access: 'write',
  audience: 'person',
  summary: 'Close a session: its agent ends, its history stays',
  input: z.strictObject(ref),
  output: changed,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session close k3f9', does: 'ends its agent' }],
  },
});

export const sessionReopen = describeOperation({
  name: 'session.reopen',
  access: 'write',
  audience: 'person',
  summary: 'Open a closed session again; its agent goes on where it was',
  input: z.strictObject(ref),
  output: changed,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session reopen k3f9', does: 'takes words again' }],
  },
});

export const sessionRemove = describeOperation({
  name: 'session.remove',
  access: 'write',
  destroys: true,
  audience: 'person',
  summary: 'Remove a session with its history and images; files that its agent wrote in the project stay',
  input: z.strictObject(ref),
  /** `project`: empty where its log did not tell. */
  output: z.object({ id: sessionIdSchema, project: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall session remove k3f9', does: 'removes it for good' }],
  },
});
