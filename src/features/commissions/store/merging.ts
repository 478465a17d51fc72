/** How far the merge of one attempt has come: machine-local, from the saving of its work until its place is released. */
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import type { HomePaths } from '../../../kernel/projects/home.ts';
import { type CommissionRef, keyOf, stateFolder } from './place.ts';

const gateResultSchema = z.object({
  /** The commit that was checked. */
  tip: z.string(),
  ok: z.boolean(),
  /** When it ended. */
  at: z.string(),
  command: z.string(),
  /** The end of it, masked. */
  output: z.string(),
});
export type GateResult = z.infer<typeof gateResultSchema>;

const mergingSchema = z.object({
  attempt: z.int().min(1),
  /** Tip of the branch when all that the worker left was on it; null: there was no branch. */
  saved: z.string().nullable(),
  /** A check runs, or ran, in the worktree: what it leaves there is not the worker's, and is not kept. */
  isChecking: z.boolean(),
  gate: gateResultSchema.nullable(),
  allowSecrets: z.boolean(),
  /** The time that stands in the entry of the timeline: kept, so that a merge that is done again makes the same commit. */
  at: z.string().nullable(),
  /** It was tried and not merged: not tried again before somebody asks for it. */
  isOver: z.boolean(),
  /** The commit on the integration branch. */
  commit: z.string().nullable(),
});
export type MergingState = z.infer<typeof mergingSchema>;

interface HomeContext {
  readonly home: Pick<HomePaths, 'state' | 'worktrees'>;
}

export function mergingOf(ctx: HomeContext, ref: CommissionRef): StateFile<MergingState> {
  return stateFile({ path: join(stateFolder(ctx, ref), 'merge.json'), schema: mergingSchema, version: 1 });
}

/** That of this attempt, or a fresh one. */
export async function readMerging(ctx: HomeContext, ref: CommissionRef, attempt: number): Promise<MergingState> {
  const state = await mergingOf(ctx, ref).read();
  if (state?.attempt === attempt) return state;
  return {
    attempt,
    saved: null,
    isChecking: false,
    gate: null,
    allowSecrets: false,
    at: null,
    isOver: false,
    commit: null,
  };
}

/** One at a time: saving, checking and merging the work of a commission, and giving a merge up. */
export function mergingLock(ref: CommissionRef): string {
  return `merging:${keyOf(ref)}`;
}
