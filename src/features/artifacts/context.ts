/** What the artifacts feature needs of the hall. */
import type { EventsContext } from '../../kernel/events/events.ts';
import type { CommitFacts } from '../../kernel/git/history.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import type { Elsewhere, ProducersOf, RecordKeeper } from './contract.ts';
import type { Library } from './library.ts';

export type ArtifactsContext = GitContext &
  LocksContext &
  EventsContext & {
    readonly home: Pick<HomePaths, 'state'>;
    /** The project that was named, or the only one. @throws HallError */
    readonly chooseProject: (name: string | undefined) => Project;
    /** Asks every feature whose activities make artifacts. */
    readonly producersOf: ProducersOf;
    /** Those of every feature that writes records. */
    readonly recordKeepers: () => readonly RecordKeeper[];
    /** Words for activities, as they stand in trailers of commits: `<kind> <id>`. */
    readonly activityKinds: () => readonly string[];
    /** Open activities that have, on their branch, an artifact that is not on the integration branch. */
    readonly elsewhere: (project: string, path: string) => Promise<readonly Elsewhere[]>;
    /** What was read of artifacts before. */
    readonly library: Library;
    /** By project. */
    readonly knownCommits: Map<string, KnownCommits>;
  };

/** The last commits of a project's artifacts, as long as its branch stays where it was. */
export interface KnownCommits {
  readonly repo: string;
  readonly commonDir: string;
  readonly sign: string;
  readonly commits: ReadonlyMap<string, CommitFacts>;
}
