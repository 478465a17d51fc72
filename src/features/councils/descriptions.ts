/** The operations of councils, described once for every door. */
import { z } from 'zod';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import {
  councilGoesOnSchema,
  councilIdSchema,
  councilListSchema,
  councilNextSchema,
  councilStatusSchema,
  councilViewSchema,
  defaultMaxTurns,
  defaultPerAgentCap,
  maxCharterLength,
} from './contract.ts';
import { pinSchema } from './contract/session.ts';
import { leastTokensForTurn } from './contract/terms.ts';
import {
  continueField,
  idField,
  interjectField,
  maxWords,
  projectField,
  ref,
  wrapUpField,
} from './descriptions/fields.ts';

const names = z.array(z.string().min(1).max(2000)).max(200);

export const councilRun = describeOperation({
  name: 'council.run',
  access: 'write',
  audience: 'person',
  summary: 'Hold a council: several agents discuss a charter in turns, you decide at every yield; or resume one',
  input: z.strictObject({
    project: projectField,
    charter: z
      .string()
      .max(maxCharterLength)
      .optional()
      .describe('What it is about, one to three sentences; asked for on a terminal'),
    mode: names
      .default([])
      .describe(
        'What it is for: decide, explore, align, red-team, ac, brainstorm, design (ux), architecture, sprint, clarify; not repeatable (else decide)',
      ),
    invitees: names
      .default([])
      .describe('Who speaks, in order, with commas: names of workers, me for yourself; auto has somebody propose them'),
    inviteesOverride: z.boolean().default(false).describe('Nobody besides these: leave the defaults of the mode out'),
    turns: z.int().min(1).max(1000).optional().describe('Turns of the discussion (else two rounds)'),
    maxTurns: z.int().min(1).max(1000).default(defaultMaxTurns).describe('At most so many turns of every kind'),
    perAgentCap: z
      .int()
      .min(leastTokensForTurn)
      .max(100_000_000)
      .default(defaultPerAgentCap)
      .describe('Output tokens after which an agent is muted'),
    web: z
      .boolean()
      .default(true)
      .describe('The web in research; without it there is no network but the model, for what is sensitive'),
    skipResearch: z.boolean().default(false).describe('Discuss at once, without preludes'),
    inPlace: z
      .boolean()
      .default(false)
      .describe("Read and write your own checkout of the repository instead of the hall's"),
    yes: z
      .boolean()
      .default(false)
      .describe('Continue at every yield, accept every draft, keep every pin; the notes say so'),
    resume: idField.optional().describe('Go on with this council instead; the question that waits is put again'),
    continue: continueField,
    interject: interjectField,
    wrapUp: wrapUpField,
  }),
  output: councilGoesOnSchema,
  commandLine: {
    examples: [
      {
        line: 'guild-hall council run --charter "Shall sessions live in Redis?" --invitees Derek,Nate,Theo',
        does: 'streams the council, and asks you at each yield',
      },
      {
        line: 'guild-hall council run --charter "What can go wrong at the release?" --mode red-team --turns 9 --yes',
        does: 'lets it run to its notes by itself',
      },
      {
        line: 'guild-hall council run --charter "Name the goals of this week" --invitees me,Derek --no-web --skip-research',
        does: 'gives you a seat, and nobody the web',
      },
      {
        line: 'guild-hall council run --resume 2026-03-31-shall-sessions --interject "What does it cost?"',
        does: 'goes on with one that waits',
      },
    ],
  },
});

export const councilResume = describeOperation({
  name: 'council.resume',
  access: 'write',
  audience: 'person',
  summary: 'Go on with a council that was paused, halted, or waits for an answer',
  input: z.strictObject({
    ...ref,
    continue: continueField.describe('Go on without asking again'),
    interject: interjectField.describe('Say this as your own turn; then the same question comes again'),
    wrapUp: wrapUpField.describe('End the discussion and draft the notes'),
  }),
  output: councilGoesOnSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall council resume shall-sessions', does: 'puts the question again that it waits at' },
      { line: 'guild-hall council resume shall-sessions --wrap-up', does: 'goes to the drafts, keeping what was said' },
    ],
  },
});

