/** What deliveries need of the hall. */
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';

export interface DeliveriesContext
  extends ClockContext, IdContext, LogContext, LocksContext, EventsContext, ConfigContext {
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** The environment in which `gh` is looked for and run. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
}
