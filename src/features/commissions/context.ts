/** What the commissions feature needs of the hall. */
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { RecordFolder } from '../../kernel/git/records.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { WorkerCatalogue } from '../../kernel/workers/contract.ts';

/** How a worker's process is started: `file` with `args` and, last, the folder of its attempt. */
export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
}

export interface CommissionsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly gateway: Pick<Gateway, 'describeModel'>;
  /** The workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  readonly workerProgram: WorkerProgram;
  /**
   * Folders of records of every feature (`recordFoldersOf` in main): a branch carries no change to them but what they
   * admit. Where it is not given, of the commissions' own alone.
   */
  readonly recordFolders?: () => readonly RecordFolder[];
}
