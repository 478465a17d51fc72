/** What the engine does by itself: markers, muting, the facilitator's turn, questions. Each in one piece. Pure. */
import type { CouncilQuestion, CouncilSession, CouncilSetup } from '../contract.ts';
import { haltLine } from './halt.ts';
import type { Facts } from './facts.ts';
import { halted, muteWhenSpent } from './landing.ts';
import type { OwnStep } from './machine.ts';
import { addTurn, lineEntry, settle, useSlot, withEntries, withoutInserted } from './session.ts';

/** What a council starts from besides how it was called. */
export interface Beginning {
  readonly sessionId: CouncilSession['sessionId'];
  readonly project: CouncilSession['project'];
  /** Scrubbed. */
  readonly charter: string;
  readonly cadence: number;
  /** Each a line above everything. */
  readonly warnings: readonly string[];
}

/** As it first comes to disk: INVITE and CHARTER lie behind it, and the question after the charter comes next. */
export function startSession(setup: CouncilSetup, begin: Beginning): CouncilSession {
  const hasPerson = setup.invitees.some(({ worker }) => worker === null);
  const fresh: CouncilSession = {
    ...seedFields(begin.sessionId),
    phase: 'CHARTER',
    userAttendance: hasPerson ? 'true' : 'false',
    version: 1,
    project: begin.project,
    status: 'running',
    charter: begin.charter,
    setup,
    cadence: begin.cadence,
    transcript: [],
    preludesDone: 0,
    slotsDone: 0,
    discussTurns: 0,
    discussTurnsAtYield: 0,
    inserted: [],
    waitingHands: [],
    passed: [],
    wrapUp: false,
    researchPhase: setup.skipResearch ? 'skipped' : 'enabled',
    tokens: {},
    muted: [],
    loopWindow: [],
    pins: [],
    fetched: {},
    question: null,
    halt: null,
    trouble: null,
    drafts: null,
    reviews: [],
    save: null,
  };
  return withEntries(
    fresh,
    ...begin.warnings.map((text) => lineEntry('warning', text)),
    { kind: 'marker', phase: 'INVITE' },
    { kind: 'marker', phase: 'CHARTER' },
    { kind: 'charter', text: begin.charter },
  );
}

function seedFields(sessionId: CouncilSession['sessionId']) {
  return {
    sessionId,
    round: 0,
    turnCounter: 0,
    cadenceCounter: 0,
    raiseHandLedger: '',
    scratchpadState: '',
    cumulativeCost: 0,
    lastCheckpointAt: '',
    lastCheckpointPhase: '' as const,
    lastYieldEmittedAt: '',
    agentDispatchFindings: '',
  };
}

export function takeOwnStep(session: CouncilSession, step: OwnStep, facts: Facts): CouncilSession {
  switch (step.do) {
    case 'mark':
      return mark(session, step.phase);
    case 'mute':
      return settle(muteWhenSpent(session, step.speaker));
    case 'pass-over':
      return settle(useSlot(withEntries(session, lineEntry('passed-over', step.reason))));
    case 'enough': {
      const { turnCounter, setup } = session;
      const text = `[max-turns ${turnCounter} of ${setup.maxTurns}: no further turn begins, the council goes to CLOSE]`;
      return withEntries(session, lineEntry('max-turns', text));
    }
    case 'miss-research': {
      const detail = `no prelude of ${step.missing.join(', ')}`;
      return halted(session, haltLine('RESEARCH-MISSING', detail), false);
    }
    case 'facilitate':
      return facilitate(session, step.line, facts);
  }
}

function mark(session: CouncilSession, phase: CouncilSession['phase']): CouncilSession {
  const marked = withEntries({ ...session, phase }, { kind: 'marker', phase });
  return phase === 'CLOSE' ? withoutInserted(marked) : settle(marked);
}

/** In words of the engine: no agent is asked, so a loop is ended whatever agents do. */
function facilitate(session: CouncilSession, line: string, facts: Facts): CouncilSession {
  const told = withEntries(useSlot(session), lineEntry('loop', line));
  const said = addTurn(
    told,
    {
      round: session.round,
      phase: 'DISCUSS',
      kind: 'facilitator',
      speaker: 'FACILITATOR',
      role: 'LOOP-BREAK',
      body: 'The last turns brought no new citation, no new decision and no new pin. The next speaker brings one of the three, or says plainly that nothing more can be settled here.',
      ...unpaid,
      via: 'facilitator',
      origin: null,
    },
    facts,
  );
  return settle({ ...said, loopWindow: [] });
}

/** A turn that no model made. */
export const unpaid = {
  tokens: 0,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
  progress: 'none' as const,
  claims: [],
  challenges: [],
  decisions: [],
};

/** The sessions to be stored one after the other; only then is the question put. */
export function putQuestion(session: CouncilSession, question: CouncilQuestion, at: string): readonly CouncilSession[] {
  const asking = { question, status: 'asking' as const };
  if (question.kind !== 'yield') return [{ ...session, ...asking }];
  const whole = question.at === 'pre-save' ? { ...session, phase: 'SAVE' as const } : session;
  const checkpoint = { ...whole, lastCheckpointAt: at, lastCheckpointPhase: question.at };
  const emitted = { ...checkpoint, lastYieldEmittedAt: at, ...asking };
  return whole === session ? [checkpoint, emitted] : [whole, checkpoint, emitted];
}

/** The last marker: everything that was accepted is on disk. */
export function finishSession(session: CouncilSession): CouncilSession {
  return withEntries({ ...session, status: 'saved' }, { kind: 'marker', phase: 'SAVE' });
}
