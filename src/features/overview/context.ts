/** What the overview needs of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import type { Deferred } from '../../kernel/pure/deferred.ts';
import type { InboxList } from '../inbox/contract.ts';
import type { Activities, Overview, RecentArtifact } from './contract.ts';
import type { UsageLedger } from './fold.ts';

export type OverviewContext = ClockContext &
  LogContext &
  BackgroundContext &
  EventsContext & {
    readonly home: Pick<HomePaths, 'events'>;
    /** The one that is named, or all. @throws HallError */
    readonly projects: (name: string | undefined) => readonly Project[];
    readonly activities: Activities;
    readonly inbox: (project: string | undefined) => Promise<InboxList>;
    readonly recentArtifacts: (projects: readonly Project[], limit: number) => Promise<readonly RecentArtifact[]>;
    readonly describeModel: () => Overview['model'];
    readonly usage: UsageCount;
  };

export interface UsageCount {
  readonly ledger: UsageLedger;
  /** Resolves when the events of before this start have been counted. */
  readonly counted: Deferred<void>;
}
