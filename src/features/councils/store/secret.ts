/**
 * The machine-local part of a council, `state/councils/<project>.<id>.json`: the secret of its seals, where it lives and
 * how it was called. No agent and no repository can write it; a session file without it can be shown, never run.
 */
import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../../kernel/artifacts/state-file.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema, type CouncilId, type CouncilSetup } from '../contract.ts';
import { councilSetupSchema } from '../contract/session.ts';
import { type CouncilRef, ownerFile, ownersFolder } from './place.ts';

const ownerSchema = z.object({
  /** 32 bytes, hex. */
  secret: z.string().regex(/^[0-9a-f]{64}$/),
  /** Absolute. */
  root: z.string(),
  setup: councilSetupSchema,
});
export type CouncilOwner = z.infer<typeof ownerSchema>;

type OwnerContext = Pick<CouncilsContext, 'home'>;
type MakingContext = OwnerContext & Pick<CouncilsContext, 'ids'>;
type Named = Pick<CouncilRef, 'project' | 'id'>;

export async function makeOwner(ctx: MakingContext, ref: CouncilRef, setup: CouncilSetup): Promise<CouncilOwner> {
  const owner = { secret: Buffer.from(ctx.ids.secret(), 'base64url').toString('hex'), root: ref.root, setup };
  await fileOf(ctx, ref).write(owner);
  return owner;
}

/** Undefined for a council that this hall did not start. */
export async function readOwner(ctx: OwnerContext, ref: Named): Promise<CouncilOwner | undefined> {
  return await fileOf(ctx, ref).read();
}

/** @throws `conflict` for a session that this hall did not start */
export async function requireOwner(ctx: OwnerContext, ref: Named): Promise<CouncilOwner> {
  const owner = await readOwner(ctx, ref);
  if (owner !== undefined) return owner;
  throw fail(
    'conflict',
    `The council ${ref.id} was not started by this hall, so it can be shown and not run.`,
    `Show it: guild-hall council show ${ref.id}; or start one of your own: guild-hall council run`,
  );
}

export async function removeOwner(ctx: OwnerContext, ref: Named): Promise<void> {
  await fileOf(ctx, ref).remove();
}

/** Ids of the councils that this hall started in a project. */
export async function listOwned(ctx: OwnerContext, project: string): Promise<CouncilId[]> {
  const names = await readdir(ownersFolder(ctx)).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  return names.flatMap((name) => {
    const id = name.startsWith(`${project}.`) && name.endsWith('.json') ? name.slice(project.length + 1, -5) : '';
    return councilIdSchema.safeParse(id).data ?? [];
  });
}

function fileOf(ctx: OwnerContext, ref: Named): StateFile<CouncilOwner> {
  return stateFile({ path: ownerFile(ctx, ref), schema: ownerSchema, version: 1 });
}
