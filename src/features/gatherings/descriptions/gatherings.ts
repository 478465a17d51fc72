/** The operations of gatherings, described once for every door. */
import { z } from 'zod';
import { describeOperation } from '../../../kernel/pure/operations.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import {
  gatheringListSchema,
  gatheringSaidSchema,
  gatheringStatusSchema,
  gatheringViewSchema,
  rhythmListSchema,
} from '../contract/gathering-views.ts';

const refField = z.string().min(1).max(200);
const idField = refField.describe('Gathering id, its beginning or its last part');
const ownIdField = idField
  .optional()
  .describe('Gathering id, its beginning or its last part; a member may leave it out, you where only one runs');
const wordsField = z
  .string()
  .max(200_000)
  .refine((text) => text.trim() !== '', 'must say something');
/** Each member is told it with all that they need to know: longer it would leave no room for that. */
const questionField = z
  .string()
  .max(4_000, 'at most 4000 characters')
  .refine((text) => text.trim() !== '', 'must say something');
const seatField = z
  .string()
  .max(400)
  .refine((name) => name.trim() !== '', 'a name');

const structureField = z
  .string()
  .regex(/^[1-9]-[1-9]-[1-9]$/, 'three counts of rounds from 1 to 9, like 2-2-2')
  .optional()
  .describe('Rounds of inhale, hold and exhale, like 1-1-1 or 2-3-2; else as the rhythm has it');

const startInput = z.strictObject({
  rhythm: z
    .string()
    .min(1)
    .max(60)
    .describe('Name of the rhythm: daily, weekly, monthly, or a file of yours; its trail has that name'),
  participants: z
    .array(seatField)
    .min(1, 'at least one name')
    .max(32, 'at most 32 names')
    .describe(
      'Who speaks, in order, with commas: running terminals by name, an agent to start (claude), or Ada=claude to give it that name',
    ),
  harvester: seatField
    .refine((name) => !name.includes(','), 'exactly one name')
    .meta({ isOnce: true })
    .describe('Who listens in silence and writes the harvest: one terminal, or one agent to start'),
  openingQuestion: questionField.describe('What the gathering is about, as each is asked it'),
  structure: structureField,
  beatsPerTurn: z
    .int()
    .min(1, 'at least 1')
    .max(20, 'at most 20')
    .optional()
    .describe('Beats of a turn; else as the rhythm has it'),
  beatIntervalSeconds: z
    .number()
    .min(1, 'at least 1 second')
    .max(3600, 'at most 3600 seconds')
    .optional()
    .describe('Seconds between two beats; else as the rhythm has it'),
  human: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe(
      'The name of the person, who takes part; among the participants where named there, else the last to speak',
    ),
  keepTerminals: z.boolean().default(false).describe('Leave running what the gathering started, when it is over'),
  project: projectNameSchema.optional().describe('In which project; an agent’s is its own'),
  allowSecrets: z
    .boolean()
    .default(false)
    .describe('Go on although it looks as if a key or password is in the question'),
});

export const gatheringStart = describeOperation({
  name: 'gathering.start',
  tool: 'start_gathering',
  access: 'write',
  audience: 'agents',
  summary: 'Hold a gathering: agents, and you, speak in turns by a talking piece; a harvester writes down what emerged',
  input: startInput,
  output: gatheringStatusSchema,
  commandLine: {
    flags: { openingQuestion: 'question', beatsPerTurn: 'beats', beatIntervalSeconds: 'beat-interval' },
    examples: [
      {
        line: 'guild-hall gathering start --rhythm weekly --participants ada,grace --harvester hal --question "What wants to change?"',
        does: 'lets two running agents take turns, the third one listens and harvests',
      },
      {
        line: 'guild-hall gathering start --rhythm daily --participants Ada=claude,Ben=claude --harvester Hal=claude --human Mo --question "What is alive today?"',
        does: 'starts three agents, and gives you a seat among them',
      },
      {
        line: 'guild-hall gathering start --rhythm daily --participants ada,grace --harvester hal --structure 2-3-2 --beats 2 --beat-interval 30 --question "Which risk do we not see?"',
        does: 'chooses rounds and times by itself',
      },
    ],
  },
});

export const gatheringList = describeOperation({
  name: 'gathering.list',
  access: 'read',
  audience: 'person',
  summary: 'List gatherings, running ones first',
  input: z.strictObject({
    project: projectNameSchema.optional().describe('Only of this project'),
    state: z.enum(['running', 'closed']).optional().describe('Only those'),
  }),
  output: gatheringListSchema,
  commandLine: {
    ofAllProjects: true,
    examples: [{ line: 'guild-hall gathering list', does: 'lists those of the last 30 days' }],
  },
});

