/** A feature as the hall joins it. */
import type { Elsewhere, ProducersOf, RecordKeeper } from '../features/artifacts/contract.ts';
import type { ActivityBranch } from '../features/forecast/contract.ts';
import type { Waiting } from '../features/inbox/contract.ts';
import type { Activities } from '../features/overview/contract.ts';
import type { RecordFolder } from '../kernel/git/records.ts';
import type { BoundOperation } from '../kernel/operations/operations.ts';
import type { TerminalOf } from './terminal-tokens.ts';

/** One attempt of an activity of a project. */
export interface AttemptRef {
  readonly project: string;
  readonly kind: string;
  readonly id: string;
  readonly attempt: number;
}

export interface HallFeature {
  readonly name: string;
  readonly operations: readonly BoundOperation[];
  /** Reads its files and goes on where a killed hall left off. Called once, before the hall answers. */
  readonly recover?: () => Promise<void>;
  /** Begins what nobody waits for at the start. Called once, when the hall answers. */
  readonly settle?: () => void;
  /** Ends what runs, keeping what was said. Called once, when the hall stops. */
  readonly stop?: () => Promise<void>;
  /** Activities that are open, `<kind> <id>` each: of one project, or of all. */
  readonly running?: (project?: string) => Promise<readonly string[]>;
  /** The word for its activities, as it stands in the trailers of their commits: `<kind> <id>`. */
  readonly activityKind?: string;
  /** That attempt of an activity runs now: the pass that its process has counts. */
  readonly isUnderWay?: (attempt: AttemptRef) => boolean;
  /** Who of its activities was given this token; undefined for none. Compares in constant time. */
  readonly terminalOf?: TerminalOf;
  /** The command that ends one of them; `<kind> close <id>` where it is not given. */
  readonly endCommand?: (id: string) => string;
  /** The same activities with what they are doing. Fast: asked whenever somebody looks. */
  readonly activities?: Activities;
  /** Its open activities that have a branch, of one project: by these conflicts are foreseen. */
  readonly branches?: (project: string) => Promise<readonly ActivityBranch[]>;
  /** Activities of this feature that made an artifact. */
  readonly producersOf?: ProducersOf;
  /** Has a say in edits by hand of the records that this feature writes. */
  readonly records?: RecordKeeper;
  /** Where its records are, and what of a worker's own files there comes along when its branch is merged. */
  readonly recordFolder?: RecordFolder;
  /** Open activities on whose branch an artifact stands that is not on the integration branch. */
  readonly elsewhere?: (project: string, path: string) => Promise<readonly Elsewhere[]>;
  /** Talks of a project that it keeps outside of it, each with a title: for the search. */
  readonly talks?: (project: string) => ReadonlyMap<string, string>;
  /** What waits for the person. Fast: asked whenever somebody looks. */
  readonly waiting?: Waiting;
  /** What is wrong and has to be looked for: asked now and then, and after settings or projects have changed. */
  readonly problems?: Waiting;
}

/** Asks every feature, and joins what they say. */
export async function gathered<T>(
  features: readonly HallFeature[],
  ask: (feature: HallFeature) => Promise<readonly T[]> | undefined,
): Promise<T[]> {
  return (await Promise.all(features.map(async (feature) => (await ask(feature)) ?? []))).flat();
}

/** Where every feature keeps its records. */
export function recordFoldersOf(features: readonly HallFeature[]): RecordFolder[] {
  return features.flatMap(({ recordFolder }) => recordFolder ?? []);
}

/** What is open, in all projects or in one: `<kind> <id>` each. */
export async function runningIn(features: readonly HallFeature[], project?: string): Promise<string[]> {
  return await gathered(features, (feature) => feature.running?.(project));
}
