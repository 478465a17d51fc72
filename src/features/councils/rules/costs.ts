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
  const drafting = draftingOf(session);
  return {
    bySpeaker: [
      ...names.map((name) => {
        const own = turns.filter(({ speaker }) => speaker === name);
        const role = own[0]?.role ?? session.setup.invitees.find((invitee) => invitee.name === name)?.role ?? '';
        return { name, role, ...sumOf(own) };
      }),
      ...drafting.map((spent) => ({ ...drafter, ...sumOf([spent]) })),
    ],
    byPhase: councilPhases.flatMap((phase: CouncilPhase) => {
      const own = [...turns.filter((turn) => turn.phase === phase), ...(phase === 'CLOSE' ? drafting : [])];
      return own.length === 0 ? [] : [{ phase, ...sumOf(own) }];
    }),
    total: { ...sumOf([...turns, ...drafting]), tokens: totalTokens(session) },
  };
}

/** Who drafts at CLOSE, in the breakdown: no turn of the council, and paid for all the same. */
export const drafter = { name: 'Facilitator', role: 'Drafting' } as const;

/** Output tokens of all emitted turns, and of the drafting. */
export function totalTokens({ cumulativeCost, drafts }: Pick<CouncilSession, 'cumulativeCost' | 'drafts'>): number {
  return cumulativeCost + (drafts?.usage?.outputTokens ?? 0);
}

type Spent = Pick<CouncilTurn, 'tokens' | 'usage'>;

function draftingOf({ drafts }: CouncilSession): readonly Spent[] {
  const usage = drafts?.usage;
  return usage === undefined ? [] : [{ tokens: usage.outputTokens, usage }];
}

function sumOf(all: readonly Spent[]): { readonly tokens: number; readonly costUsd: number | null } {
  const costs = all.map(({ usage }) => usage.costUsd);
  const known = costs.filter((cost) => cost !== null);
  return {
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: known.length < costs.length ? null : known.reduce((sum, cost) => sum + cost, 0),
  };
}
