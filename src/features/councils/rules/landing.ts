/** What became of an agent's turn, and how it comes into the session: in one piece, counters and all. */
import type { Claim, CouncilSession, CouncilTurn, TurnUsage } from '../contract.ts';
import type { SpeakStep } from './machine.ts';

/** A pin that an agent wants; `target` names the pin whose content it replaces. */
export interface WantedPin {
  readonly target?: string | undefined;
  readonly content: string;
  readonly contentType: string;
  readonly intent: string;
}

/** What a speaker asked for besides speaking, by tool or in the forms of text. */
export interface Asks {
  readonly pins: readonly WantedPin[];
  readonly decisions: readonly string[];
  readonly challenges: readonly string[];
  /** The first of the turn alone. `target` as the agent wrote it. */
  readonly raiseHand?: { readonly target: string; readonly question: string } | undefined;
  readonly research?: { readonly question: string } | undefined;
}

export interface Finding {
  readonly severity: 'INFO' | 'WARNING' | 'CRITICAL';
  readonly text: string;
}

export type Spoken =
  | {
      readonly outcome: 'spoken';
      /** Markdown, scrubbed. */
      readonly body: string;
      /** Output tokens of all attempts. */
      readonly tokens: number;
      readonly usage: TurnUsage;
      readonly claims: readonly Claim[];
      readonly asked: Asks;
      /** Addresses that its research fetched. */
      readonly fetched: readonly string[];
      readonly findings: readonly Finding[];
    }
  /** Unflagged claims stayed, after it was asked for again twice. */
  | {
      readonly outcome: 'refused';
      readonly offenders: readonly { readonly line: number; readonly text: string }[];
      readonly draft: string;
      readonly tokens: number;
    }
  /** Nothing was said that can be taken, asked for again or not. */
  | { readonly outcome: 'empty'; readonly tokens: number }
  /** It could not be had now: no model, no right, a crash, a checkout that changed. In words for the person. */
  | { readonly outcome: 'failed'; readonly message: string; readonly hint: string; readonly tokens: number }
  | { readonly outcome: 'interrupted'; readonly tokens: number };

/** What the rules cannot know by themselves. */
export interface Facts {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly seal: (turn: Omit<CouncilTurn, 'seal'>) => string;
  /** Of a pin's content. */
  readonly digest: (content: string) => string;
}

export declare function landTurn(
  session: CouncilSession,
  step: SpeakStep,
  spoken: Spoken,
  facts: Facts,
): CouncilSession;
