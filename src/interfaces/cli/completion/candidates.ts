/** What may stand at a place of a command line, and how the program is asked for it. */
import type { HallClient } from '../client.ts';

export interface Candidate {
  /** What is typed. */
  readonly value: string;
  /** What it is, in a few words; may be empty. */
  readonly about: string;
}

export interface Question {
  readonly client: HallClient;
  /** What stands at the place so far. */
  readonly typed: string;
  /** Words that were given for other fields, by field. */
  readonly given: Readonly<Record<string, string>>;
  /** The project that was named, else that of the current folder. */
  readonly project: () => Promise<string | undefined>;
}

export type CandidateSource = (question: Question) => Promise<readonly Candidate[]>;

/** One thing with an id. */
export interface Identified {
  readonly id: string;
  readonly about: string;
  /** Whether it can stand here. Those that cannot still make a short id mean two things. */
  readonly fits: boolean;
}

/**
 * Ids as they are typed: the last part where it means one thing only, the whole where that is what was begun.
 * @param things the likeliest first
 */
export function idCandidates(things: readonly Identified[], typed: string): Candidate[] {
  return things.flatMap(({ id, about, fits }) => {
    if (!fits) return [];
    const end = id.split(/[-.]/).at(-1)!;
    const meant = things.filter((other) => other.id.startsWith(end) || other.id.split(/[-.]/).at(-1) === end);
    if (meant.length === 1 && end.startsWith(typed)) return [{ value: end, about }];
    return id.startsWith(typed) ? [{ value: id, about }] : [];
  });
}
