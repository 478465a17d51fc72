/** What the rest of the program may know of sessions: words, shapes, events. */
import type { ProjectName } from '../../kernel/pure/ids.ts';
import type { SessionEvent } from './contract/events.ts';
import type { SessionInfo, SessionList } from './contract/state.ts';
import type { SessionId, SessionUsage } from './contract/words.ts';

export type { NewSessionEvent, SessionEvent } from './contract/events.ts';
export type {
  AgentMessage,
  MessagePart,
  MetaContextInfo,
  PermissionPart,
  PersonMessage,
  SessionInfo,
  SessionList,
  SessionMessage,
  SessionState,
  SessionView,
  ToolPart,
} from './contract/state.ts';
export type {
  BlockRef,
  Choice,
  Diff,
  ImageRef,
  SessionAgent,
  SessionId,
  SessionUsage,
  StopReason,
} from './contract/words.ts';

/** The word for them: of their activities, and of events, whose subject is `session:<id>`. */
export const sessionKind = 'session';

/** Messages that a view holds at most. */
export const mostMessages = 24;

/** Longest words of a prompt. Characters. */
export const maxPrompt = 200_000;

/** Images of one prompt, and bytes of all of them together: with the words they must fit through every door. */
export const maxImages = 8;
export const maxImagesBytes = 1_300_000;

/** Events of the hall's stream; each is told when the log has it. */
export interface SessionHallEvents {
  /** Subject `session:<id>`: what was added to its log, in order, without gaps. */
  'session.logged': { readonly id: SessionId; readonly events: readonly SessionEvent[] };
  /** Subject `session:<id>`: what an ended turn used. */
  'session.turn_usage': SessionUsage;
  /** Subject null, of the project: a session or a context was made, or a session added to a context, or removed. */
  'session.list': SessionList;
  /** Subject `session:<id>`: its line in the list is another (state, title, last time). */
  'session.changed': { readonly project: ProjectName; readonly session: SessionInfo };
}
