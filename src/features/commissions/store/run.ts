/**
 * What a commission is in the middle of: machine-local, one file a commission, there from the reservation of its place
 * to the last step of its end. After a crash it tells what is still to do.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import { namesIn } from '../../../kernel/artifacts/names.ts';
import { processIdentitySchema } from '../../../kernel/processes/identity.ts';
import { type HomePaths } from '../../../kernel/projects/home.ts';
import { activityIdSchema, projectNameSchema } from '../../../kernel/pure/ids.ts';
import { type CommissionId, commissionIdSchema } from '../contract.ts';
import { endClassSchema } from '../contract/journal.ts';
import { usageSchema } from '../contract/usage.ts';
import { type CommissionRef, stateFolder } from './place.ts';

const causeSchema = z.enum(['exit', 'unresponsive', 'cancel', 'restart', 'not_started']);
const exitSchema = z.union([
  z.literal('unknown'),
  z.object({ code: z.number().nullable(), signal: z.string().nullable() }),
]);

/** What was decided stays decided: a step that is done again after a crash finds the same words. */
const decidedSchema = z.object({
  to: z.enum(['completed', 'failed', 'cancelled']),
  reason: z.string(),
  hint: z.string(),
  anomalies: z.array(z.string()),
  errorClass: endClassSchema.nullable(),
  retryAfterMs: z.number().nullable(),
  /** When it ended, ISO 8601. */
  at: z.string(),
});
export type Decided = z.infer<typeof decidedSchema>;

export const endingSchema = z.object({
  cause: causeSchema,
  /** Of a cancellation, and of what could not be started. */
  reason: z.string(),
  hint: z.string(),
  exit: exitSchema,
  /** When a process that was asked to end is forced, milliseconds since 1970; null: at once. */
  graceUntilMs: z.number().nullable(),
  decided: decidedSchema.nullable(),
  /** The state, and the merge where there is one, are in the record: only clean-up is left. */
  isWritten: z.boolean(),
});
export type EndingState = z.infer<typeof endingSchema>;

const runSchema = z.object({
  project: projectNameSchema,
  id: activityIdSchema,
  attempt: z.int().min(1),
  /** Of this attempt alone; its processes have it in their environment. */
  token: z.string().min(20),
  /**
   * `reserved`: its place is taken. `preparing`: branch, worktree, activation. `starting`: a process may be there, its
   * identity is not known yet. `running`: it is. `ending`: it is being ended. `waiting`: it failed and is tried again later.
   */
  step: z.enum(['reserved', 'preparing', 'starting', 'running', 'ending', 'waiting']),
  reservedAt: z.string(),
  /** Tip of the integration branch when the branch was made; null before that. */
  base: z.string().nullable(),
  process: processIdentitySchema.nullable(),
  processStartedAt: z.string().nullable(),
  /** Number of the last journal line that readers of the event stream have been told of. */
  told: z.number(),
  /** Usage of the attempts before this one. */
  usageBefore: usageSchema.nullable(),
  ending: endingSchema.nullable(),
  /** When it is dispatched again by itself, ISO 8601, and why. */
  retry: z.object({ at: z.string(), reason: z.string() }).nullable(),
});
export type CommissionRun = z.infer<typeof runSchema>;

interface HomeContext {
  readonly home: Pick<HomePaths, 'state' | 'worktrees'>;
}

export function runOf(ctx: HomeContext, ref: CommissionRef): StateFile<CommissionRun> {
  return stateFile({ path: join(stateFolder(ctx, ref), 'run.json'), schema: runSchema, version: 1 });
}

/**
 * Reads, changes and writes it; undefined where there is none, or it is of another attempt by now. The caller holds the
 * commission's lock.
 */
export async function changeRun(
  ctx: HomeContext,
  ref: CommissionRef,
  attempt: number,
  change: (run: CommissionRun) => CommissionRun,
): Promise<CommissionRun | undefined> {
  const file = runOf(ctx, ref);
  const before = await file.read();
  if (before === undefined || before.attempt !== attempt) return undefined;
  const after = change(before);
  await file.write(after);
  return after;
}

/** Every commission that has anything machine-local, with the numbers of its attempts' folders. */
export async function listStateFolders(
  ctx: HomeContext,
): Promise<readonly { readonly project: string; readonly id: CommissionId; readonly attempts: readonly number[] }[]> {
  const root = join(ctx.home.state, 'commissions');
  const found = [];
  for (const name of await namesIn(root)) {
    const [project = '', stem = '', more] = name.split('.');
    const id = commissionIdSchema.safeParse(stem);
    if (more !== undefined || !id.success) continue;
    const names = await namesIn(join(root, name));
    const attempts = names.filter((each) => /^[1-9]\d*$/.test(each)).map(Number);
    found.push({ project, id: id.data, attempts: attempts.toSorted((x, y) => x - y) });
  }
  return found;
}
