/** What the process of a worker has: parts of its own, none of the hall's, which may be away. */
import type { AgentDriver } from '../../../kernel/agents/contract.ts';
import type { Gateway } from '../../../kernel/agents/gateway/gateway.ts';
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../../kernel/clock/clock.ts';
import type { LocksContext } from '../../../kernel/locks/locks.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import type { HallMemory, HallToolboxes, WorkerCatalogue } from '../../../kernel/workers/contract.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import type { Journal } from '../store/attempt.ts';

export interface WorkerContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, ConfigContext {
  readonly gateway: Gateway;
  readonly driver: AgentDriver;
  /** `none`: the agent runs without a sandbox. */
  readonly sandbox: () => string;
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Toolboxes of the hall, whose tools ask it over its door. */
  readonly hallToolboxes: HallToolboxes;
  /** What the hall remembers of a worker beside its memory; read from the project's files. */
  readonly hallMemory?: HallMemory;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** Folder of the feature's prompts, absolute. */
  readonly commissionPrompts: string;
}

/** The one attempt that this process works on. */
export interface Attempt {
  /** Absolute. */
  readonly folder: string;
  readonly order: AttemptOrder;
  readonly journal: Journal;
}
