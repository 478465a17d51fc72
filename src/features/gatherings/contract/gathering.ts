/** A gathering as the hall keeps and shows it: who sits in it, who holds the piece, how far it has come. */
import { z } from 'zod';
import { idSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { terminalIdSchema } from '../../../kernel/terminals/contract.ts';

export const gatheringIdSchema = idSchema('gathering');
export type GatheringId = z.infer<typeof gatheringIdSchema>;

/** The word for them: of their activities, and of events, whose subject is `gathering:<id>`. */
export const gatheringKind = 'gathering';

export const phases = ['inhale', 'hold', 'exhale'] as const;
export const phaseSchema = z.enum(phases);
export type Phase = z.infer<typeof phaseSchema>;

/** Rounds of each phase. */
export const structureSchema = z.object({
  inhale: z.int().min(1).max(9),
  hold: z.int().min(1).max(9),
  exhale: z.int().min(1).max(9),
});
export type Structure = z.infer<typeof structureSchema>;

/** Its name and number stay the same to the end. */
export const seatSchema = z.object({
  number: z.int().min(1),
  name: z.string(),
  role: z.enum(['speaker', 'harvester']),
  /** Null for the person. */
  terminal: terminalIdSchema.nullable(),
  /** The gathering started it, and ends it when it is over. */
  isSpawned: z.boolean(),
  /** `gone`: its terminal ended. The person is always here. */
  state: z.enum(['here', 'gone']),
});
export type Seat = z.infer<typeof seatSchema>;

/** What the holder of the piece has of it. Times are ISO 8601, UTC. */
export const turnSchema = z.object({
  /** 1, 2, 3 … over the whole gathering. */
  number: z.int().min(1),
  holder: z.int().min(1),
  announcedAt: z.string(),
  /** When the announcement reached the holder; null while it is on its way. Beats count from here. */
  arrivedAt: z.string().nullable(),
  /** Beats that were told, the closing question included. */
  beats: z.int().min(0),
  /** When the closing question was told; null before. */
  askedAt: z.string().nullable(),
  /** Something that was said in it was relayed. */
  hasSpoken: z.boolean(),
  /** It passed by the tool while it was still producing: what it says now still goes on, then the piece moves. */
  passing: z.object({ to: z.string().nullable() }).nullable(),
  /** Ids of what was told to the holder in it, in order, its announcement first. Words that follow one of them are said with the piece. */
  told: z.array(z.string()),
  /** After the closing question, or a pass by the tool: when it is looked whether the holder still produces. Null before. */
  graceUntil: z.string().nullable(),
});
export type Turn = z.infer<typeof turnSchema>;

/** `rounds`: all were held; `few`: fewer than two speakers are left; `ended`: by the person, the member with that number, or the agent that asked for it and has no seat; `restart`: its terminals did not outlive the hall. */
export const closeReasonSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rounds') }),
  z.object({ kind: z.literal('few') }),
  z.object({ kind: z.literal('ended'), by: z.union([z.literal('person'), z.literal('host'), z.number()]) }),
  z.object({ kind: z.literal('restart') }),
]);
export type CloseReason = z.infer<typeof closeReasonSchema>;

/** Homes of what comes out. */
export const harvestKinds = ['todo', 'proposal', 'vision', 'memory'] as const;
export const harvestKindSchema = z.enum(harvestKinds);
export type HarvestKind = z.infer<typeof harvestKindSchema>;

export const harvestedSchema = z.object({
  kind: harvestKindSchema,
  title: z.string(),
  /** In the project, `.lore/…`; for a memory `memory:project/<name>`. */
  path: z.string(),
});
export type Harvested = z.infer<typeof harvestedSchema>;

/** Something that goes out. Kept with the state that it follows from, in one write; its id makes it go out once. */
export const noticeSchema = z.object({
  id: z.string(),
  kind: z.enum(['seed', 'banner', 'piece', 'beat', 'note', 'words', 'announcement', 'harvest', 'closed']),
  from: z.union([z.literal('hall'), z.literal('person'), z.number()]),
  text: z.string(),
  to: z.array(z.number()),
  at: z.string(),
});
export type Notice = z.infer<typeof noticeSchema>;

export const gatheringSchema = z.object({
  id: gatheringIdSchema,
  project: projectNameSchema,
  rhythm: z.string(),
  question: z.string(),
  structure: structureSchema,
  beatsPerTurn: z.int().min(1).max(20),
  beatIntervalSeconds: z.number().min(1).max(3600),
  /** After the closing question a silent speaker has so long. */
  graceSeconds: z.number(),
  /** A speaker who still produces has so many intervals more. */
  extraBeats: z.int(),
  /** The harvester has so long. */
  harvestSeconds: z.number(),
  /** The person, or the terminal of the agent that asked for it. */
  startedBy: z.union([z.literal('person'), terminalIdSchema]),
  startedAt: z.string(),
  /** By number: the speakers in their order, the harvester last. */
  seats: z.array(seatSchema).min(3),
  stage: z.enum([...phases, 'closing', 'closed']),
  /** Of this phase, from 1; 0 when the rounds are over. */
  round: z.int().min(0),
  /** Numbers of those that had the piece in this round, in that order; not the holder. */
  spoken: z.array(z.number()),
  turn: turnSchema.nullable(),
  /** What the person said without the piece: goes out with their next turn. */
  kept: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })),
  close: z.object({ why: closeReasonSchema, at: z.string() }).nullable(),
  harvest: z
    .object({
      /** After a restart of the hall its time begins anew. */
      askedAt: z.string(),
      /** Ids of what was told to the harvester since, in order, the ask first. */
      told: z.array(z.string()),
      /** What the harvester has said since it was asked. */
      heard: z.array(z.string()),
      /** Nothing more is waited for after that. */
      until: z.string(),
      /** Nothing more is waited for: it can be saved. */
      isCollected: z.boolean(),
      isWrittenByHall: z.boolean(),
    })
    .nullable(),
  end: z
    .object({
      at: z.string(),
      /** `.lore/gatherings/<rhythm>.md`. */
      trail: z.string(),
      harvested: z.array(harvestedSchema),
      /** The harvester gave none: it stands there from the record. */
      isWrittenByHall: z.boolean(),
      /** Null where nothing was to be committed. */
      commit: z.string().nullable(),
    })
    .nullable(),
  /** Goes out before anything else happens. */
  outbox: z.array(noticeSchema),
});
export type Gathering = z.infer<typeof gatheringSchema>;
