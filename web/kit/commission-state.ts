/** How a commission stands, in a few words. Pure. */
import type { CommissionRow } from '../../src/features/commissions/contract.ts';
import type { StateMarkProps } from './state-mark.tsx';

export type CommissionFacts = Pick<
  CommissionRow,
  'status' | 'merge' | 'queuedAt' | 'queue' | 'process' | 'openQuestions' | 'reviewedAt'
>;

/** Shape and word of its state. */
export function commissionState(facts: CommissionFacts): StateMarkProps {
  switch (facts.status) {
    case null:
      return { kind: 'failed', word: 'unreadable state' };
    case 'pending':
      return pendingState(facts);
    case 'blocked':
      return { kind: 'note', word: 'blocked' };
    case 'dispatched':
      return { kind: 'active', word: 'starting', isMoving: true };
    case 'in_progress':
      return runningState(facts);
    case 'completed':
      return completedState(facts);
    case 'failed':
      return { kind: 'failed', word: 'failed' };
    case 'cancelled':
      return { kind: 'dropped', word: 'cancelled' };
  }
}

function pendingState({ queuedAt, queue }: CommissionFacts): StateMarkProps {
  if (queuedAt === null) return { kind: 'idle', word: 'not dispatched' };
  if (queue === null || queue.because === 'starting') return { kind: 'active', word: 'starting', isMoving: true };
  return { kind: 'idle', word: `queued, ${sayPlace(queue.position)}` };
}

function runningState({ process, openQuestions }: CommissionFacts): StateMarkProps {
  if (process !== null && process.heartbeat !== 'healthy') return { kind: 'waiting', word: 'silent' };
  if (openQuestions > 0) return { kind: 'waiting', word: 'running, asks you' };
  return { kind: 'active', word: 'running', isMoving: true };
}

function completedState({ merge, reviewedAt }: CommissionFacts): StateMarkProps {
  const trouble = mergeTroubles[merge.state];
  if (trouble !== undefined) return { kind: 'failed', word: trouble };
  if (merge.state === 'none') return { kind: 'active', word: 'merging', isMoving: true };
  const word = merge.state === 'merged' ? 'done' : 'done, not merged';
  return reviewedAt === null ? { kind: 'waiting', word: 'to review' } : { kind: 'done', word };
}

const mergeTroubles: Readonly<Partial<Record<string, string>>> = {
  merge_conflict: 'merge conflict',
  gate_failed: 'check failed',
  secrets: 'secret found',
};

/** Why finished work is not merged though it was tried; undefined where it is not so. */
export function mergeTrouble(merge: Pick<CommissionRow['merge'], 'state'>): string | undefined {
  return mergeTroubles[merge.state];
}

/** `next`, `2nd`, `3rd`, `11th`. */
export function sayPlace(position: number): string {
  if (position === 1) return 'next';
  const tens = position % 100;
  const ending = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][position % 10] ?? 'th');
  return `${position}${ending}`;
}
