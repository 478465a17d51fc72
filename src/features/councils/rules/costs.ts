/** What a council cost: by speaker, by phase, in total. Pure. */
import {
  type CouncilPhase,
  councilPhases,
  type CouncilSession,
  type CouncilTurn,
  type CouncilView,
} from '../contract.ts';
import { turnsOf } from './session.ts';

/** Dollars are null as soon as one price is not known. */
export function countCosts(session: CouncilSession): CouncilView['costs'] {
  const turns = turnsOf(session);
  const names = [
    ...new Set([...session.setup.invitees.map(({ name }) => name), ...turns.map(({ speaker }) => speaker)]),
  ];
  return {
    bySpeaker: names.map((name) => {
      const own = turns.filter(({ speaker }) => speaker === name);
      const role = own[0]?.role ?? session.setup.invitees.find((invitee) => invitee.name === name)?.role ?? '';
      return { name, role, ...sumOf(own) };
    }),
    byPhase: councilPhases.flatMap((phase: CouncilPhase) => {
      const own = turns.filter((turn) => turn.phase === phase);
      return own.length === 0 ? [] : [{ phase, ...sumOf(own) }];
    }),
    total: { ...sumOf(turns), tokens: session.cumulativeCost },
  };
}

function sumOf(turns: readonly CouncilTurn[]): { readonly tokens: number; readonly costUsd: number | null } {
  const costs = turns.map(({ usage }) => usage.costUsd);
  const known = costs.filter((cost) => cost !== null);
  return {
    tokens: turns.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: known.length < costs.length ? null : known.reduce((sum, cost) => sum + cost, 0),
  };
}
