/**
 * Which `conclave:next` blocks of a session work, and of the others why not. The page draws by it, and the hall refuses by
 * it. Pure: nothing is marked, all of it follows from the log and from the list of sessions.
 */
import type { AgentMessage, SessionInfo, SessionList, SessionState } from '../../sessions/contract/state.ts';
import type { NextBlock } from '../contract/blocks.ts';
import { blocksIn } from './blocks.ts';

export type BlockStanding =
  | { readonly works: true; readonly next: NextBlock }
  | {
      readonly works: false;
      readonly reason: 'used' | 'unfinished' | 'older-message' | 'older-phase' | 'removed' | 'no-block';
      /** For people, a sentence. */
      readonly why: string;
      /** Id of the session that it began. */
      readonly usedBy: string | null;
    };

export interface BlockPosition {
  /** Sequence number of its message. */
  readonly message: number;
  /** 0, 1, 2 … among all blocks of the message, of whatever kind. */
  readonly position: number;
}

type Spoken = Pick<SessionState, 'id' | 'messages'>;
type Known = Pick<SessionList, 'sessions' | 'metaContexts'>;

/** @param session its newest messages are enough */
export function standingOf(session: Spoken, known: Known, at: BlockPosition): BlockStanding {
  const used = usedBy(session.id, known, at);
  if (used !== undefined) return refused('used', `It is used: it began “${used.title}”.`, used.id);
  const last = session.messages.findLast((message) => message.role === 'agent');
  const isThere = session.messages.some(({ role, seq }) => role === 'agent' && seq === at.message);
  if (last === undefined || !isThere) return refused('no-block', 'It is in no answer of this session.');
  if (last.seq !== at.message)
    return refused('older-message', 'It is of an earlier answer; the agent has said more since.');
  if (last.state === 'running') return refused('unfinished', 'The answer is still being written.');
  if (last.state !== 'done') return refused('unfinished', 'The answer was cut off; ask the agent to go on.');
  const older = olderPhase(session.id, known);
  if (older !== undefined) return older;
  const block = nextBlocksOf(last).find(({ position }) => position === at.position);
  return block === undefined
    ? refused('no-block', 'No way on stands at this place of the answer.')
    : { works: true, next: block.next };
}

/** The blocks of an answer that can be pressed as far as their words go, each with its place among all its blocks. */
export function nextBlocksOf({ parts }: Pick<AgentMessage, 'parts'>): { position: number; next: NextBlock }[] {
  const found: { position: number; next: NextBlock }[] = [];
  let before = 0;
  for (const part of parts) {
    if (part.type !== 'text') continue;
    const blocks = blocksIn(part.text);
    for (const { position, block } of blocks)
      if (block.kind === 'next') found.push({ position: before + position, next: block.next });
    before += blocks.length;
  }
  return found;
}

function usedBy(sessionId: string, { sessions }: Known, { message, position }: BlockPosition): SessionInfo | undefined {
  return sessions.find(({ from }) => {
    const block = from?.block;
    return block?.sessionId === sessionId && block.message === message && block.position === position;
  });
}

/** Only the newest session of a context that still exists leads on; one that stands alone always does. */
function olderPhase(sessionId: string, { sessions, metaContexts }: Known): BlockStanding | undefined {
  const own = sessions.find(({ id }) => id === sessionId);
  if (own === undefined) return refused('removed', 'Its session was removed.');
  const context = metaContexts.find(({ id }) => id === own.metaContextId);
  if (context === undefined) return undefined;
  const newest = newestSession(context, sessions);
  if (newest === undefined || newest.id === sessionId) return undefined;
  return refused('older-phase', `It is of an earlier phase; “${context.name}” has gone on since.`);
}

/** The last of its sessions that still exists. */
export function newestSession(
  { sessionIds }: Pick<SessionList['metaContexts'][number], 'sessionIds'>,
  sessions: readonly SessionInfo[],
): SessionInfo | undefined {
  const byId = new Map(sessions.map((session) => [session.id as string, session]));
  return sessionIds.map((id) => byId.get(id)).findLast((session) => session !== undefined);
}

function refused(
  reason: Extract<BlockStanding, { works: false }>['reason'],
  why: string,
  usedById: string | null = null,
): BlockStanding {
  return { works: false, reason, why, usedBy: usedById };
}
