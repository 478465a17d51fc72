/** What the contexts feature needs of the hall, and of the sessions in it. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { ProjectName } from '../../kernel/pure/ids.ts';
import type { SessionBirth, SessionHead } from '../sessions/contract/birth.ts';
import type { AgentName, BlockRef, SessionId } from '../sessions/contract/words.ts';
import type { SessionInfo, SessionState } from '../sessions/contract.ts';
import type { MetaContextRegistry } from './fold/registry.ts';
import type { RegistryDocument } from './rules/document.ts';

/** The sessions, as far as contexts have to do with them. */
export interface SessionsOfContexts {
  /** The agent's own session first, then its log in one step. @throws HallError, and then nothing is left of it */
  readonly make: (birth: SessionBirth) => Promise<SessionState>;
  readonly find: (id: SessionId) => Promise<SessionState | undefined>;
  /** The session that a click with this id has made. */
  readonly byClick: (clickId: string) => Promise<SessionState | undefined>;
  /** A session that a click with this id had made was there, and was removed. */
  readonly wasClicked: (clickId: string) => Promise<boolean>;
  /** A session that came from this block was there, and was removed. */
  readonly wasUsed: (block: BlockRef) => Promise<boolean>;
  /** Lines of all sessions of a project, the newest first. */
  readonly listInfos: (project: ProjectName) => Promise<readonly SessionInfo[]>;
  /** How they were born, by their logs on the disk. */
  readonly headsOf: (project: ProjectName) => Promise<readonly SessionHead[]>;
  /** Whose sessions are where nobody says of which agent. */
  readonly defaultAgent: () => AgentName;
  /** The whole session as Markdown. */
  readonly markdownOf: (id: SessionId) => Promise<string>;
  /** Tells everybody the list of a project's sessions and contexts. */
  readonly tellList: (project: ProjectName) => void;
}

/** The registry of one project in memory, and the file that it was read from or written to last. */
export interface KeptRegistry {
  /** Of the project: another folder under its name is another registry. Absolute. */
  readonly path: string;
  registry: MetaContextRegistry;
  document: RegistryDocument;
  /** False until the file was read once: until then only the logs have told. */
  hasFile: boolean;
  /** What the file looked like then; undefined: it is to be looked at, or to be written. */
  seen: string | undefined;
  /** Why the file is not used, or behind. */
  trouble: { readonly message: string; readonly hint: string } | null;
}

export interface ContextsContext
  extends ClockContext, IdContext, LogContext, LocksContext, BackgroundContext, ConfigContext {
  readonly sessions: SessionsOfContexts;
  /** By project. A projection: the sessions' logs and the file tell the truth. */
  readonly registries: Map<ProjectName, KeptRegistry>;
}
