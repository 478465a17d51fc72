/**
 * A play of several steps, written as a generator: it yields tool calls, gets their results, and returns the answer.
 * Nothing is kept between model calls; each time the script runs anew over the calls that this turn already has.
 */
import type { Move } from '../move.ts';
import type { Situation, SituationCall } from '../situation.ts';

export interface ToolRequest {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export type Script = Generator<readonly ToolRequest[], string, readonly SituationCall[]>;

/** The script's next move. An empty list of calls is answered at once with no results. */
export function replayScript(situation: Situation, script: Script): Move {
  let results: readonly SituationCall[] = [];
  let used = 0;
  for (let step = script.next(); ; step = script.next(results)) {
    if (step.done === true) return { blocks: [{ type: 'text', text: step.value }] };
    const wanted = step.value;
    results = situation.turn.calls.slice(used, used + wanted.length);
    if (results.length < wanted.length) {
      return { blocks: wanted.map(({ name, input }) => ({ type: 'tool_use', name, input })) };
    }
    used += wanted.length;
  }
}

/** The text of a result that went well. */
export function resultText(call: SituationCall | undefined): string | undefined {
  return call?.result === undefined || call.result.isError ? undefined : call.result.text;
}
