/** How commissions stand, in a mark and words: the same in lists, graphs and while somebody waits. */
import type { CommissionStatus, HoldUp, MergeState } from '../../../features/commissions/contract.ts';
import { type Format, marked, type Terminal } from '../terminal.ts';

const marks: Readonly<Record<CommissionStatus, readonly [string, Format]>> = {
  pending: ['○ pending', 'dim'],
  blocked: ['◐ blocked', 'yellow'],
  dispatched: ['● dispatched', 'green'],
  in_progress: ['● in progress', 'green'],
  completed: ['✓ completed', 'green'],
  failed: ['▲ failed', 'red'],
  cancelled: ['– cancelled', 'dim'],
};

/** Completed and merged are two facts; the mark is that of the graver one. */
const completedMarks: Readonly<Record<MergeState, readonly [string, Format]>> = {
  none: ['✓ completed', 'green'],
  merged: ['✓ completed, merged', 'green'],
  merge_conflict: ['▲ completed, conflict', 'red'],
  gate_failed: ['▲ completed, check failed', 'red'],
  secrets: ['▲ completed, secret found', 'red'],
  dismissed: ['✓ completed, not merged', 'dim'],
};

export interface Standing {
  readonly status: CommissionStatus | null;
  readonly merge: MergeState;
  readonly queue?: Pick<HoldUp, 'position' | 'because'> | null;
}

export function stateMark({ status, merge, queue }: Standing): readonly [string, Format] {
  if (status === null) return ['▲ unreadable', 'red'];
  if (status === 'completed') return completedMarks[merge];
  if (status === 'pending' && queue) return [`◐ queued ${queue.position}`, 'yellow'];
  return marks[status];
}

export function stateWord(standing: Standing, term: Terminal): string {
  return marked(term, stateMark(standing));
}
