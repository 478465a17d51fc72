/**
 * That somebody asked this hall to start a commission: machine-local, one file a commission that is queued. A record
 * comes with its repository, and says that it is queued whoever wrote it; without this file that word starts nothing.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { type CommissionRef, keyOf, stateFolder } from './place.ts';

const wishSchema = z.object({ queuedAt: z.string() });

type WishContext = Pick<CommissionsContext, 'home' | 'engine'>;

function wishOf(ctx: WishContext, ref: CommissionRef): StateFile<z.infer<typeof wishSchema>> {
  return stateFile({ path: join(stateFolder(ctx, ref), 'wish.json'), schema: wishSchema, version: 1 });
}

/** Before the record says so: a wish without such a record starts nothing either. */
export async function keepWish(ctx: WishContext, ref: CommissionRef, queuedAt: string): Promise<void> {
  await wishOf(ctx, ref).write({ queuedAt });
  ctx.engine.wishes.set(keyOf(ref), queuedAt);
  ctx.engine.held.delete(keyOf(ref));
}

/** After the record says that it is not queued any more. */
export async function dropWish(ctx: WishContext, ref: CommissionRef): Promise<void> {
  ctx.engine.wishes.delete(keyOf(ref));
  ctx.engine.held.delete(keyOf(ref));
  await wishOf(ctx, ref).remove();
}

/** At the start of the hall. */
export async function recallWish(ctx: WishContext, ref: CommissionRef): Promise<void> {
  const wish = await wishOf(ctx, ref).read();
  if (wish !== undefined) ctx.engine.wishes.set(keyOf(ref), wish.queuedAt);
}

/** Since when it is queued by somebody's word to this hall; null where nobody asked. */
export function wishedSince(
  ctx: Pick<CommissionsContext, 'engine'>,
  ref: CommissionRef,
  { queuedAt }: Pick<CommissionRecord, 'queuedAt'>,
): string | null {
  return ctx.engine.wishes.get(keyOf(ref)) === queuedAt ? queuedAt : null;
}
