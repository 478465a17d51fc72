/** What a session says of its speakers and turns, and how a turn of whatever kind is added to it. Pure. */
import type { CouncilEntry, CouncilSession, CouncilTurn, Invitee } from '../contract.ts';
import { isCostCheck, printCostCheck } from './cadence.ts';
import type { Facts } from './facts.ts';
import { parseLedger, printLedger, settleHand } from './raise-hand.ts';
import { speakerAt } from './order.ts';

type LineName = Extract<CouncilEntry, { kind: 'line' }>['name'];
/** What is said of a turn; its number, its place and its seal follow from the session. */
export type NewTurn = Omit<CouncilTurn, 'id' | 'number' | 'runningTotal' | 'at' | 'seal'>;

/** Those with a slot in the round, in order. */
export function agentsOf({ setup }: CouncilSession): readonly Invitee[] {
  return setup.invitees.filter(({ worker }) => worker !== null);
}

/** The person, where invited. */
export function attendeeOf({ setup }: CouncilSession): Invitee | undefined {
  return setup.invitees.find(({ worker }) => worker === null);
}

export function turnsOf({ transcript }: CouncilSession): readonly CouncilTurn[] {
  return transcript.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []));
}

export function lineEntry(name: LineName, text: string): CouncilEntry {
  return { kind: 'line', name, text };
}

export function withEntries(session: CouncilSession, ...entries: readonly CouncilEntry[]): CouncilSession {
  return entries.length === 0 ? session : { ...session, transcript: [...session.transcript, ...entries] };
}

/** Agents without a prelude, by name. */
export function missingPreludes(session: CouncilSession): readonly string[] {
  const has = new Set(turnsOf(session).flatMap(({ kind, speaker }) => (kind === 'prelude' ? [speaker] : [])));
  return agentsOf(session).flatMap(({ name }) => (has.has(name) ? [] : [name]));
}

export function isAtMaxTurns({ turnCounter, setup }: CouncilSession): boolean {
  return turnCounter >= setup.maxTurns;
}

/** Whether there may be turns of agents still: CLOSE has not begun. */
export function isBeforeClose({ phase }: CouncilSession): boolean {
  return phase === 'INVITE' || phase === 'CHARTER' || phase === 'RESEARCH' || phase === 'DISCUSS';
}

/** Adds an emitted turn with all that counts it, and the cost check where one is due. */
export function addTurn(session: CouncilSession, turn: NewTurn, facts: Facts): CouncilSession {
  const number = session.turnCounter + 1;
  const cumulativeCost = session.cumulativeCost + turn.tokens;
  const whole = { ...turn, id: `T${number}`, number, runningTotal: cumulativeCost, at: facts.at };
  const counted: CouncilSession = {
    ...session,
    turnCounter: number,
    cadenceCounter: session.cadenceCounter + 1,
    cumulativeCost,
    tokens: { ...session.tokens, [turn.speaker]: (session.tokens[turn.speaker] ?? 0) + turn.tokens },
    discussTurns: session.discussTurns + (turn.phase === 'DISCUSS' ? 1 : 0),
  };
  const said = withEntries(counted, { kind: 'turn', turn: { ...whole, seal: facts.seal(whole) } });
  return isCostCheck(said.cadenceCounter)
    ? withEntries(said, lineEntry('cost-check', printCostCheck(number, cumulativeCost, said.tokens)))
    : said;
}

/**
 * Moves on over what needs no agent: slots of muted ones, and the beginning of a round, whose first turns are those of
 * the hands that wait.
 */
export function settle(session: CouncilSession): CouncilSession {
  const agents = agentsOf(session);
  let next = session;
  while (next.phase === 'DISCUSS' && next.inserted.length === 0 && next.slotsDone < next.setup.turns) {
    const round = Math.floor(next.slotsDone / agents.length) + 1;
    if (next.round < round) next = beginRound(next, round);
    else if (next.muted.includes(speakerAt(agents, next.slotsDone)!.name))
      next = { ...next, slotsDone: next.slotsDone + 1 };
    else break;
  }
  return next;
}

function beginRound(session: CouncilSession, round: number): CouncilSession {
  const names = new Set(agentsOf(session).map(({ name }) => name));
  const heard = session.waitingHands.filter(({ target }) => names.has(target));
  const ledger = heard.reduce((each, hand) => settleHand(each, round, hand), parseLedger(session.raiseHandLedger));
  return {
    ...session,
    round,
    raiseHandLedger: printLedger(ledger),
    inserted: heard.map(({ requesting, target, question }) => ({
      kind: 'raise-hand',
      speaker: target,
      by: requesting,
      question,
    })),
    waitingHands: session.waitingHands.filter(({ target }) => !names.has(target)),
  };
}

/** Nobody is inserted any more; hands that were raised go on waiting, and are listed in the notes. */
export function withoutInserted(session: CouncilSession): CouncilSession {
  const left = session.inserted.flatMap(({ kind, speaker, by, question }) =>
    kind === 'raise-hand' ? [{ cycle: session.round, requesting: by, target: speaker, question }] : [],
  );
  return { ...session, inserted: [], waitingHands: [...session.waitingHands, ...left] };
}

/** The slot of the turn that is next is used up, with or without a turn. */
export function useSlot(session: CouncilSession): CouncilSession {
  if (session.phase === 'RESEARCH') {
    const missing = missingPreludes(session);
    const slot = agentsOf(session).findIndex(
      ({ name }, index) => index >= session.preludesDone && missing.includes(name),
    );
    return { ...session, preludesDone: slot === -1 ? agentsOf(session).length : slot + 1 };
  }
  if (session.inserted.length > 0) return { ...session, inserted: session.inserted.slice(1) };
  return { ...session, slotsDone: session.slotsDone + 1 };
}
