/**
 * The one next thing of a council. Nothing here knows an agent, a file or the time: what a session says is all there is,
 * so that a new process goes on as the old one would have.
 */
import type { CouncilQuestion, CouncilSession, Invitee, YieldName } from '../contract.ts';
import { shouldMute } from './caps.ts';
import { agentsOf, isAtMaxTurns, missingPreludes, settle } from './session.ts';
import type { SpeakStep } from './facts.ts';
import { speakerAt } from './order.ts';

/** What the engine does by itself, in one write. */
export type OwnStep =
  | { readonly do: 'mark'; readonly phase: 'RESEARCH' | 'DISCUSS' | 'CLOSE' | 'REVIEW' }
  /** The forced turn that ends a loop; `line` tells of it. */
  | { readonly do: 'facilitate'; readonly line: string }
  /** Has no tokens left for a turn. */
  | { readonly do: 'mute'; readonly speaker: string }
  /** An inserted turn that cannot be had: its speaker is muted. */
  | { readonly do: 'pass-over'; readonly reason: string }
  /** All turns that there may be were emitted; said once. */
  | { readonly do: 'enough' }
  /** DISCUSS would start without these preludes. */
  | { readonly do: 'miss-research'; readonly missing: readonly string[] };

export type Step =
  /** Nothing: it waits for the person, or has ended. */
  | { readonly do: 'wait' }
  | { readonly do: 'ask'; readonly question: CouncilQuestion }
  | SpeakStep
  | OwnStep
  | { readonly do: 'draft' }
  /** Provenance, the writes, the last marker. */
  | { readonly do: 'save' };

export function nextStep(session: CouncilSession): Step {
  if (session.status !== 'running' || session.question !== null) return { do: 'wait' };
  switch (session.phase) {
    case 'INVITE':
    case 'CHARTER':
      return session.passed.includes('post-charter') ? { do: 'mark', phase: 'RESEARCH' } : ask(session, 'post-charter');
    case 'RESEARCH':
      return nextInResearch(session);
    case 'DISCUSS':
      return nextInDiscuss(session);
    case 'CLOSE':
      return nextInClose(session);
    case 'REVIEW':
      return nextInReview(session);
    default:
      return session.passed.includes('pre-save') ? { do: 'save' } : ask(session, 'pre-save');
  }
}

function ask({ discussTurns, discussTurnsAtYield }: CouncilSession, at: YieldName): Step {
  const turns = at === 'discuss-cadence' ? discussTurns - discussTurnsAtYield : 0;
  return { do: 'ask', question: { kind: 'yield', at, turns } };
}

function nextInResearch(session: CouncilSession): Step {
  const { setup, muted } = session;
  const toDiscuss: Step = { do: 'mark', phase: 'DISCUSS' };
  if (session.wrapUp || setup.skipResearch || isAtMaxTurns(session)) return toDiscuss;
  const missing = missingPreludes(session);
  const agents = agentsOf(session);
  const speaker = agents
    .slice(session.preludesDone)
    .find(({ name }) => missing.includes(name) && !muted.includes(name));
  if (speaker !== undefined)
    return muteOr(session, speaker, () => speak(session, { kind: 'prelude', speaker, by: '', question: '' }));
  if (missing.length > 0) return { do: 'miss-research', missing };
  // No question comes right before another: nobody may be left to speak between this one and the next.
  const isOver = nextTurn(settle({ ...session, phase: 'DISCUSS' })) === undefined;
  if (session.passed.includes('post-research') || isOver) return toDiscuss;
  return ask(session, 'post-research');
}

function nextInDiscuss(session: CouncilSession): Step {
  const toClose: Step = { do: 'mark', phase: 'CLOSE' };
  if (session.wrapUp || session.passed.includes('pre-close')) return toClose;
  if (isAtMaxTurns(session)) return isMaxSaid(session) ? ask(session, 'pre-close') : { do: 'enough' };
  const turn = nextTurn(session);
  if (turn === undefined) return ask(session, 'pre-close');
  const isTurn = turn.do === 'speak' || turn.do === 'facilitate';
  const isDue = session.discussTurns - session.discussTurnsAtYield >= session.cadence;
  return isTurn && isDue ? ask(session, 'discuss-cadence') : turn;
}

/** The session is settled: the slot that is next is not that of a muted one. */
function nextTurn(session: CouncilSession): Step | undefined {
  const [first] = session.inserted;
  if (first?.kind === 'facilitator') return { do: 'facilitate', line: first.by };
  const agents = agentsOf(session);
  if (first !== undefined) {
    const { kind, by, question } = first;
    const speaker = agents.find(({ name }) => name === first.speaker);
    if (speaker === undefined || session.muted.includes(speaker.name)) {
      const wish = kind === 'raise-hand' ? `the raised hand of ${by} to ${first.speaker}` : `the research of ${by}`;
      return { do: 'pass-over', reason: `${wish} is passed over: ${first.speaker} is muted` };
    }
    return muteOr(session, speaker, () => speak(session, { kind, speaker, by, question }));
  }
  if (session.slotsDone >= session.setup.turns) return undefined;
  const speaker = speakerAt(agents, session.slotsDone)!;
  return muteOr(session, speaker, () => speak(session, { kind: 'round-robin', speaker, by: '', question: '' }));
}

function nextInClose(session: CouncilSession): Step {
  const open = session.pins.find(({ disposition }) => disposition === null);
  if (open !== undefined) return { do: 'ask', question: { kind: 'pin', pin: open.id } };
  return session.drafts === null ? { do: 'draft' } : { do: 'mark', phase: 'REVIEW' };
}

function nextInReview(session: CouncilSession): Step {
  const reviewed = new Set(session.reviews.map(({ draft }) => draft));
  const open = draftNames(session).find((name) => !reviewed.has(name));
  return open === undefined ? ask(session, 'pre-save') : { do: 'ask', question: { kind: 'review', draft: open } };
}

/** In the order in which they are reviewed. */
export function draftNames({ drafts }: CouncilSession): readonly string[] {
  if (drafts === null) return [];
  return ['action-items', ...drafts.memory.map(({ agent }) => `memory:${agent}`), 'notes'];
}

function speak(session: CouncilSession, wanted: Pick<SpeakStep, 'kind' | 'speaker' | 'by' | 'question'>): SpeakStep {
  const round = session.phase === 'DISCUSS' ? session.round : 0;
  return { do: 'speak', ...wanted, number: session.turnCounter + 1, round };
}

/** Muted in time: a turn that might pass its cap is not started. */
function muteOr({ tokens, setup }: CouncilSession, { name }: Invitee, turn: () => SpeakStep): Step {
  return shouldMute(tokens[name] ?? 0, setup.perAgentCap) ? { do: 'mute', speaker: name } : turn();
}

function isMaxSaid({ transcript }: CouncilSession): boolean {
  return transcript.some((entry) => entry.kind === 'line' && entry.name === 'max-turns');
}
