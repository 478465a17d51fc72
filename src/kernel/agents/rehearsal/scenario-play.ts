/** Playing a scenario: which entry holds for a turn, and which of its steps are due at this model call. */
import type { Move, MoveBlock } from './move.ts';
import type { ScenarioEntry, ScenarioStep } from './scenario.ts';
import type { Situation } from './situation.ts';
import { offeredTool } from './plays/offered.ts';

/** What is counted over requests: turns in which an entry was used, and failures that have been played. */
export interface Counters {
  readonly turnsOf: Map<string, Set<string>>;
  readonly failures: Map<string, number>;
}

export function createCounters(): Counters {
  return { turnsOf: new Map(), failures: new Map() };
}

/** A failure that is to be played now: true the first `times` times, for each `key` on its own. */
export function isFailureDue(counters: Counters, key: string, times: number): boolean {
  const played = counters.failures.get(key) ?? 0;
  if (played >= times) return false;
  counters.failures.set(key, played + 1);
  return true;
}

/** The move of the first entry that matches this turn, or undefined. `turnKey` names the turn over repeated requests. */
export function scenarioMove(
  entries: readonly ScenarioEntry[],
  situation: Situation,
  counters: Counters,
  turnKey: string,
): Move | undefined {
  for (const entry of entries) {
    if (!matches(entry, situation)) continue;
    const used = counters.turnsOf.get(entryKey(entry)) ?? new Set<string>();
    if (!used.has(turnKey) && used.size >= entry.times) continue;
    counters.turnsOf.set(entryKey(entry), used.add(turnKey));
    return stepsMove(entry, situation, counters, turnKey);
  }
  return undefined;
}

function entryKey(entry: ScenarioEntry): string {
  return `${entry.line}:${entry.match.source}`;
}

function matches(entry: ScenarioEntry, situation: Situation): boolean {
  if (entry.worker !== undefined && entry.worker !== situation.worker) return false;
  if (entry.activity !== undefined && entry.activity !== situation.activityKind) return false;
  if (entry.turn !== undefined && entry.turn !== situation.turns.length + 1) return false;
  return entry.match.test(situation.turn.userText);
}

/** Steps of one model call: up to its calls. What is said after a call belongs to the next model call. */
function stepsMove(entry: ScenarioEntry, situation: Situation, counters: Counters, turnKey: string): Move {
  const parts = splitSteps(entry.steps);
  const index = situation.turn.answers;
  const part = parts[index];
  if (part === undefined) return { blocks: [] };
  const failure = part.find((step) => step.kind === 'fail');
  const waitMs = part.reduce((sum, step) => sum + (step.kind === 'wait' ? step.ms : 0), 0);
  const blocks = part.flatMap((step): MoveBlock[] => {
    if (step.kind === 'say') return [{ type: 'text', text: step.text }];
    if (step.kind !== 'call') return [];
    return [{ type: 'tool_use', name: offeredTool(situation, step.tool)?.name ?? step.tool, input: step.input }];
  });
  const key = `${turnKey}/${entryKey(entry)}/${index}`;
  const isDue = failure !== undefined && isFailureDue(counters, key, failure.times);
  return { blocks, ...(waitMs > 0 ? { waitMs } : {}), ...(isDue ? { fail: failure.failure } : {}) };
}

function splitSteps(steps: readonly ScenarioStep[]): ScenarioStep[][] {
  const parts: ScenarioStep[][] = [[]];
  for (const [i, step] of steps.entries()) {
    const before = steps[i - 1];
    if (before?.kind === 'call' && step.kind !== 'call') parts.push([]);
    parts.at(-1)!.push(step);
  }
  if (steps.at(-1)?.kind === 'call') parts.push([]);
  return parts;
}
