/** What CLOSE drafts and REVIEW decides about. Nothing of it is written before SAVE. */
import { z } from 'zod';
import { turnUsageSchema } from './entries.ts';
import { actionItemTypeSchema, dispositionSchema } from './words.ts';

export const actionItemDraftSchema = z.object({
  /** `draft-1`, `draft-2`, …: the final id is allocated under the registry's lock. */
  id: z.string(),
  type: actionItemTypeSchema,
  priority: z.string().default('normal'),
  assignee: z.string().default('unassigned'),
  contextForTarget: z.string(),
  acceptance: z.string(),
  /** Pins that it rests on. */
  pins: z.array(z.string()).default([]),
});
export type ActionItemDraft = z.infer<typeof actionItemDraftSchema>;

export const memoryDraftSchema = z.object({
  agent: z.string(),
  tags: z.array(z.string()),
  decided: z.array(z.string()),
  constraints: z.array(z.string()),
  /** Words; the ids of action items assigned to the agent are added at SAVE. */
  tracking: z.array(z.string()),
  sources: z.array(z.string()),
});
export type MemoryDraft = z.infer<typeof memoryDraftSchema>;

/** What the facilitator drafts of the notes; the rest of the notes follows from the transcript. Markdown each. */
export const notesDraftSchema = z.object({
  summary: z.string(),
  /** Title of a section of the mode's template → its text. */
  sections: z.record(z.string(), z.string()),
  openQuestions: z.array(z.string()),
  /** Who does not agree, and why; empty where nobody. */
  minority: z.string(),
});
export type NotesDraft = z.infer<typeof notesDraftSchema>;

export const draftsSchema = z.object({
  actionItems: z.array(actionItemDraftSchema),
  /** One for each agent that took part. */
  memory: z.array(memoryDraftSchema),
  notes: notesDraftSchema,
  /** `engine`: the facilitator did not hand in anything usable, so they were drawn from the transcript alone. */
  by: z.enum(['facilitator', 'engine']),
  /** What the facilitator used to draft them. */
  usage: turnUsageSchema.optional(),
});
export type CouncilDrafts = z.infer<typeof draftsSchema>;

/** `action-items`, `memory:<agent>` or `notes`. */
export const draftNameSchema = z.string().regex(/^(?:action-items|notes|memory:.{1,100})$/u);

/** `text`: with `edit` alone, the whole revised draft in the form in which it was shown. */
export const reviewSchema = z.object({
  draft: draftNameSchema,
  disposition: dispositionSchema,
  text: z.string().nullable(),
});
export type Review = z.infer<typeof reviewSchema>;
