/** Terminals as the doors know them: shapes and events. What they are made of is in the kernel. */
import { z } from 'zod';
import { maxIdLength, projectNameSchema } from '../../kernel/pure/ids.ts';
import { terminalIdSchema } from '../../kernel/terminals/contract.ts';

export { terminalIdSchema } from '../../kernel/terminals/contract.ts';

/** Its word in ids of activities, in tokens and in subjects of events. */
export const terminalKind = 'terminal';

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?$/u;

/** Words of a terminal's name would be taken for theirs. */
export const reservedNames: readonly string[] = ['hall', 'guild-hall', 'person', 'me'];

/** What people and agents call it, and under which it speaks: `Mo`. */
export const terminalNameSchema = z
  .string()
  .max(40, 'a name of at most 40 characters')
  .regex(namePattern, 'a name of letters, digits, hyphens and underscores, like Mo or review-2')
  .refine(
    (name) => !reservedNames.includes(name.toLowerCase()),
    'another name: this one stands for the hall or a person',
  );

/** A name, an id, or the beginning of an id. */
export const terminalRefSchema = z
  .string()
  .min(1)
  .max(maxIdLength)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u, 'the name of a terminal, its id or the beginning of it');

export const terminalStatusSchema = z.enum(['starting', 'idle', 'busy', 'dialog', 'ended']);

export const terminalSandboxSchema = z.object({
  kind: z.enum(['bubblewrap', 'seatbelt', 'none']),
  /** Why there is none, in a sentence; empty where there is one. */
  reason: z.string(),
});
export type TerminalSandbox = z.infer<typeof terminalSandboxSchema>;

/** `person`; else the kind of the activity that started it (`terminal`, …) with its id. */
export const startedBySchema = z.object({ kind: z.string(), id: z.string().nullable() });
export type StartedBy = z.infer<typeof startedBySchema>;

export const terminalEndSchema = z.object({
  /** Null where a signal ended it, or nobody saw. */
  exitCode: z.number().nullable(),
  /** What ended it where that is known and was not itself: `tmux ended`, `SIGKILL`; null else. */
  why: z.string().nullable().default(null),
  at: z.string(),
});

export const terminalViewSchema = z.object({
  id: terminalIdSchema,
  name: z.string(),
  /** The ready entry that it was started by; null for any other command. */
  entry: z.string().nullable(),
  /** As it was asked for: of an entry, its name and the words behind it. */
  command: z.array(z.string()),
  /** Null outside of every project. */
  project: projectNameSchema.nullable(),
  /** Absolute. */
  cwd: z.string(),
  status: terminalStatusSchema,
  /** What a dialog asks that stands in the way of messages; null without one. */
  question: z.string().nullable(),
  /** Since when its status is this one, ISO 8601. After a restart of the hall: since then. */
  since: z.string(),
  sandbox: terminalSandboxSchema,
  startedBy: startedBySchema,
  /** Agents of its project see it, and may talk to it. */
  toAgents: z.boolean(),
  startedAt: z.string(),
  end: terminalEndSchema.nullable(),
  /** Id of the conversation that it is in. */
  conversation: z.string().nullable(),
  /** Messages that are to be delivered and are not yet. */
  waiting: z.number(),
});
export type TerminalView = z.infer<typeof terminalViewSchema>;

/** One that was just started; of one that has ended by then, its last lines. */
export const terminalStartedSchema = terminalViewSchema.extend({ lastLines: z.array(z.string()) });
export type TerminalStarted = z.infer<typeof terminalStartedSchema>;

export const terminalListSchema = z.object({
  /** The living first, the newest before. */
  terminals: z.array(terminalViewSchema),
  /** What can be started by its name. */
  entries: z.array(z.object({ name: z.string(), about: z.string() })),
  /** What cannot be read, or why no terminal can be started. */
  problems: z.array(z.string()),
});
export type TerminalList = z.infer<typeof terminalListSchema>;

export const dialogChoiceSchema = z.object({ key: z.string(), label: z.string() });
export type DialogChoice = z.infer<typeof dialogChoiceSchema>;

/** What happens after `cursor` follows as events. */
export const terminalShownSchema = terminalViewSchema.extend({
  /** Secrets masked. Of one that has ended: its last words. */
  screen: z.object({
    lines: z.array(z.string()),
    cols: z.number(),
    rows: z.number(),
  }),
  /** What a dialog can be answered with by a key, where that can be read. */
  choices: z.array(dialogChoiceSchema),
  cursor: z.string(),
});
export type TerminalShown = z.infer<typeof terminalShownSchema>;

export const receiptSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('queued') }),
  /** `silent`: nothing that the program showed by then says that it has read them. */
  z.object({ state: z.literal('delivered'), at: z.string(), silent: z.literal(true).optional() }),
  z.object({ state: z.literal('failed'), why: z.string() }),
]);

export const terminalSentSchema = z.object({
  id: terminalIdSchema,
  name: z.string(),
  /** Of the message. */
  message: z.string(),
  /** `queued`: it is put in when the terminal is free. */
  receipt: receiptSchema,
  /** Of one that is queued: what stands in its way, in a sentence; null else. */
  waitsFor: z.string().nullable(),
  /** The conversation that was opened; null without `direct`. */
  conversation: z.string().nullable(),
});
export type TerminalSent = z.infer<typeof terminalSentSchema>;

export const terminalAttachedSchema = z.object({
  id: terminalIdSchema,
  name: z.string(),
  /** A program and its words: they show the terminal to a person. */
  command: z.array(z.string()).min(1),
  readOnly: z.boolean(),
});
export type TerminalAttached = z.infer<typeof terminalAttachedSchema>;

/** Events of the hall's stream whose subject is `terminal:<id>`. */
export interface TerminalEvents {
  'terminal.started': { id: string; name: string; entry: string | null; startedBy: StartedBy };
  /** `waiting`: messages that are to be delivered. */
  'terminal.status': { id: string; status: string; question: string | null; since: string; waiting: number };
  /** What became of a message: `delivered`, or `failed` with why. */
  'terminal.receipt': { id: string; message: string; origin: string; receipt: z.infer<typeof receiptSchema> };
  'terminal.ended': { id: string; name: string; exitCode: number | null };
}
