/** Commissions by what is to be known of them, and those that a filter means. Pure. */
import type { CommissionRow } from '../../../src/features/commissions/contract.ts';
import { mergeTrouble } from '../../kit/commission-state.ts';

export const groupNames = ['running', 'queued', 'blocked', 'pending', 'review', 'failed', 'done'] as const;
export type GroupName = (typeof groupNames)[number];

export const groupTitles: Readonly<Record<GroupName, string>> = {
  running: 'Running',
  queued: 'Queued',
  blocked: 'Blocked',
  pending: 'Not dispatched',
  review: 'Waiting for your review',
  failed: 'Failed',
  done: 'Done',
};

export type GroupedRow = Pick<CommissionRow, 'status' | 'queuedAt' | 'merge' | 'reviewedAt'>;

export function groupOf({ status, queuedAt, merge, reviewedAt }: GroupedRow): GroupName {
  switch (status) {
    case 'dispatched':
    case 'in_progress':
      return 'running';
    case 'pending':
      return queuedAt === null ? 'pending' : 'queued';
    case 'blocked':
      return 'blocked';
    case 'completed':
      // Its end is under way.
      if (merge.state === 'none') return 'running';
      if (mergeTrouble(merge) !== undefined) return 'review';
      return reviewedAt === null ? 'review' : 'done';
    case 'cancelled':
      return 'done';
    case 'failed':
    case null:
      return 'failed';
  }
}

export interface Group {
  readonly name: GroupName;
  readonly rows: readonly CommissionRow[];
}

/** Those that have any, in the order in which they stand on the page; within each the order of the list. */
export function groupsOf(rows: readonly CommissionRow[]): readonly Group[] {
  return groupNames
    .map((name) => ({ name, rows: rows.filter((row) => groupOf(row) === name) }))
    .filter((group) => group.rows.length > 0);
}

export interface Filter {
  readonly words?: string | undefined;
  readonly worker?: string | undefined;
  readonly state?: GroupName | undefined;
}

/** Every word stands somewhere in what a row says. */
export function isMeant(row: CommissionRow, { words = '', worker, state }: Filter): boolean {
  if (worker !== undefined && row.worker !== worker) return false;
  if (state !== undefined && groupOf(row) !== state) return false;
  const text = [row.title, row.id, row.project, row.worker, row.currentProgress, ...row.tags, ...row.missing]
    .join('\n')
    .toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
