/** What a council comes to, as far as its transcript says it itself: the ground of every draft. Pure. */
import type { CouncilSession } from '../contract.ts';
import { templateSections } from '../saving/templates.ts';

export interface MinutedTurn {
  readonly speaker: string;
  readonly isPrelude: boolean;
  readonly body: string;
  readonly decisions: readonly string[];
  readonly challenges: readonly string[];
  /** `path:line`, paths, addresses. */
  readonly citations: readonly string[];
}

export interface Minutes {
  readonly charter: string;
  readonly mode: string;
  readonly bias: string;
  /** Titles of the sections that the notes want. */
  readonly sections: readonly string[];
  /** Agents that took part, in order. */
  readonly agents: readonly string[];
  readonly turns: readonly MinutedTurn[];
  readonly pins: readonly { readonly id: string; readonly agent: string; readonly intent: string }[];
}

export function minutesOf({ charter, setup, transcript, pins }: CouncilSession): Minutes {
  const turns = transcript.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []));
  const spoke = new Set(turns.filter(({ via }) => via === 'subagent').map(({ speaker }) => speaker));
  return {
    charter,
    mode: setup.mode,
    bias: setup.bias,
    sections: templateSections(setup.bias),
    agents: setup.invitees.filter(({ name, worker }) => worker !== null && spoke.has(name)).map(({ name }) => name),
    turns: turns.map(({ speaker, kind, body, decisions, challenges, claims }) => ({
      speaker,
      isPrelude: kind === 'prelude',
      body,
      decisions,
      challenges,
      citations: claims.filter(({ verdict }) => verdict === 'cited').flatMap(({ citations }) => citations),
    })),
    pins: pins.filter(({ disposition }) => disposition !== 'drop'),
  };
}
