/** The operations that show meetings and what came of them. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import {
  meetingArtifactShownSchema,
  meetingDiffSchema,
  meetingListSchema,
  meetingStatusSchema,
  meetingViewSchema,
} from '../contract.ts';
import { projectField, ref } from './fields.ts';

export const meetingList = describeOperation({
  name: 'meeting.list',
  access: 'read',
  audience: 'agents',
  summary: 'List meetings, the newest first',
  input: z.strictObject({
    project: projectField,
    status: meetingStatusSchema.optional().describe('Only those in this state'),
  }),
  output: meetingListSchema,
  commandLine: {
    narrowsByFolder: true,
    examples: [{ line: 'guild-hall meeting list --status open', does: 'lists what is open' }],
  },
});

export const meetingShow = describeOperation({
  name: 'meeting.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a meeting: its record, its turns, what waits',
  input: z.strictObject(ref),
  output: meetingViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting show k3f9', does: 'shows the conversation so far' }],
  },
});

export const meetingArtifact = describeOperation({
  name: 'meeting.artifact',
  access: 'read',
  audience: 'person',
  summary: 'Show an artifact as it stands in the work of a meeting, before it is merged',
  input: z.strictObject({
    ...ref,
    path: z.string().min(1).max(1000).describe('Path relative to the project, like .lore/notes/x.md'),
  }),
  output: meetingArtifactShownSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'path' }],
    examples: [{ line: 'guild-hall meeting artifact k3f9 .lore/notes/x.md', does: 'prints it' }],
  },
});

export const meetingDiff = describeOperation({
  name: 'meeting.diff',
  access: 'read',
  audience: 'person',
  summary: 'Show what the work of a meeting would change in the project',
  input: z.strictObject(ref),
  output: meetingDiffSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall meeting diff k3f9', does: 'prints the changes, uncommitted ones included' }],
  },
});
