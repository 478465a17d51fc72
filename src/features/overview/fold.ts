/** Usage added up from the hall's events: by day and project, and by activity. */
import { z } from 'zod';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { Usage } from './contract.ts';

export interface UsageLedger {
  /** Local day → project → what was used then. */
  readonly byDay: Map<string, Map<string, Usage>>;
  /** `<project>/<kind>:<id>` → what it used, of the days whose events are kept. */
  readonly byActivity: Map<string, Usage>;
  /** What an attempt had used when it told last: `<project>/<kind>:<id>/<attempt>`. */
  readonly byAttempt: Map<string, Spent>;
}

type Spent = z.infer<typeof usageDataSchema>;

export const noUsage: Usage = { turns: 0, inputTokens: 0, outputTokens: 0, costUsd: null, unpricedTurns: 0 };

const usageDataSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number().nullable(),
});

/** A line of the log of an activity that works by itself: what its attempt has used so far, all together. */
const journalDataSchema = z.object({
  attempt: z.number(),
  entry: z.object({ kind: z.literal('usage'), usage: usageDataSchema }),
});

export function emptyLedger(): UsageLedger {
  return { byDay: new Map(), byActivity: new Map(), byAttempt: new Map() };
}

/** What a feature announces when the usage of a turn, or of an attempt so far, is known, whatever its activities are called. */
export function isUsageEvent({ type, data }: Pick<HallEvent, 'type' | 'data'>): boolean {
  return type.endsWith('.turn_usage') || (type.endsWith('.journal') && journalDataSchema.safeParse(data).success);
}

export function activityKeyOf(project: string, subject: string): string {
  return `${project}/${subject}`;
}

/**
 * Adds an event; others than those of usage change nothing.
 * @param day the local day of the event, YYYY-MM-DD
 */
export function addToLedger(ledger: UsageLedger, event: HallEvent, day: string): void {
  const turn = event.type.endsWith('.journal') ? moreOfAttempt(ledger, event) : ofTurn(event);
  if (turn === undefined) return;
  const project = event.project ?? '';
  const ofDay = ledger.byDay.get(day) ?? new Map<string, Usage>();
  ofDay.set(project, sumOf([ofDay.get(project) ?? noUsage, turn]));
  ledger.byDay.set(day, ofDay);
  const key = activityKeyOf(project, event.subject ?? '');
  ledger.byActivity.set(key, sumOf([ledger.byActivity.get(key) ?? noUsage, turn]));
}

function ofTurn(event: HallEvent): Usage | undefined {
  const data = event.type.endsWith('.turn_usage') ? usageDataSchema.safeParse(event.data) : undefined;
  if (data?.success !== true) return undefined;
  const { inputTokens, outputTokens, costUsd } = data.data;
  return { turns: 1, inputTokens, outputTokens, costUsd, unpricedTurns: costUsd === null ? 1 : 0 };
}

/** What came on top since the attempt told last; an attempt counts as one turn. Told twice, it adds nothing. */
function moreOfAttempt(ledger: UsageLedger, event: HallEvent): Usage | undefined {
  const data = journalDataSchema.safeParse(event.data);
  if (!data.success) return undefined;
  const key = `${activityKeyOf(event.project ?? '', event.subject ?? '')}/${data.data.attempt}`;
  const before = ledger.byAttempt.get(key);
  const { inputTokens, outputTokens, costUsd } = data.data.entry.usage;
  ledger.byAttempt.set(key, data.data.entry.usage);
  return {
    turns: before === undefined ? 1 : 0,
    inputTokens: inputTokens - (before?.inputTokens ?? 0),
    outputTokens: outputTokens - (before?.outputTokens ?? 0),
    costUsd: costUsd === null ? null : costUsd - (before?.costUsd ?? 0),
    unpricedTurns: before === undefined && costUsd === null ? 1 : 0,
  };
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
