/** How a session is asked for: by the person, or by a click of a context. */
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import type { AgentName, SessionFrom, SessionId } from './words.ts';

/** An image as it came: its kind is told by its bytes. */
export interface GivenImage {
  readonly bytes: Uint8Array;
}

/**
 * What a new session is to be. Its log, with everything that is asked here as its first lines, comes to be in one step:
 * before that nothing is left by a failure.
 */
export interface SessionBirth {
  readonly project: ProjectName;
  readonly agent: AgentName;
  /** Absolute: where the agent works. */
  readonly folder: string;
  /** Empty: made of the prompt's first words. */
  readonly title: string;
  readonly from: SessionFrom | null;
  readonly prompt: {
    readonly promptId: string;
    readonly text: string;
    readonly images: readonly GivenImage[];
  } | null;
  /** `isNew`: nothing of that name was there before. */
  readonly metaContext: { readonly id: string; readonly name: string; readonly isNew: boolean } | null;
  /** The agent's own session is there; the log is not. A throw makes nothing of the session. */
  readonly beforeCommit?: (sessionId: SessionId) => Promise<void>;
  /** The log is there; nothing was told or sent. A throw does not take it back. */
  readonly afterCommit?: (sessionId: SessionId) => Promise<void>;
}

/** The head of a session's log, as it was born: known without reading the rest. */
export interface SessionHead {
  readonly sessionId: SessionId;
  readonly project: ProjectName;
  readonly createdAt: string;
  readonly metaContext: { readonly id: string; readonly name: string } | null;
  readonly from: SessionFrom | null;
}
