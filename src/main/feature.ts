/** A feature as the hall joins it. */
import type { ProducersOf } from '../features/artifacts/contract.ts';
import type { BoundOperation } from '../kernel/operations/operations.ts';

export interface HallFeature {
  readonly name: string;
  readonly operations: readonly BoundOperation[];
  /** Reads its files and goes on where a killed hall left off. Called once, before the hall answers. */
  readonly recover?: () => Promise<void>;
  /** Ends what runs, keeping what was said. Called once, when the hall stops. */
  readonly stop?: () => Promise<void>;
  /** Activities that are open, `<kind> <id>` each: of one project, or of all. */
  readonly running?: (project?: string) => Promise<readonly string[]>;
  /** Activities of this feature that made an artifact. */
  readonly producersOf?: ProducersOf;
}

/** What is open, in all projects or in one: `<kind> <id>` each. */
export async function runningIn(features: readonly HallFeature[], project?: string): Promise<string[]> {
  const lists = await Promise.all(features.map(async (feature) => (await feature.running?.(project)) ?? []));
  return lists.flat();
}