export const gatheringShow = describeOperation({
  name: 'gathering.show',
  access: 'read',
  audience: 'person',
  summary: 'Show a gathering: who sits in it, what was said, what came out',
  input: z.strictObject({ id: idField }),
  output: gatheringViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall gathering show k3f9', does: 'prints what was said so far' }],
  },
});

export const gatheringStatus = describeOperation({
  name: 'gathering.status',
  tool: 'gathering_status',
  access: 'read',
  audience: 'agents',
  summary: 'Tell how far a gathering has come: phase, round, beat, who holds the piece, who has spoken',
  input: z.strictObject({ id: ownIdField }),
  output: gatheringStatusSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall gathering status k3f9', does: 'shows the circle' }],
  },
});

export const gatheringJoin = describeOperation({
  name: 'gathering.join',
  access: 'read',
  audience: 'person',
  summary: 'Sit down at a gathering: hear it as it goes on, and speak where you have a seat',
  input: z.strictObject({ id: ownIdField }),
  output: gatheringViewSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [
      { line: 'guild-hall gathering join k3f9', does: 'goes on until it is closed; Ctrl-C leaves, it goes on' },
    ],
  },
});

export const gatheringSay = describeOperation({
  name: 'gathering.say',
  access: 'write',
  audience: 'person',
  summary: 'Say something in a gathering: with the piece to all at once, without it in your next turn',
  input: z.strictObject({
    id: idField,
    text: wordsField.describe('Your words; - reads them from standard input'),
    asHost: z.boolean().default(false).describe('To all at once, marked as an announcement of the host'),
    allowSecrets: z
      .boolean()
      .default(false)
      .describe('Go on although it looks as if a key or password is in your words'),
  }),
  output: gatheringSaidSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'text', rest: true }],
    fromFile: { flag: 'file', field: 'text' },
    examples: [
      { line: 'guild-hall gathering say k3f9 "The tests are slow. I pass to Ada."', does: 'speaks, and passes' },
      { line: 'guild-hall gathering say k3f9 --as-host "Ten minutes left"', does: 'tells it to all' },
    ],
  },
});

export const gatheringPass = describeOperation({
  name: 'gathering.pass',
  tool: 'pass_piece',
  access: 'write',
  audience: 'agents',
  summary: 'Pass the talking piece on, to the next in order or to the speaker you name; only who holds it may',
  input: z.strictObject({
    id: ownIdField,
    to: z.string().min(1).max(200).optional().describe('Name or number of who speaks next; else the next in order'),
  }),
  output: gatheringStatusSchema,
  commandLine: {
    positionals: [{ field: 'id' }, { field: 'to' }],
    examples: [
      { line: 'guild-hall gathering pass k3f9', does: 'to the next in order' },
      { line: 'guild-hall gathering pass k3f9 Ada', does: 'to Ada' },
    ],
  },
});

export const gatheringTyping = describeOperation({
  name: 'gathering.typing',
  access: 'write',
  audience: 'person',
  summary: 'Tell that you are typing, so that the piece waits for your words',
  input: z.strictObject({ id: idField }),
  output: z.object({ id: z.string() }),
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall gathering typing k3f9', does: 'holds the piece for ten seconds more' }],
  },
});

export const gatheringEnd = describeOperation({
  name: 'gathering.end',
  tool: 'end_gathering',
  access: 'write',
  destroys: true,
  audience: 'agents',
  summary: 'End a gathering: no more turns, the harvester is asked for the harvest of what there is',
  input: z.strictObject({ id: ownIdField }),
  output: gatheringStatusSchema,
  commandLine: {
    positionals: [{ field: 'id' }],
    examples: [{ line: 'guild-hall gathering end k3f9', does: 'goes to its close' }],
  },
});

export const gatheringRhythms = describeOperation({
  name: 'gathering.rhythms',
  access: 'read',
  audience: 'agents',
  summary: 'List the rhythms that a gathering can have: questions, rounds, beats',
  input: z.strictObject({}),
  output: rhythmListSchema,
  commandLine: {
    examples: [{ line: 'guild-hall gathering rhythms', does: 'lists those of the hall, and yours' }],
  },
});

export const gatheringDescriptions = [
  gatheringStart,
  gatheringList,
  gatheringShow,
  gatheringStatus,
  gatheringJoin,
  gatheringSay,
  gatheringPass,
  gatheringTyping,
  gatheringEnd,
  gatheringRhythms,
] as const;
