/**
 * One council, whole: what its session file holds. `store/session-file.ts` writes it as YAML, the seed's fields first,
 * in the seed's order and under the seed's names.
 */
import { z } from 'zod';
import { activityIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { draftsSchema, reviewSchema } from './drafts.ts';
import { councilEntrySchema } from './entries.ts';
import {
  councilPhaseSchema,
  councilStatusSchema,
  pinDispositionSchema,
  progressSchema,
  yieldNameSchema,
} from './words.ts';

export const councilIdSchema = activityIdSchema;
export type CouncilId = z.infer<typeof councilIdSchema>;

export const inviteeSchema = z.object({
  /** As it stands in headers. */
  name: z.string(),
  role: z.string(),
  /** The package; null for the person. */
  worker: z.string().nullable(),
});
export type Invitee = z.infer<typeof inviteeSchema>;

/** How it was called; never changes afterwards. */
export const councilSetupSchema = z.object({
  mode: z.string(),
  bias: z.string(),
  /** Who speaks, in order; the person, where invited, has a seat here and no slot in the round. */
  invitees: z.array(inviteeSchema),
  inviteesOverride: z.boolean(),
  defaultInviteesResolved: z.array(z.string()),
  missingInvitees: z.array(z.string()),
  noWeb: z.boolean(),
  skipResearch: z.boolean(),
  /** Round-robin slots of DISCUSS. */
  turns: z.number(),
  maxTurns: z.number(),
  perAgentCap: z.number(),
  /** Every yield is answered with continue, every draft accepted, every pin kept. */
  yes: z.boolean(),
  /** Absolute folder that it was started in; null: it works on the integration branch. */
  inPlace: z.string().nullable(),
  /** Name of the person in headers; null where none resolves. */
  userName: z.string().nullable(),
  /** YYYY-MM-DD and slug: parts of the id and of the saved paths. */
  date: z.string(),
  slug: z.string(),
  startedAt: z.string(),
});
export type CouncilSetup = z.infer<typeof councilSetupSchema>;

export const pinSchema = z.object({
  /** `SP-<n>`. */
  id: z.string(),
  content: z.string(),
  contentType: z.string(),
  agent: z.string(),
  intent: z.string(),
  /** How often its content was replaced. */
  historyCount: z.number(),
  disposition: pinDispositionSchema.nullable(),
});
export type Pin = z.infer<typeof pinSchema>;

/** A turn that comes before the next slot of the round. */
export const insertedSchema = z.object({
  kind: z.enum(['raise-hand', 'research-interrupt', 'facilitator']),
  speaker: z.string(),
  /** Who asked for it; for `facilitator` the line of the loop. */
  by: z.string(),
  question: z.string(),
});

/** A request to speak that was not honoured in its own cycle. */
export const waitingHandSchema = z.object({
  cycle: z.number(),
  requesting: z.string(),
  target: z.string(),
  /** What is to be answered; empty where only a hand was raised. */
  question: z.string().default(''),
});

export const questionSchema = z.discriminatedUnion('kind', [
  /** `turns`: with `discuss-cadence`, how many were emitted since the last one. */
  z.object({ kind: z.literal('yield'), at: yieldNameSchema, turns: z.number() }),
  z.object({ kind: z.literal('pin'), pin: z.string() }),
  z.object({ kind: z.literal('review'), draft: z.string() }),
]);
export type CouncilQuestion = z.infer<typeof questionSchema>;

export const haltSchema = z.object({
  line: z.string(),
  /** What a resume passes over: the slot whose turn could not be had. */
  skips: z.boolean(),
});

/** SAVE, in parts that can each be done again. */
export const saveStateSchema = z.object({
  /** Final ids by provisional ones; null until they are in the registry, or nothing was accepted. */
  ids: z.record(z.string(), z.string()).nullable(),
  /** Paths relative to the root, in the order in which they were written. */
  written: z.array(z.string()),
  /** Paths, in the order of the pins. */
  extractions: z.array(z.string()),
  /** Names of the agents whose entry was written. */
  memory: z.array(z.string()),
  /** Path. */
  notes: z.string().nullable(),
  commit: z.string().nullable(),
});
export type SaveState = z.infer<typeof saveStateSchema>;

export const councilSessionSchema = z.object({
  // The seed's fields.
  sessionId: councilIdSchema,
  phase: councilPhaseSchema,
  round: z.number().int().min(0),
  turnCounter: z.number().int().min(0),
  cadenceCounter: z.number().int().min(0),
  /** As `rules/raise-hand.ts` prints it. */
  raiseHandLedger: z.string(),
  /** `SP-1=<sha256, 16 hex>;…`. */
  scratchpadState: z.string(),
  cumulativeCost: z.number().int().min(0),
  lastCheckpointAt: z.string(),
  lastCheckpointPhase: z.union([councilPhaseSchema, yieldNameSchema, z.literal('')]),
  lastYieldEmittedAt: z.string(),
  /** `id=INFO:text; …`. */
  agentDispatchFindings: z.string(),
  userAttendance: z.enum(['true', 'false', '']),
  // What a new process needs.
  version: z.literal(1),
  project: projectNameSchema,
  status: councilStatusSchema,
  charter: z.string(),
  setup: councilSetupSchema,
  /** Read once when the session is loaded; kept for what is shown. */
  cadence: z.number().int().min(1),
  transcript: z.array(councilEntrySchema),
  /** Slots of the round that are used up: preludes in RESEARCH, round-robin turns in DISCUSS. Those passed over count. */
  preludesDone: z.number().int().min(0),
  slotsDone: z.number().int().min(0),
  /** Emitted DISCUSS turns, and how many of them there were at the last yield. */
  discussTurns: z.number().int().min(0),
  discussTurnsAtYield: z.number().int().min(0),
  inserted: z.array(insertedSchema),
  waitingHands: z.array(waitingHandSchema),
  /** Yields that were answered with continue or wrap-up, in order. */
  passed: z.array(yieldNameSchema),
  wrapUp: z.boolean(),
  researchPhase: z.enum(['enabled', 'skipped']),
  /** By name: output tokens. */
  tokens: z.record(z.string(), z.number()),
  muted: z.array(z.string()),
  loopWindow: z.array(z.object({ agent: z.string(), progress: progressSchema })),
  pins: z.array(pinSchema),
  /** By name: addresses that its research fetched. */
  fetched: z.record(z.string(), z.array(z.string())),
  question: questionSchema.nullable(),
  halt: haltSchema.nullable(),
  /** Why the engine stopped by itself besides the four halts: a failed agent, a full disk. Cleared by a resume. */
  trouble: z.string().nullable(),
  drafts: draftsSchema.nullable(),
  reviews: z.array(reviewSchema),
  save: saveStateSchema.nullable(),
});
export type CouncilSession = z.infer<typeof councilSessionSchema>;
