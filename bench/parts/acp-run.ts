/** What a real agent is put through, a step after another; each says what was seen. */
import { benchOf } from '../../src/kernel/agents/conformance-bench.ts';
import type { Sandbox } from '../../src/kernel/agents/sandbox/contract.ts';
import { createAcpRig, type RealAgent } from '../../test/fixtures/acp-rig.ts';
import type { Found } from './acp-step.ts';
import { troubleSteps } from './acp-trouble.ts';
import { workSteps } from './acp-work.ts';

export interface Seen {
  readonly what: string;
  readonly ok: boolean;
  /** Words. */
  readonly said: string;
  readonly ms: number;
}

export interface Wish {
  readonly sandbox: Sandbox | undefined;
  /** Only steps with these words in their names. */
  readonly step: string | undefined;
}

export async function* driveAdapter(real: RealAgent, { sandbox, step = '' }: Wish): AsyncGenerator<Seen> {
  const rig = await createAcpRig({ real, ...(sandbox === undefined ? {} : { sandbox }) });
  const bench = benchOf(rig);
  try {
    for (const [what, run] of [...workSteps, ...troubleSteps].filter(([name]) => name.includes(step))) {
      const startedMs = performance.now();
      const [ok, said] = await inTime(run(bench)).catch((error: unknown): Found => [
        false,
        String(error).slice(0, 600),
      ]);
      yield { what, ok, said, ms: performance.now() - startedMs };
    }
  } finally {
    await rig.close();
  }
}

async function inTime(found: Promise<Found>): Promise<Found> {
  const late = new Promise<Found>((resolve) => setTimeout(() => resolve([false, 'not within 90 s']), 90_000).unref());
  return await Promise.race([found, late]);
}
