/** The operations of contexts, described once for every door. */
import { z } from 'zod';
import { describeOperation } from '../../kernel/pure/operations.ts';
import {
  metaContextRowSchema,
  metaContextViewSchema,
  nextBlockClickedSchema,
  nextBlockClickSchema,
} from './contract.ts';

const projectField = z.string().optional().describe('Project; may be left out where only one fits');
const nameField = z.string().min(1).max(1000).describe('Name of the context, or its id');

export const nextClick = describeOperation({
  name: 'next.click',
  access: 'write',
  audience: 'person',
  summary: 'Go on to the next phase: a new session in the context, begun with the command',
  input: nextBlockClickSchema,
  output: nextBlockClickedSchema,
  commandLine: {
    isDefault: true,
    positionals: [{ field: 'command', rest: true }],
    flags: { metaContext: 'context' },
    examples: [
      {
        line: 'guild-hall next --context parser --label "Requirements" "/req parser"',
        does: 'begins that phase in a session of its own',
      },
    ],
  },
});

export const contextList = describeOperation({
  name: 'context.list',
  access: 'read',
  audience: 'person',
  summary: 'List the contexts: what was carried from phase to phase, each with its newest session',
  input: z.strictObject({ project: projectField }),
  output: z.object({ contexts: z.array(metaContextRowSchema).readonly(), problems: z.array(z.string()).readonly() }),
  commandLine: {
    isDefault: true,
    examples: [{ line: 'guild-hall context list', does: 'lists them' }],
  },
});

export const contextShow = describeOperation({
  name: 'context.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a context: its sessions in their order, and how far its spec is',
  input: z.strictObject({ project: projectField, name: nameField }),
  output: metaContextViewSchema,
  commandLine: {
    positionals: [{ field: 'name' }],
    examples: [{ line: 'guild-hall context show parser', does: 'shows its sessions and phases' }],
  },
});

export const contextExport = describeOperation({
  name: 'context.export',
  access: 'read',
  audience: 'person',
  summary: 'Print a context as Markdown: all its sessions, one after the other',
  input: z.strictObject({ project: projectField, name: nameField }),
  output: z.object({ name: z.string(), markdown: z.string() }),
  commandLine: {
    positionals: [{ field: 'name' }],
    examples: [{ line: 'guild-hall context export parser', does: 'prints it' }],
  },
});
