/** The hall's operations about itself. */
import { bindOperation, type BoundOperation } from '../kernel/operations/operations.ts';
import type { HallContext } from './context.ts';
import { type HallFeature, runningIn } from './feature.ts';
import { printProblem } from './problems.ts';
import { hallStop, statusShow, type HallStatus } from '../features/hall/contract.ts';

export interface HallFacts {
  readonly url: string;
  readonly version: string;
  readonly features: readonly HallFeature[];
  /** What could not be taken up at the start. */
  readonly problems: readonly string[];
  readonly onStopAsked: () => void;
}

export function bindStatus(ctx: HallContext, facts: HallFacts): BoundOperation[] {
  const startedMs = ctx.clock.monotonicMs();
  const startedAt = ctx.clock.nowIso();
  return [
    bindOperation(statusShow, async () => await statusOf(ctx, facts, { startedMs, startedAt })),
    bindOperation(hallStop, async () => {
      const running = await runningIn(facts.features);
      // The answer goes out first: the stop closes the connection that it travels on.
      setImmediate(facts.onStopAsked);
      return { pid: process.pid, running };
    }),
  ];
}

async function statusOf(
  ctx: HallContext,
  facts: HallFacts,
  { startedMs, startedAt }: { startedMs: number; startedAt: string },
): Promise<HallStatus> {
  const { name, label, isRehearsal } = ctx.gateway.describeModel();
  return {
    pid: process.pid,
    url: facts.url,
    version: facts.version,
    home: ctx.home.root,
    startedAt,
    uptimeSeconds: Math.round((ctx.clock.monotonicMs() - startedMs) / 1000),
    projects: ctx.config().projects.map((project) => project.name),
    model: { name, label, isRehearsal },
    sandbox: ctx.sandbox.state(),
    running: await runningIn(facts.features),
    problems: [...facts.problems, ...ctx.configProblems().map(printProblem)],
  };
}
