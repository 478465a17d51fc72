/** How long the files of an attempt are kept. Pure. */
import type { CommissionRecord } from '../contract.ts';

/** After the last change of an attempt's folder, which is its end. Milliseconds. */
export const keptMs = 30 * 24 * 60 * 60 * 1000;

export function isOld(changedMs: number, nowMs: number): boolean {
  return nowMs - changedMs >= keptMs;
}

/**
 * Whether nothing asks any more for what an attempt left: it is over, and nothing of it waits to be merged. Undefined:
 * the record was deleted.
 */
export function mayForget(record: Pick<CommissionRecord, 'status' | 'merge'> | undefined): boolean {
  switch (record?.status) {
    case undefined:
    case 'failed':
    case 'cancelled':
      return true;
    case 'completed':
      return record.merge.state === 'merged' || record.merge.state === 'dismissed';
    default:
      return false;
  }
}
