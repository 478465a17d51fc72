/**
 * The machine-local part of a council, `state/councils/<project>.<id>.json`: the secret of its seals, where it lives and
 * how it was called. No agent and no repository can write it; a session file without it can be shown, never run.
 */
import { readdir, realpath } from 'node:fs/promises';
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

/** Undefined for a council that this hall did not start, whatever root has a session file of that id. */
export async function readOwner(ctx: OwnerContext, ref: Named): Promise<CouncilOwner | undefined> {
  return await fileOf(ctx, ref).read();
}

/** The same for the session of this root: another root's file of the same id came from elsewhere. */
export async function ownerOf(ctx: OwnerContext, ref: CouncilRef): Promise<CouncilOwner | undefined> {
  const owner = await readOwner(ctx, ref);
  return owner !== undefined && (await isSameFolder(owner.root, ref.root)) ? owner : undefined;
}

/** Of several sessions of one id in a project, the one that this hall started; the first where none is. */
export async function ownedAmong(ctx: OwnerContext, refs: readonly CouncilRef[]): Promise<CouncilRef | undefined> {
  if (refs.length > 1) for (const ref of refs) if ((await ownerOf(ctx, ref)) !== undefined) return ref;
  return refs[0];
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  // The same by another name; what is not there is only itself.
  const [a, b] = await Promise.all([one, other].map(async (path) => await realpath(path).catch(() => path)));
  return a === b;
}

/** @throws `conflict` for a session that this hall did not start */
export async function requireOwner(ctx: OwnerContext, ref: CouncilRef): Promise<CouncilOwner> {
  const owner = await ownerOf(ctx, ref);
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
