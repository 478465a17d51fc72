/** What a node of the graph says. Pure. */
import type { CommissionGraph } from '../../../src/features/commissions/contract.ts';
import { mergeTrouble, sayPlace } from '../../kit/commission-state.ts';
import type { StateMarkProps } from '../../kit/state-mark.tsx';

export type Node = CommissionGraph['nodes'][number];
export type CommissionNode = Extract<Node, { kind: 'commission' }>;
export type PathNode = Extract<Node, { kind: 'path' }>;

export function isCommission(node: Node): node is CommissionNode {
  return node.kind === 'commission';
}

/** Less is known of a node than of a row: neither questions nor the review. */
export function nodeState({ status, merge, position }: CommissionNode): StateMarkProps {
  switch (status) {
    case null:
      return { kind: 'failed', word: 'unreadable state' };
    case 'pending':
      return { kind: 'idle', word: position === null ? 'not dispatched' : `queued, ${sayPlace(position)}` };
    case 'blocked':
      return { kind: 'note', word: 'blocked' };
    case 'dispatched':
      return { kind: 'active', word: 'starting', isMoving: true };
    case 'in_progress':
      return { kind: 'active', word: 'running', isMoving: true };
    case 'completed': {
      const trouble = mergeTrouble({ state: merge });
      if (trouble !== undefined) return { kind: 'failed', word: trouble };
      if (merge === 'none') return { kind: 'active', word: 'merging', isMoving: true };
      return { kind: 'done', word: merge === 'merged' ? 'merged' : 'done, not merged' };
    }
    case 'failed':
      return { kind: 'failed', word: 'failed' };
    case 'cancelled':
      return { kind: 'dropped', word: 'cancelled' };
  }
}

export function pathState({ isThere }: PathNode): StateMarkProps {
  return isThere ? { kind: 'done', word: 'is there' } : { kind: 'idle', word: 'not there yet' };
}
