/** What a step with a real agent is made of. */
import type { Bench } from '../../src/kernel/agents/conformance-bench.ts';
import { textOf } from '../../src/kernel/agents/conformance-bench.ts';
import type { AgentEvent, OpenOptions } from '../../src/kernel/agents/contract.ts';

/** What a step finds: true, or what is wrong, with words about what was seen. */
export type Found = readonly [ok: boolean, said: string];
export type Step = readonly [what: string, run: (bench: Bench) => Promise<Found>];

export async function openIn(bench: Bench, more: Partial<OpenOptions> = {}) {
  const folder = await bench.makeFolder();
  return await bench.open({
    cwd: folder,
    access: { root: folder, write: true },
    limits: { maxTurns: 20, maxBudgetUsd: null, silenceMs: 30_000 },
    ask: async ({ options }) =>
      await Promise.resolve({ optionId: options.find(({ kind }) => kind === 'allow_once')!.id }),
    ...more,
  });
}

export function wordsOf(events: readonly AgentEvent[]): string {
  const last = events.at(-1);
  const end =
    last?.type === 'error' ? `${last.errorClass}: ${last.message}` : last?.type === 'end' ? last.reason : 'no end';
  return `${JSON.stringify(textOf(events))} ${end}`.replaceAll(/\s+/g, ' ').slice(0, 220);
}
