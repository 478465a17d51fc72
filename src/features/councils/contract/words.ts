/** The words of councils. */
import { z } from 'zod';
import { actionItemTypes, councilPhases, provenances, yieldAnswers, yieldNames } from './terms.ts';

export { actionItemTypes, councilPhases, yieldNames } from './terms.ts';

export const councilPhaseSchema = z.enum(councilPhases);
export type CouncilPhase = z.infer<typeof councilPhaseSchema>;

export const yieldNameSchema = z.enum(yieldNames);
export type YieldName = z.infer<typeof yieldNameSchema>;

export const yieldAnswerSchema = z.enum(yieldAnswers);
export type YieldAnswer = z.infer<typeof yieldAnswerSchema>;

/** What is done with one draft at REVIEW. */
export const dispositionSchema = z.enum(['accept', 'edit', 'drop']);
export type Disposition = z.infer<typeof dispositionSchema>;

/** What is done with one pin of the scratchpad at CLOSE. */
export const pinDispositionSchema = z.enum(['extract', 'keep', 'drop']);
export type PinDisposition = z.infer<typeof pinDispositionSchema>;

/** Who made the runner emit a turn. Recorded by the runner alone. */
export const provenanceSchema = z.enum(provenances);
export type Provenance = z.infer<typeof provenanceSchema>;

export const turnKindSchema = z.enum([
  'prelude',
  'round-robin',
  'raise-hand',
  'research-interrupt',
  'interjection',
  'attendee',
  'facilitator',
]);

/** What a turn brought: the first that holds, in this order. `none` counts towards a loop. */
export const progressSchema = z.enum(['new-citation', 'new-decision', 'new-pin', 'none']);
export type Progress = z.infer<typeof progressSchema>;

/**
 * `running`: the engine works. `asking`: a question of it waits for the person. `paused`, `halted`: it goes on with a
 * resume. `saved` and `aborted` are ends.
 */
export const councilStatusSchema = z.enum(['running', 'asking', 'paused', 'halted', 'saved', 'aborted']);
export type CouncilStatus = z.infer<typeof councilStatusSchema>;

export const haltConditionSchema = z.enum([
  'CHARTER-MISSING',
  'RESEARCH-MISSING',
  'CITE-OR-FLAG',
  'WRITE-BOUNDARY-VIOLATION',
]);
export type HaltCondition = z.infer<typeof haltConditionSchema>;

export const actionItemTypeSchema = z.enum(actionItemTypes);
export type ActionItemType = z.infer<typeof actionItemTypeSchema>;
