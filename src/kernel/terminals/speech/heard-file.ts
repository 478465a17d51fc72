/** How far a terminal's screen has been listened to, on disk: so that no words are lost and none are told twice. */
import { z } from 'zod';
import type { Speech } from '../contract.ts';
import { type StateFile, stateFile } from '../../artifacts/state-file.ts';

const heardSchema = z.object({
  /** Number of the speech that comes next. */
  next: z.int().min(0),
  /** Hashes of the lines on the screen. */
  lines: z.array(z.string()),
  awaited: z.array(z.string()),
  /** The last message whose echo is among those awaited. */
  upTo: z.string().optional(),
  /** Said, and perhaps not told to everybody. */
  pending: z
    .object({
      id: z.string(),
      text: z.string(),
      own: z.string(),
      at: z.string(),
      source: z.enum(['signal', 'marker', 'quiet']),
      after: z.string().nullable().default(null),
    })
    .optional(),
  /** By the name of its signal: what was delivered before words that wait for their taker. */
  afters: z.record(z.string(), z.string().nullable()).optional(),
});

export type HeardState = z.infer<typeof heardSchema>;
export type HeardFile = StateFile<HeardState>;

/** What was said on a screen and is not told to everybody yet. */
export interface Pending {
  /** Number of the speech that comes next. */
  readonly next: number;
  readonly speech: Speech | undefined;
}

export function heardFileAt(path: string): HeardFile {
  return stateFile({ path, schema: heardSchema, version: 1 });
}

/** Stands for a line: short, and nobody reads the line in it. 53 bits. Pure. */
export function hashOf(line: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < line.length; at += 1) {
    const unit = line.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36);
}
