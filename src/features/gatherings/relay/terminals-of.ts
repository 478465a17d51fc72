/** What the relay needs of terminals. */
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import type { OutgoingMessage, Receipt, TerminalId, TerminalStatus } from '../../../kernel/terminals/contract.ts';
import type { Listener } from '../../../kernel/terminals/shapes.ts';

/** A terminal, as the relay knows it. */
export interface TerminalFacts {
  readonly id: TerminalId;
  /** As it stands over its words: `Ada`. */
  readonly name: string;
  /** Null outside of every project. */
  readonly project: ProjectName | null;
  readonly status: TerminalStatus;
  /** False when its program has ended. */
  readonly isAlive: boolean;
  /** What ended its program, where that is known and was not itself. */
  readonly endedWhy?: string | undefined;
  /** Its program may live, and this hall could not take it up. */
  readonly isOutOfReach?: boolean;
  /** What is typed there is run as commands. */
  readonly isShell: boolean;
  /** The program may read there. Absolute. */
  readonly restFolder: string;
}

/** The terminals of the hall. */
export interface TerminalsOf {
  readonly list: () => readonly TerminalFacts[];
  readonly find: (id: TerminalId) => TerminalFacts | undefined;
  /** As `deliver` of the kernel: queued in the order of the calls, once for each id. @throws `not_found` */
  readonly deliver: (id: TerminalId, message: OutgoingMessage) => Promise<Receipt>;
  /** As `withdraw` of the kernel: true when the message is never put in, false when it is too late. @throws `not_found` */
  readonly withdraw: (id: TerminalId, messageId: string) => Promise<boolean>;
  /** What its program said up to now is not told any more. @throws `not_found` */
  readonly forgetUnsaid: (id: TerminalId) => Promise<void>;
  /** Can be called before terminals are joined: from then on nothing is missed. @returns what ends it */
  readonly listen: (listener: Listener) => () => void;
}
