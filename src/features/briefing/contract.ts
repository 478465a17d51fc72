/** The briefing: how the work stands, in a few lines. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { stewardOnly } from '../steward/contract.ts';

const shownSchema = z.object({
  /** Null: of all projects. */
  project: projectNameSchema.nullable(),
  /** What to read, Markdown: the model's words, or the same as `facts`. */
  text: z.string(),
  /** Assembled from the records, Markdown. */
  facts: z.string(),
  by: z.enum(['model', 'record']),
  /** Nothing runs, waits or is queued. */
  isQuiet: z.boolean(),
  /** The model's words are being written; `briefing.written` tells when they are there. */
  isWriting: z.boolean(),
  /** Why there are none of the model. */
  problem: z.string().nullable(),
});
export type Briefing = z.infer<typeof shownSchema>;

export const briefingShow = describeOperation({
  name: 'briefing.show',
  access: 'read',
  audience: 'agents',
  workers: stewardOnly,
  summary: 'Tell in a few lines what runs, what came out, what failed and what needs you',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
    plain: z.boolean().default(false).describe('As the records tell it, without asking a model'),
    wait: z.boolean().default(true).describe('Wait for the words of the model, where one is configured'),
  }),
  output: shownSchema,
  commandLine: {
    isDefault: true,
    examples: [{ line: 'guild-hall briefing', does: 'tells it of all projects' }],
  },
});

/** Events of the hall's stream; the subject is null. */
export interface BriefingEvents {
  'briefing.written': { project: string | null };
}
