/** What search needs of the hall. */
import type { SearchThread } from '../../kernel/artifacts/search/ask.ts';
import type { Shelf } from '../../kernel/artifacts/search/shapes.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { Project } from '../../kernel/projects/projects.ts';

export type SearchContext = GitContext &
  ClockContext &
  BackgroundContext &
  EventsContext & {
    readonly home: Pick<HomePaths, 'state'>;
    /** All of them, or the one that is named. @throws HallError */
    readonly projects: (name: string | undefined) => readonly Project[];
    /** Where the texts of a project lie. */
    readonly shelvesOf: (project: Project) => readonly Shelf[];
    /** Words for activities, as they stand in trailers of commits. */
    readonly activityKinds: () => readonly string[];
    readonly thread: SearchThread;
    /** Projects that have changed since they were looked through. */
    readonly stale: Set<string>;
  };
