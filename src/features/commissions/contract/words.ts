/** The words of commissions. */
import { z } from 'zod';

export const commissionStatusSchema = z.enum([
  'pending',
  'blocked',
  'dispatched',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
]);
export type CommissionStatus = z.infer<typeof commissionStatusSchema>;

/** `stale` at half the threshold of silence, `lost` at the threshold. */
export const heartbeatSchema = z.enum(['healthy', 'stale', 'lost']);
export type Heartbeat = z.infer<typeof heartbeatSchema>;

/**
 * Completed and merged are two facts. `none`: nothing to merge yet. `merge_conflict`, `gate_failed`, `secrets`: it was
 * tried, nothing was changed, and the branch is there; it can be tried again. `dismissed`: the person gave it up; the
 * branch is still there.
 */
export const mergeStateSchema = z.enum(['none', 'merged', 'merge_conflict', 'gate_failed', 'secrets', 'dismissed']);
export type MergeState = z.infer<typeof mergeStateSchema>;

export const mergeFactsSchema = z.object({ state: mergeStateSchema, files: z.array(z.string()) });
export type MergeFacts = z.infer<typeof mergeFactsSchema>;
