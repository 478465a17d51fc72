/** What the rest of the program may know of contexts: the registry's shapes, the click, the rule for buttons. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { agentNameSchema, blockRefSchema, sessionFromSchema, sessionIdSchema } from '../sessions/contract/words.ts';

export type { MetaContextInfo } from '../sessions/contract/state.ts';

/** Longest name, label and command of a block. Characters. */
export const maxMetaContextName = 200;
export const maxLabel = 200;
export const maxCommand = 20_000;

/** Id of a context; made once, never changes. */
export const metaContextIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/)
  .max(100);

const sessionInfoSchema = z.object({
  id: sessionIdSchema,
  title: z.string(),
  agent: agentNameSchema,
  createdAt: z.string(),
  lastAt: z.string(),
  state: z.enum(['idle', 'running', 'waiting', 'closed', 'unreadable']),
  metaContextId: z.string().nullable(),
  from: sessionFromSchema.nullable(),
});

export interface MetaContext {
  readonly id: string;
  readonly name: string;
  readonly sessionIds: readonly string[];
}

/** The command of the seed: a click on a `conclave:next` block, or `guild-hall next`. */
export const nextBlockClickSchema = z.strictObject({
  project: projectNameSchema.optional().describe('The project; where it is left out, the one of the folder'),
  /** Made by the page for each click: given twice, one session is made, and the same answer given. */
  clickId: z.string().min(8).max(100).optional().describe('Your own id of the click: given twice, it is done once'),
  /** The block; left out by scripts. */
  block: blockRefSchema.optional().describe('Where the block stands; left out, label and command are your own'),
  label: z.string().describe('What the button says; the title of the new session'),
  command: z.string().describe('What is said first in the new session: /req parser'),
  metaContext: z.string().describe('Name of the context, an existing or a new one'),
  /** Without a block: of which agent the session is to be. */
  agent: agentNameSchema.optional().describe('Without a block: of which agent; see: guild-hall session agents'),
  /** A block's words are the agent's: of those nobody is asked. */
  allowSecrets: z
    .boolean()
    .default(false)
    .describe('Without a block: go on although it looks as if a key or password is in your words'),
});
export type NextBlockClick = z.infer<typeof nextBlockClickSchema>;

export const nextBlockClickedSchema = z.object({
  project: projectNameSchema,
  sessionId: sessionIdSchema,
  metaContextId: z.string(),
  name: z.string(),
  /** The context did not exist before. */
  isNew: z.boolean(),
  /** This click was made before: nothing new came of it. */
  isRepeated: z.boolean(),
});
export type NextBlockClicked = z.infer<typeof nextBlockClickedSchema>;

/** One phase of a spec, by the files in `.conclave/specs/<name>/`. */
export const specPhaseSchema = z.object({
  /** What begins it, without the name: `/req`. */
  command: z.string(),
  title: z.string(),
  /** From the project's folder; null for a phase that leaves no file of its own. */
  file: z.string().nullable(),
  /** `untold`: its results are code; `unreadable`: something stands there that is not what it should be. */
  state: z.enum(['done', 'open', 'unreadable', 'untold']),
  /** In a few words: "4 use cases"; empty for nothing. */
  note: z.string(),
});
export type SpecPhase = z.infer<typeof specPhaseSchema>;

/** A context as it is shown. */
export const metaContextViewSchema = z.object({
  project: projectNameSchema,
  id: z.string(),
  name: z.string(),
  /** In the order of their addition; those that are gone are left out. */
  sessions: z.array(sessionInfoSchema).readonly(),
  /** Ids of sessions that were in it and are no more. */
  gone: z.array(z.string()).readonly(),
  /** null: no spec has its name. */
  phases: z.array(specPhaseSchema).nullable(),
});
export type MetaContextView = z.infer<typeof metaContextViewSchema>;

/** One line of the list of contexts. */
export const metaContextRowSchema = z.object({
  project: projectNameSchema,
  id: z.string(),
  name: z.string(),
  sessions: z.number(),
  /** The one that the picker shows: the last that still exists. */
  newest: sessionInfoSchema.nullable(),
});
export type MetaContextRow = z.infer<typeof metaContextRowSchema>;

export interface MetaContextList {
  readonly contexts: readonly MetaContextRow[];
  /** What is wrong with a registry, in sentences. */
  readonly problems: readonly string[];
}
