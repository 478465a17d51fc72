/** The runner's signature under every turn: made with a secret that no agent and no repository can read. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CouncilSession, CouncilTurn } from '../contract.ts';

/** @param secret hex */
export function sealTurn(secret: string, councilId: string, turn: Omit<CouncilTurn, 'seal'>): string {
  const { seal: _, ...sealed } = { seal: '', ...turn };
  return createHmac('sha256', Buffer.from(secret, 'hex'))
    .update(printSorted({ councilId, ...sealed }))
    .digest('hex');
}

/** Ids of turns that the runner did not record, or not so, or not there; `-` for a transcript that may not be empty. */
export function checkProvenance(secret: string, session: CouncilSession): { readonly failing: readonly string[] } {
  const turns = session.transcript.flatMap((entry) => (entry.kind === 'turn' ? [entry.turn] : []));
  // One that was taken out leaves a gap, one that was put in twice a step back.
  const failing = turns
    .filter((turn, at) => turn.number !== at + 1 || !isSealed(secret, session.sessionId, turn))
    .map(({ id }) => id);
  for (let number = turns.length + 1; number <= session.turnCounter; number += 1) failing.push(`T${number}`);
  const mayBeEmpty = session.wrapUp && turns.length === 0 && session.researchPhase === 'skipped';
  return { failing: turns.length === 0 && !mayBeEmpty ? ['-'] : failing };
}

/** 16 hex digits of the SHA-256 of a pin's content. */
export function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

function isSealed(secret: string, councilId: string, turn: CouncilTurn): boolean {
  const expected = Buffer.from(sealTurn(secret, councilId, turn), 'hex');
  const found = Buffer.from(turn.seal, 'hex');
  return found.length === expected.length && timingSafeEqual(found, expected);
}

/** The same text for the same facts, in whatever order their fields stand. */
function printSorted(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
