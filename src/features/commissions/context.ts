/** What the commissions feature needs of the hall. */
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { Enclosure } from '../../kernel/agents/sandbox/contract.ts';
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { RecordFolder } from '../../kernel/git/records.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { HallToolboxes, WorkerCatalogue } from '../../kernel/workers/contract.ts';
import type { ProcessEnd } from '../../kernel/processes/start.ts';
import type { CommissionView } from './contract.ts';
import type { Beat } from './rules/heartbeat.ts';
import type { KnownCommissions } from './store/known.ts';
import type { CommissionRef } from './store/place.ts';

/** How a worker's process is started: `file` with `args` and, last, the folder of its attempt. */
export interface WorkerProgram {
  readonly file: string;
  readonly args: readonly string[];
}

export interface EnclosedPlace {
  readonly project: string;
  readonly cwd: string;
  readonly tmp: string;
}

/** What this process knows of a commission that is under way. Nothing here is needed to go on after a restart. */
export interface LiveCommission {
  readonly attempt: number;
  phase: CommissionView['phase'];
  beat: Beat | undefined;
  /** ISO 8601. */
  lastHeartbeat: string;
  /** As its process told it. */
  session: { readonly model: string; readonly isRehearsal: boolean; readonly sandbox: string } | undefined;
  /** Where the process is a child of this one. */
  exited: Promise<ProcessEnd> | undefined;
  /** Resolves when everything in the journal at the call is dealt with. */
  catchUp: (() => Promise<void>) | undefined;
  /** Ends the watch over it. */
  readonly leaving: AbortController;
  /** Resolves when its set-up has come to its end, or has stepped back. */
  settingUp: Promise<void> | undefined;
}

/** What is to be done soon, and who wakes the one who does it. */
export interface CommissionsEngine {
  /** By `keyOf`. */
  readonly live: Map<string, LiveCommission>;
  readonly due: { queue: boolean; readonly dependencies: Set<string>; readonly retries: Map<string, CommissionRef> };
  /** By `keyOf`: since when this hall was asked to start it; see `store/wish.ts`. */
  readonly wishes: Map<string, string>;
  /** Records as they were read last. */
  readonly known: KnownCommissions;
  /** Set by whoever does what is due. */
  wake: () => void;
  /** What was told last of the queue. */
  saidOfQueue: string;
  /** By `keyOf`: queued ones that could not be started, and why, until somebody asks for them again. */
  readonly held: Map<string, string>;
  /** By `keyOf`: why an end could not be finished yet. */
  readonly troubles: Map<string, string>;
  /** What was found at the start and belongs to nobody, in words for the person. */
  readonly problems: string[];
}

export interface CommissionsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly gateway: Pick<Gateway, 'describeModel'>;
  /** The workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  readonly workerProgram: WorkerProgram;
  /** Toolboxes of the hall; where it is not given, there are none. */
  readonly hallToolboxes?: HallToolboxes;
  /** A pass for the process of an attempt, where its worker has a toolbox of the hall. */
  readonly hallPass?: (ref: CommissionRef, attempt: number, worker: string) => Promise<string | undefined>;
  readonly engine: CommissionsEngine;
  /**
   * Makes a place in which what an agent wrote may be run; `tmp` is the one folder that it may write besides `cwd`. All
   * absolute. Where it is not given, there is none.
   */
  readonly enclose?: ((place: EnclosedPlace) => Promise<Enclosure>) | undefined;
  /**
   * Folders of records of every feature (`recordFoldersOf` in main): a branch carries no change to them but what they
   * admit. Where it is not given, of the commissions' own alone.
   */
  readonly recordFolders?: () => readonly RecordFolder[];
  /** Running activities that touch the same files; where it is not given, nobody looks. */
  readonly conflictsOf?: (ref: CommissionRef) => Promise<CommissionView['conflicts']>;
}
