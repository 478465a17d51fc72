/**
 * The live transcript: what is printed while a council goes on, and what is saved, in this order. One rendering for the
 * terminal, the page and the notes.
 */
import { z } from 'zod';
import { councilPhaseSchema, progressSchema, provenanceSchema, turnKindSchema } from './words.ts';

/** One statement of a turn and what became of it in the check. */
export const claimSchema = z.object({
  /** Of the turn's body; counts from 1. */
  line: z.number(),
  text: z.string(),
  /** `not-found`: it cites a source in which nothing like it stands. */
  verdict: z.enum(['cited', 'not-found', 'inference', 'opinion', 'unflagged']),
  /** Paths (with `:line` where one was given) and addresses. */
  citations: z.array(z.string()),
});
export type Claim = z.infer<typeof claimSchema>;

/** Tokens; US dollars where the price is known. */
export const turnUsageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
  costUsd: z.number().nullable(),
});
export type TurnUsage = z.infer<typeof turnUsageSchema>;

export const councilTurnSchema = z.object({
  /** `T<number>`. */
  id: z.string(),
  /** Counts emitted turns of every kind over the whole council, from 1: the `T` of the header. */
  number: z.number(),
  /** Of DISCUSS, from 1; 0 outside it. */
  round: z.number(),
  phase: councilPhaseSchema,
  kind: turnKindSchema,
  speaker: z.string(),
  role: z.string(),
  /** Markdown, scrubbed of secrets, as it was said. Rendering keeps it from being read as structure. */
  body: z.string(),
  /** Output tokens, thinking included. */
  tokens: z.number(),
  runningTotal: z.number(),
  usage: turnUsageSchema,
  via: provenanceSchema,
  origin: z.enum(['interject', 'attendee']).nullable(),
  progress: progressSchema,
  claims: z.array(claimSchema),
  /** Marked `[challenge]`, or by the tool. */
  challenges: z.array(z.string()),
  /** Marked `[decision]`, or by the tool. */
  decisions: z.array(z.string()),
  /** ISO 8601. */
  at: z.string(),
  /** Of everything above, with the council's own secret; see `rules/seal.ts`. */
  seal: z.string(),
});
export type CouncilTurn = z.infer<typeof councilTurnSchema>;

/** Kinds of single lines. Their text is printed as it stands. */
export const lineNameSchema = z.enum([
  'warning',
  'cost-check',
  'muted',
  'raise-hand',
  'loop',
  'max-turns',
  'pin',
  'passed-over',
  'halt',
]);

export const councilEntrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('marker'), phase: councilPhaseSchema }),
  z.object({ kind: z.literal('charter'), text: z.string() }),
  z.object({ kind: z.literal('turn'), turn: councilTurnSchema }),
  z.object({ kind: z.literal('line'), name: lineNameSchema, text: z.string() }),
]);
export type CouncilEntry = z.infer<typeof councilEntrySchema>;
