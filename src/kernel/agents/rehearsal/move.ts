/** What a play decides: the content of one answer, or a failure, and how it comes out of the wire. */
import type { FailureName } from './failures.ts';
import type { Situation } from './situation.ts';

export type MoveBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export interface Move {
  readonly blocks: readonly MoveBlock[];
  /** Fails in this way; kinds that break a stream do so after half of the blocks' text. */
  readonly fail?: FailureName;
  /** Milliseconds to wait before anything is sent. */
  readonly waitMs?: number;
  /** Milliseconds between two pieces of text; none when left out. */
  readonly delayMsPerChunk?: number;
  /** Characters in one piece of text; 32 when left out. */
  readonly chunkChars?: number;
}

/** One way of answering. The first play that does not give undefined answers, the highest priority asked first. */
export interface RehearsalPlay {
  readonly name: string;
  /** 0 when left out. The hall's own plays are between -100 and 100. */
  readonly priority?: number;
  /** Decides from the situation alone, so that the same request gets the same answer. */
  play(situation: Situation): Move | undefined;
}

export function sayMove(text: string): Move {
  return { blocks: [{ type: 'text', text }] };
}

export function callMove(...calls: readonly { name: string; input: Record<string, unknown> }[]): Move {
  return { blocks: calls.map((call) => ({ type: 'tool_use', ...call })) };
}
