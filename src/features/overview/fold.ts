/** Usage added up from the hall's events: by day and project, and by activity. */
import { z } from 'zod';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { Usage } from './contract.ts';

export interface UsageLedger {
  /** Local day → project → what was used then. */
  readonly byDay: Map<string, Map<string, Usage>>;
  /** `<project>/<kind>:<id>` → what it used, of the days whose events are kept. */
  readonly byActivity: Map<string, Usage>;
}

export const noUsage: Usage = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: null, unpricedTurns: 0 };

const usageDataSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
});

export function emptyLedger(): UsageLedger {
  return { byDay: new Map(), byActivity: new Map() };
}

/** What a feature announces when the usage of a turn is known, whatever its activities are called. */
export function isUsageEvent(event: Pick<HallEvent, 'type'>): boolean {
  return event.type.endsWith('.turn_usage');
}

export function activityKeyOf(project: string, subject: string): string {
  return `${project}/${subject}`;
}

/**
 * Adds an event; others than those of usage change nothing.
 * @param day the local day of the event, YYYY-MM-DD
 */
export function addToLedger(ledger: UsageLedger, event: HallEvent, day: string): void {
  const data = isUsageEvent(event) ? usageDataSchema.safeParse(event.data) : undefined;
  if (data?.success !== true) return;
  const { inputTokens, outputTokens, costUsd } = data.data;
  const turn: Usage = { turns: 1, inputTokens, outputTokens, costUsd, unpricedTurns: costUsd === null ? 1 : 0 };
  const project = event.project ?? '';
  const ofDay = ledger.byDay.get(day) ?? new Map<string, Usage>();
  ofDay.set(project, sumOf([ofDay.get(project) ?? noUsage, turn]));
  ledger.byDay.set(day, ofDay);
  const key = activityKeyOf(project, event.subject ?? '');
  ledger.byActivity.set(key, sumOf([ledger.byActivity.get(key) ?? noUsage, turn]));
}

export function sumOf(parts: readonly Usage[]): Usage {
  return parts.reduce(
    (sum, part) => ({
      turns: sum.turns + part.turns,
      inputTokens: sum.inputTokens + part.inputTokens,
      outputTokens: sum.outputTokens + part.outputTokens,
      costUsd: part.costUsd === null ? sum.costUsd : (sum.costUsd ?? 0) + part.costUsd,
      unpricedTurns: sum.unpricedTurns + part.unpricedTurns,
    }),
    noUsage,
  );
}

/** @param project only of this one; left out: of all */
export function usageOfDay(ledger: UsageLedger, day: string, project?: string): Usage {
  const ofDay = [...(ledger.byDay.get(day) ?? [])];
  return sumOf(ofDay.filter(([name]) => project === undefined || name === project).map(([, usage]) => usage));
}
