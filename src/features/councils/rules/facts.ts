/** What the rules of a council are given, and give, beside its session. */
import type { CouncilTurn, Invitee } from '../contract.ts';

/** What the rules cannot know by themselves. */
export interface Facts {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly seal: (turn: Omit<CouncilTurn, 'seal'>) => string;
  /** Of a pin's content. */
  readonly digest: (content: string) => string;
}

/** An agent is to speak. */
export interface SpeakStep {
  readonly do: 'speak';
  readonly kind: 'prelude' | 'round-robin' | 'raise-hand' | 'research-interrupt';
  readonly speaker: Invitee;
  /** Of the turn that this will be, from 1: the `T` of its header. */
  readonly number: number;
  /** 0 outside DISCUSS. */
  readonly round: number;
  /** Who brought the turn about, with an inserted one; else empty. */
  readonly by: string;
  /** What is to be answered or looked up, with an inserted one; else empty. */
  readonly question: string;
}
