/**
 * The one next thing of a council. Nothing here knows an agent, a file or the time: what a session says is all there is,
 * so that a new process goes on as the old one would have.
 */
import type { CouncilQuestion, CouncilSession, Invitee } from '../contract.ts';

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

export type Step =
  /** Nothing: it waits for the person, or has ended. */
  | { readonly do: 'wait' }
  | { readonly do: 'mark'; readonly phase: 'RESEARCH' | 'DISCUSS' | 'CLOSE' | 'REVIEW' }
  | { readonly do: 'ask'; readonly question: CouncilQuestion }
  | SpeakStep
  /** The forced turn that ends a loop. */
  | { readonly do: 'facilitate'; readonly line: string }
  /** Has no tokens left for a turn. */
  | { readonly do: 'mute'; readonly speaker: string }
  /** An inserted turn that cannot be had: its speaker is muted. */
  | { readonly do: 'pass-over'; readonly reason: string }
  /** All turns that there may be were emitted; said once. */
  | { readonly do: 'enough' }
  /** DISCUSS would start without these preludes. */
  | { readonly do: 'miss-research'; readonly missing: readonly string[] }
  | { readonly do: 'draft' }
  | { readonly do: 'save' }
  | { readonly do: 'finish' };

export declare function nextStep(session: CouncilSession): Step;
