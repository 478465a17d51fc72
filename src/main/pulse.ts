/** How a project stands, in four figures: for the pulse of gatherings. */
import type { InboxKind } from '../features/inbox/contract.ts';
import { terminalKind } from '../features/terminals/contract.ts';
import type { SystemPulse } from '../features/gatherings/context.ts';
import type { ClockContext } from '../kernel/clock/clock.ts';
import type { LogContext } from '../kernel/log/log.ts';
import type { ProjectName } from '../kernel/pure/ids.ts';
import type { HallFeature } from './feature.ts';

/** So long a feature is waited for: a beat comes in time, without what it would have said. Milliseconds. */
const longestMs = 2_000;

/**
 * Never throws: a feature that cannot say, or is slow, counts as having nothing.
 * @param features all of the hall; those that are joined later count as well
 */
export async function systemPulse(
  ctx: ClockContext & LogContext,
  features: readonly HallFeature[],
  project: ProjectName,
): Promise<SystemPulse> {
  const ask = async <T>(question: (feature: HallFeature) => Promise<readonly T[]> | undefined): Promise<T[]> =>
    (await Promise.all(features.map(async (feature) => await askOne(ctx, feature, question)))).flat();
  const [running, waiting] = await Promise.all([
    ask((feature) => feature.activities?.(project)),
    ask((feature) => feature.waiting?.()),
  ]);
  const own = waiting.filter((item) => item.project === project && item.kind !== 'problem');
  const count = (kind: InboxKind): number => own.filter((item) => item.kind === kind).length;
  // A terminal alone is no work that goes on.
  const activities = running.filter(({ kind }) => kind !== terminalKind);
  return {
    running: activities.length,
    waiting: own.length,
    conflicts: count('conflict'),
    questions: count('question'),
    titles: activities.map(({ title }) => title),
  };
}

async function askOne<T>(
  ctx: ClockContext & LogContext,
  feature: HallFeature,
  question: (feature: HallFeature) => Promise<readonly T[]> | undefined,
): Promise<readonly T[]> {
  const done = new AbortController();
  const tooLate = async (): Promise<readonly T[]> => {
    // Broken off where the answer came in time.
    await ctx.clock.sleep(longestMs, done.signal).catch(() => undefined);
    return [];
  };
  try {
    return await Promise.race([Promise.resolve(question(feature)).then((said) => said ?? []), tooLate()]);
  } catch (error) {
    ctx.log.warn(
      { err: error, feature: feature.name },
      'a feature does not say how it stands: the pulse is without it',
    );
    return [];
  } finally {
    done.abort();
  }
}
