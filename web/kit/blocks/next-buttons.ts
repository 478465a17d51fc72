/** Where a `conclave:next` block stands, so that a page can make a button of it. Without a place it is drawn as words. */
import { createContext, type ReactNode } from 'react';
import type { NextBlock } from '../../../src/features/contexts/contract/blocks.ts';
import { blocksIn } from '../../../src/features/contexts/fold/blocks.ts';
import type { AgentMessage, BlockRef, SessionId } from '../../../src/features/sessions/contract.ts';

/** Draws a block of a session's message: a button, or why there is none. */
export type RenderNext = (next: NextBlock, block: BlockRef, messageState: AgentMessage['state']) => ReactNode;

/** The text that is drawn is a part of this message. */
export interface BlocksPlace {
  readonly sessionId: SessionId;
  readonly message: Pick<AgentMessage, 'seq' | 'state'>;
  /** How many blocks the parts of the message before this one have. */
  readonly before: number;
  readonly render: RenderNext;
}

export const BlocksPlaceContext = createContext<BlocksPlace | null>(null);

const counts = new WeakMap<object, number>();

/** How many blocks a text has. @param of an object that is another one when the text is: it is read once */
export function countBlocks(of: object, text: string): number {
  if (!text.includes('conclave:')) return 0;
  const known = counts.get(of);
  if (known !== undefined) return known;
  const count = blocksIn(text).length;
  counts.set(of, count);
  return count;
}
