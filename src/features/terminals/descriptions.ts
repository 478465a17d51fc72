/** The operations on terminals, described once for every door. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import {
  terminalAttachedSchema,
  terminalIdSchema,
  terminalListSchema,
  terminalNameSchema,
  terminalRefSchema,
  terminalSentSchema,
  terminalShownSchema,
  terminalStartedSchema,
  terminalViewSchema,
} from './contract.ts';

const idField = terminalRefSchema.describe('Name of the terminal, its id, or the beginning of that');
const messageField = z.string().min(1).max(400_000).describe('What to say; - reads it from standard input');

export const terminalStart = describeOperation({
  name: 'terminal.start',
  tool: 'start_session',
  access: 'write',
  audience: 'agents',
  summary: 'Start a terminal: an agent, a shell, or any program of yours',
  input: z.strictObject({
    name: terminalNameSchema.optional().describe('What it is called; else the program’s name'),
    command: z
      .array(z.string().max(100_000))
      .min(1)
      .max(1000)
      .refine(([first]) => first !== '', 'a program first')
      .describe(
        'What to run: claude, codex, gemini, opencode, aider, shell, with words of their own, or any command; agents give one such name',
      ),
    project: projectNameSchema.optional().describe('In which project; else that of the folder'),
    cwd: z
      .string()
      .min(1)
      .max(4096)
      .meta({ isPath: true, isHere: true })
      .optional()
      .describe('Folder to run in; else the folder you are in'),
    message: messageField.optional().describe('What to say to it as soon as it is ready'),
    direct: z
      .boolean()
      .default(false)
      .describe('Open a conversation with it, for an agent in a terminal: what each says is carried to the other'),
    toAgents: z
      .boolean()
      .default(false)
      .describe(
        'Let agents of the project see it and talk to it, though it is no agent: what they say is typed into it',
      ),
    plain: z.boolean().default(false).describe('Take the first word as a program, also where an entry has its name'),
    sandbox: z.boolean().default(true).describe('Left out, an agent runs in a sandbox where the machine has one'),
    cols: z.int().min(20).max(500).optional().describe('Columns of its screen (else 120)'),
    rows: z.int().min(5).max(200).optional().describe('Rows of its screen (else 36)'),
  }),
  output: terminalStartedSchema,
  commandLine: {
    positionals: [{ field: 'command', rest: true }],
    examples: [
      { line: 'guild-hall terminal start --name Mo -- claude', does: 'starts Claude Code, called Mo' },
      { line: 'guild-hall terminal start --name Ada -- claude --model opus', does: 'gives it words of its own' },
      { line: 'guild-hall terminal start -- shell', does: 'starts your shell' },
      { line: 'guild-hall terminal start --name watch -- npm run dev', does: 'runs any command' },
    ],
  },
});

export const terminalList = describeOperation({
  name: 'terminal.list',
  tool: 'list_sessions',
  access: 'read',
  audience: 'agents',
  summary: 'List the terminals: who runs, what each is doing, who talks with whom',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
    all: z.boolean().default(false).describe('Those of the last days that have ended, too'),
  }),
  output: terminalListSchema,
  commandLine: {
    ofAllProjects: true,
    examples: [
      { line: 'guild-hall terminal list', does: 'lists those that live' },
      { line: 'guild-hall terminal list --all', does: 'lists the ended ones of this week, too' },
    ],
  },
});

export const terminalShow = describeOperation({
  name: 'terminal.show',
  tool: 'show_session',
  access: 'read',
  audience: 'agents',
  summary: 'Show a terminal with what stands on its screen',
  input: z.strictObject({
    id: idField,
    lines: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('So many of the last lines, scrolled-off ones too (else the screen)'),
  }),
  output: terminalShownSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall terminal show Mo --lines 200', does: 'prints its last 200 lines' }],
  },
});

export const terminalSend = describeOperation({
  name: 'terminal.send',
  tool: 'send_message',
  access: 'write',
  audience: 'agents',
  summary: 'Say something to a terminal, as one message; it is told whether that was taken',
  input: z.strictObject({
    sessionId: idField,
    message: messageField,
    direct: z
      .boolean()
      .default(false)
      .describe('Open a conversation, for an agent in a terminal: from now on what each says is carried to the other'),
  }),
  output: terminalSentSchema,
  commandLine: {
    positionals: [{ field: 'sessionId' }, { field: 'message', rest: true }],
    fromFile: { flag: 'file', field: 'message' },
    examples: [
      { line: 'guild-hall terminal send Mo "Look at the failing test first"', does: 'delivers it, and says so' },
      { line: 'guild-hall terminal send Mo -', does: 'takes the message from standard input' },
    ],
  },
});

export const keyNames = [
  'enter',
  'escape',
  'tab',
  'backspace',
  'up',
  'down',
  'left',
  'right',
  'ctrl-c',
  'ctrl-d',
] as const;

export const terminalType = describeOperation({
  name: 'terminal.type',
  access: 'write',
  audience: 'person',
  summary: 'Type keys into a terminal as they are: answer a dialog, interrupt',
  input: z.strictObject({
    id: idField,
    text: z.string().max(10_000).default('').describe('Characters to type'),
    key: z.array(z.enum(keyNames)).max(100).default([]).describe('Keys to press after them'),
    question: z.string().max(20_000).optional().describe('Type only if this is what its dialog asks'),
    choice: z.string().max(1000).optional().describe('Type only if this is what its dialog has behind that key'),
  }),
  output: terminalViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    examples: [
      { line: 'guild-hall terminal type Mo 1', does: 'takes the first choice of a dialog' },
      { line: 'guild-hall terminal type Mo --key escape', does: 'presses Escape' },
    ],
  },
});

export const terminalResize = describeOperation({
  name: 'terminal.resize',
  access: 'write',
  audience: 'person',
  summary: 'Give a terminal another size',
  input: z.strictObject({
    id: idField,
    cols: z.int().min(20).max(500).describe('Columns'),
    rows: z.int().min(5).max(200).describe('Rows'),
  }),
  output: terminalViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'cols' }, { field: 'rows' }],
    examples: [{ line: 'guild-hall terminal resize Mo 100 30', does: 'makes it 100 columns wide' }],
  },
});

export const terminalEnd = describeOperation({
  name: 'terminal.end',
  tool: 'end_session',
  access: 'write',
  destroys: true,
  audience: 'agents',
  summary: 'End a terminal: its program and all that this has started',
  input: z.strictObject({ id: idField }),
  output: z.object({ id: terminalIdSchema, name: z.string(), exitCode: z.number().nullable() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall terminal end Mo', does: 'ends it; what it showed last is kept for a week' }],
  },
});

export const terminalAttach = describeOperation({
  name: 'terminal.attach',
  access: 'read',
  audience: 'person',
  summary: 'Sit down at a terminal: see it live, and type into it',
  input: z.strictObject({
    id: idField,
    readOnly: z.boolean().default(false).describe('Watch only'),
  }),
  output: terminalAttachedSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall terminal attach Mo', does: 'shows it here; Ctrl-b d leaves it running' },
      { line: 'guild-hall terminal attach Mo --read-only', does: 'shows it without taking keys' },
    ],
  },
});

export const terminalDescriptions = [
  terminalStart,
  terminalList,
  terminalShow,
  terminalSend,
  terminalType,
  terminalResize,
  terminalEnd,
  terminalAttach,
] as const;