export const councilAnswer = describeOperation({
  name: 'council.answer',
  access: 'write',
  audience: 'person',
  summary: 'Answer what a council asks: a yield, a pin, the review of a draft',
  input: z.strictObject({
    ...ref,
    answer: z
      .string()
      .min(1)
      .max(40)
      .describe(
        'At a yield continue, pause, wrap-up, abort or interject; of a pin extract, keep or drop; of a draft accept, edit or drop',
      ),
    text: z
      .string()
      .max(maxWords)
      .optional()
      .describe('What you interject, or the whole draft as you want it; - reads it from standard input'),
    question: z
      .string()
      .max(120)
      .optional()
      .describe('Answer only if this is what is asked: post-charter, SP-2, memory:Theo'),
  }),
  output: councilGoesOnSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'answer' }, { field: 'text', rest: true }],
    fromFile: { flag: 'file', field: 'text' },
    examples: [
      {
        line: 'guild-hall council answer shall-sessions continue',
        does: 'goes on, and streams until the next question',
      },
      {
        line: 'guild-hall council answer shall-sessions interject "What does it cost?"',
        does: 'takes a turn of yours',
      },
      { line: 'guild-hall council answer shall-sessions edit -', does: 'takes the draft from standard input' },
    ],
  },
});

export const councilList = describeOperation({
  name: 'council.list',
  access: 'read',
  audience: 'agents',
  summary: 'List councils, the newest first',
  input: z.strictObject({
    project: projectField,
    status: councilStatusSchema.optional().describe('Only those in this state'),
  }),
  output: councilListSchema,
  commandLine: { examples: [{ line: 'guild-hall council list --status asking', does: 'lists what waits for you' }] },
});

export const councilShow = describeOperation({
  name: 'council.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a council: what was said, what it cost, what it asks',
  input: z.strictObject(ref),
  output: councilViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall council show shall-sessions', does: 'prints its transcript so far' }],
  },
});

export const councilNext = describeOperation({
  name: 'council.next',
  access: 'read',
  audience: 'person',
  summary: 'Go along with a council step by step: what has landed since, and what it asks',
  input: z.strictObject({
    ...ref,
    from: z.int().min(0).default(0).describe('So many entries of its transcript are known already'),
  }),
  output: councilNextSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      {
        line: 'guild-hall council next shall-sessions',
        does: 'prints what was said; waits for a turn where there is none',
      },
      {
        line: 'guild-hall council next shall-sessions --from 7',
        does: 'prints what came after the first seven entries',
      },
    ],
  },
});

export const councilPin = describeOperation({
  name: 'council.pin',
  access: 'write',
  audience: 'person',
  summary: 'Pin something to the scratchpad that every speaker of a council sees',
  input: z.strictObject({
    ...ref,
    content: z
      .string()
      .max(maxWords)
      .refine((text) => text.trim() !== '', 'must say something')
      .describe('What to pin; - reads it from standard input'),
    intent: z.string().max(300).default('').describe('What it is for'),
    replace: z
      .string()
      .regex(/^SP-[1-9]\d{0,5}$/, 'a pin like SP-2')
      .optional()
      .describe('Pin in whose place it comes, like SP-2'),
  }),
  output: z.object({ id: councilIdSchema, project: projectNameSchema, pin: pinSchema }),
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'content', rest: true }],
    fromFile: { flag: 'file', field: 'content' },
    examples: [
      { line: 'guild-hall council pin shall-sessions "Sessions last 30 days" --intent limit', does: 'pins it as SP-1' },
    ],
  },
});

export const councilInterrupt = describeOperation({
  name: 'council.interrupt',
  access: 'write',
  audience: 'person',
  summary: 'Stop the turn that is being spoken; the council pauses',
  input: z.strictObject(ref),
  output: z.object({
    id: councilIdSchema,
    project: projectNameSchema,
    /** How it stands when the turn has ended. */
    status: councilStatusSchema,
  }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall council interrupt shall-sessions', does: 'stops it; resume goes on' }],
  },
});
