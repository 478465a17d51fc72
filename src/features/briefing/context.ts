/** What the briefing needs of the hall. */
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { CommissionList } from '../commissions/contract.ts';
import type { InboxItem } from '../inbox/contract.ts';
import type { RunningActivity } from '../overview/contract.ts';

/** How the work stands, from the records. */
export interface Standing {
  readonly commissions: CommissionList['commissions'];
  readonly open: readonly RunningActivity[];
  readonly waiting: readonly InboxItem[];
}

export interface BriefingContext extends ClockContext, LogContext, LocksContext, BackgroundContext, EventsContext {
  readonly home: Pick<HomePaths, 'state'>;
  readonly gateway: Pick<Gateway, 'describeModel' | 'complete'>;
  /** Of the one project, or of all. @throws HallError `not_found` */
  readonly standing: (project: string | undefined) => Promise<Standing>;
  /** Name of the model of the worker that keeps the overview, where its package names one. */
  readonly modelName: () => Promise<string | undefined>;
  /** Masks secrets in what a model wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** By the key of a briefing: when its words were asked for last, by the monotonic clock. */
  readonly askedAtMs: Map<string, number>;
}
