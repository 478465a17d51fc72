/** What the meetings feature needs of the hall. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { AgentDriver, AgentSession, AgentUsage } from '../../kernel/agents/contract.ts';
import type { Gateway } from '../../kernel/agents/gateway/gateway.ts';
import type { Sandbox } from '../../kernel/agents/sandbox/contract.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { RecordFolder } from '../../kernel/git/records.ts';
import type { KnownSecret } from '../../kernel/secrets/find.ts';
import type { MaskState } from '../../kernel/secrets/stream.ts';
import type { HallMemory, HallToolboxes, WorkerCatalogue } from '../../kernel/workers/contract.ts';
import type { Foreseen } from '../forecast/contract.ts';
import type { TurnView } from './contract.ts';

/** The turn that is being answered: what readers of the event stream have been shown of it. */
export interface TurnStream {
  view: TurnView;
  /** What of the words is not shown yet: it may begin a secret. */
  masking: MaskState;
  usage: AgentUsage | undefined;
}

/** What runs in this process for one meeting. Nothing here is needed to go on after a restart. */
export interface LiveMeeting {
  session: AgentSession | undefined;
  /** The work that answers queued messages one after the other; undefined when none waits. */
  pump: Promise<void> | undefined;
  /** A turn is being answered now. */
  turnRuns: boolean;
  /** From the event that tells its start to the one that tells its end: changed in the same step as those are told. */
  stream: TurnStream | undefined;
  /** Secrets that were said in it: masked in whatever its agent says next, also without what told of them. */
  known: readonly KnownSecret[];
  /** The person wants the running turn to end; kept for a turn whose agent has not begun yet. */
  isInterruptWanted: boolean;
}

export interface MeetingsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, EventsContext, ConfigContext {
  readonly driver: AgentDriver;
  readonly gateway: Gateway;
  /** What agents run in, or why in nothing. */
  readonly sandbox: Pick<Sandbox, 'state'>;
  /** The workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** Toolboxes of the hall; where it is not given, there are none. */
  readonly hallToolboxes?: HallToolboxes;
  /** What the hall remembers of a worker beside its memory. */
  readonly hallMemory?: HallMemory;
  /** Masks secrets in what an agent wrote. */
  readonly scrub: (text: string) => Promise<string>;
  /** Folders of records of every feature: a branch carries no change to them but what they admit. */
  readonly recordFolders: () => readonly RecordFolder[];
  /** Who works on the same files as an open meeting; where it is not given, nobody looks. */
  readonly conflictsOf?: (meeting: { readonly project: string; readonly id: string }) => Promise<readonly Foreseen[]>;
  /** What runs in this process, by project and meeting id. A cache: the files tell the truth. */
  readonly liveMeetings: Map<string, LiveMeeting>;
  /** Requests that were announced already, `<project>/<id>`, so that a tool and the folder's watch tell of one once. */
  readonly announcedRequests: Set<string>;
  /** Folder of the feature's prompts, absolute. */
  readonly meetingPrompts: string;
}
