/** What the doors get of gatherings: rows, pages, events. */
import { z } from 'zod';
import { messageSchema } from '../contract.ts';
import { gatheringSchema, structureSchema, type Gathering } from './gathering.ts';
import type { Receipt } from './words.ts';

/** What the clock does next in it. */
export const gatheringDueSchema = z.object({
  /** `beat`: the next private prompt; `question`: the last one, with the closing question; `grace`, `limit`: the piece moves on; `harvest`: the hall writes it itself. */
  what: z.enum(['beat', 'question', 'grace', 'limit', 'harvest']),
  /** ISO 8601. */
  at: z.string(),
});
export type GatheringDue = z.infer<typeof gatheringDueSchema>;

/** What is told of one at the doors: everything but what is on its way. */
export const gatheringFactsSchema = gatheringSchema.omit({ outbox: true, kept: true });
export type GatheringFacts = z.infer<typeof gatheringFactsSchema>;

export const gatheringRowSchema = gatheringFactsSchema.extend({
  messages: z.number(),
  /** When anything was said last, or its state changed. */
  lastAt: z.string(),
});
export type GatheringRow = z.infer<typeof gatheringRowSchema>;

export const gatheringListSchema = z.object({
  /** Running ones first, then the newest first. */
  gatherings: z.array(gatheringRowSchema),
});
export type GatheringList = z.infer<typeof gatheringListSchema>;

/** With what its page shows. What happens after `cursor` follows as events. */
export const gatheringViewSchema = z.object({
  gathering: gatheringFactsSchema,
  /** The newest, at most `mostMessages`. Beats and seeds are among them, with whom they went to. */
  messages: z.array(messageSchema),
  /** How many came before. */
  earlier: z.number(),
  due: gatheringDueSchema.nullable(),
  /** Number of the person; null where the person has no seat. */
  you: z.number().nullable(),
  /** The person's words that wait for their turn. */
  kept: z.array(z.object({ id: z.string(), text: z.string(), at: z.string() })),
  /** `say`: the person has a seat; `pass`: and holds the piece; `announce`: words as the host. */
  allowed: z.array(z.enum(['say', 'pass', 'announce', 'end'])),
  cursor: z.string(),
});
export type GatheringView = z.infer<typeof gatheringViewSchema>;

/** What an agent in a gathering, or the person, is told of its state. */
export const gatheringStatusSchema = z.object({
  id: z.string(),
  rhythm: z.string(),
  question: z.string(),
  stage: gatheringSchema.shape.stage,
  round: z.number(),
  rounds: z.number(),
  holder: z.object({ name: z.string(), number: z.number() }).nullable(),
  beat: z.number(),
  beats: z.number(),
  seats: z.array(
    z.object({
      number: z.number(),
      name: z.string(),
      role: z.enum(['speaker', 'harvester']),
      isPerson: z.boolean(),
      state: z.enum(['here', 'gone']),
      hasSpoken: z.boolean(),
      terminal: z.string().nullable(),
    }),
  ),
  due: gatheringDueSchema.nullable(),
  /** Of the caller; null for none. */
  you: z.number().nullable(),
  end: gatheringSchema.shape.end,
});
export type GatheringStatus = z.infer<typeof gatheringStatusSchema>;

/** What became of the person's words. */
export const gatheringSaidSchema = z.object({
  id: z.string(),
  /** Of the message. */
  message: z.string(),
  /** `kept`: goes out with the person's next turn; `announced`: to all, as the host. */
  fate: z.enum(['sent', 'kept', 'announced']),
});
export type GatheringSaid = z.infer<typeof gatheringSaidSchema>;

export const rhythmViewSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** In a sentence or two; empty for none. */
  about: z.string(),
  questions: z.array(z.string()),
  structure: structureSchema,
  beatsPerTurn: z.number(),
  beatIntervalSeconds: z.number(),
  /** `person`: a file of theirs, which wins over the hall's. */
  source: z.enum(['hall', 'person']),
});
export type RhythmView = z.infer<typeof rhythmViewSchema>;

export const rhythmListSchema = z.object({
  rhythms: z.array(rhythmViewSchema),
  /** Of files that cannot be understood: name, line, what is wrong. */
  problems: z.array(z.string()),
});
export type RhythmList = z.infer<typeof rhythmListSchema>;

/** Events of the hall's stream whose subject is `gathering:<id>`; each is told when it is on disk. */
export interface GatheringEvents {
  'gathering.started': { id: string; gathering: GatheringFacts };
  /** Its state is another one: stage, round, holder, beat, a seat. */
  'gathering.changed': {
    id: string;
    gathering: GatheringFacts;
    due: GatheringDue | null;
    kept: Gathering['kept'];
    allowed: GatheringView['allowed'];
  };
  /** The text at most `maxWords` long. */
  'gathering.message': { id: string; message: z.infer<typeof messageSchema> };
  'gathering.receipt': { id: string; message: string; to: number; receipt: Receipt };
  'gathering.closed': { id: string; gathering: GatheringFacts };
}
export type GatheringEventType = keyof GatheringEvents;
