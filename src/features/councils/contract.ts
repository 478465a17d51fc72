/** What the rest of the program may know of councils: words, shapes, events. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { draftsSchema, type Review } from './contract/drafts.ts';
import { councilEntrySchema, type CouncilEntry } from './contract/entries.ts';
import {
  councilIdSchema,
  councilSetupSchema,
  pinSchema,
  questionSchema,
  saveStateSchema,
  type CouncilQuestion,
  type Pin,
} from './contract/session.ts';
import { councilPhaseSchema, councilStatusSchema, type CouncilPhase, type CouncilStatus } from './contract/words.ts';

export { councilKind } from './contract/kind.ts';
export { defaultMaxTurns, defaultPerAgentCap } from './contract/terms.ts';
export {
  actionItemTypes,
  actionItemTypeSchema,
  councilPhases,
  councilStatusSchema,
  yieldNames,
  type ActionItemType,
  type CouncilPhase,
  type CouncilStatus,
  type Disposition,
  type HaltCondition,
  type PinDisposition,
  type Progress,
  type Provenance,
  type YieldName,
} from './contract/words.ts';
export {
  councilEntrySchema,
  type Claim,
  type CouncilEntry,
  type CouncilTurn,
  type TurnUsage,
} from './contract/entries.ts';
export {
  type ActionItemDraft,
  type CouncilDrafts,
  type MemoryDraft,
  type NotesDraft,
  type Review,
} from './contract/drafts.ts';
export {
  councilIdSchema,
  councilSessionSchema,
  type CouncilId,
  type CouncilQuestion,
  type CouncilSession,
  type CouncilSetup,
  type Invitee,
  type Pin,
  type SaveState,
} from './contract/session.ts';

/** 100 kB of text and more are a charter too; this is what a door takes. Characters. */
export const maxCharterLength = 400_000;

/** What is asked of the person, in words: one text for the terminal, the page and other programs. */
export const askedSchema = z.object({
  question: questionSchema,
  /** `Yield: post-CHARTER`. */
  header: z.string(),
  text: z.string(),
  /** Shown above it, each a line: what is new, who waits. */
  notes: z.array(z.string()),
  /** What may be answered: `continue`, `pause`, … or `accept`, `edit`, `drop` or `extract`, `keep`, `drop`. */
  options: z.array(z.object({ answer: z.string(), label: z.string() })),
  /** With a review: the draft as it would be written. With a pin: its content. */
  shown: z.string().nullable(),
});
export type Asked = z.infer<typeof askedSchema>;

export const councilRowSchema = z.object({
  id: councilIdSchema,
  project: projectNameSchema,
  charter: z.string(),
  mode: z.string(),
  status: councilStatusSchema,
  phase: councilPhaseSchema,
  round: z.number(),
  turns: z.number(),
  tokens: z.number(),
  speakers: z.array(z.string()),
  startedAt: z.string(),
  /** What waits for the person, in a few words; null for nothing. */
  asks: z.string().nullable(),
  /** Absolute. */
  sessionFile: z.string(),
});
export type CouncilRow = z.infer<typeof councilRowSchema>;

/** A council with everything that is shown of it. What happens after `cursor` follows as events. */
export const councilViewSchema = councilRowSchema.extend({
  setup: councilSetupSchema,
  transcript: z.array(councilEntrySchema),
  pins: z.array(pinSchema),
  muted: z.array(z.string()),
  asked: askedSchema.nullable(),
  halt: z.string().nullable(),
  trouble: z.string().nullable(),
  drafts: draftsSchema.nullable(),
  save: saveStateSchema.nullable(),
  /** By speaker and by phase: tokens, and dollars where they are known. */
  costs: z.object({
    bySpeaker: z.array(
      z.object({ name: z.string(), role: z.string(), tokens: z.number(), costUsd: z.number().nullable() }),
    ),
    byPhase: z.array(z.object({ phase: councilPhaseSchema, tokens: z.number(), costUsd: z.number().nullable() })),
    total: z.object({ tokens: z.number(), costUsd: z.number().nullable() }),
  }),
  /** Where the agents read. Absolute. */
  root: z.string(),
  sandbox: z.string(),
  /** No model is configured: what is said is found in the project and put together, not thought. */
  isRehearsal: z.boolean(),
  cursor: z.string(),
});
export type CouncilView = z.infer<typeof councilViewSchema>;

export const councilListSchema = z.object({
  councils: z.array(councilRowSchema),
  /** Session files that cannot be read, and why. */
  problems: z.array(z.object({ project: projectNameSchema, file: z.string(), message: z.string() })),
});
export type CouncilList = z.infer<typeof councilListSchema>;

/** What `council.run`, `resume` and `answer` answer: what is to be followed of it, and from where. */
export const councilGoesOnSchema = z.object({
  id: councilIdSchema,
  project: projectNameSchema,
  status: councilStatusSchema,
  phase: councilPhaseSchema,
  /** Entries of the transcript that there were before: those from here on are new. */
  from: z.number(),
  /** Absolute. */
  sessionFile: z.string(),
  /** What happens after it follows as events. */
  cursor: z.string(),
});
export type CouncilGoesOn = z.infer<typeof councilGoesOnSchema>;

/** What `council.next` answers: a piece of the transcript, and what waits for the person behind it. */
export const councilNextSchema = councilGoesOnSchema.extend({
  entries: z.array(councilEntrySchema),
  /** The `from` of the call after this one. */
  next: z.number(),
  /** Null while it goes on, and where it answers itself. */
  asked: askedSchema.nullable(),
  halt: z.string().nullable(),
  trouble: z.string().nullable(),
  save: saveStateSchema.nullable(),
});
export type CouncilNext = z.infer<typeof councilNextSchema>;

/** Events of the hall's stream whose subject is `council:<id>`. Each is told when the session file has it; that it cannot be written, alone, without. */
export interface CouncilEvents {
  'council.status': { id: string; from: CouncilStatus | null; to: CouncilStatus; phase: CouncilPhase; reason: string };
  /** Entry `n` (from 0) of the live transcript. */
  'council.entry': { id: string; n: number; entry: CouncilEntry };
  /** An agent begins its turn, or begins it anew: whatever was shown of a draft before is void. */
  'council.speaking': { id: string; speaker: string; role: string; number: number; kind: string; attempt: number };
  /** More of what the agent is saying, masked: a draft until its entry comes. Not kept. */
  'council.words': { id: string; speaker: string; text: string };
  /** It uses a tool. */
  'council.tool': { id: string; speaker: string; name: string; subject: string };
  'council.asked': { id: string; question: CouncilQuestion; header: string; text: string };
  'council.answered': { id: string; question: CouncilQuestion; answer: string };
  'council.pinned': { id: string; pin: Pin };
  'council.reviewed': { id: string; review: Review };
  'council.saved': { id: string; written: readonly string[]; commit: string | null };
}
export type CouncilEventType = keyof CouncilEvents;
