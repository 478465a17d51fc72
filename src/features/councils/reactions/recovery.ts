/**
 * What is still to do when the hall starts: councils that were walking walk on from their files, those that wait go on
 * waiting. Only the turn that was under way is made again.
 */
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode, removeStaleTempFiles } from '../../../kernel/artifacts/write.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema } from '../contract.ts';
import { agentFolder, councilLock, type CouncilRef, keyOf } from '../store/place.ts';
import { defaultAgeDays, reapSessions } from '../store/reaper.ts';
import { type CouncilOwner, listOwned, readOwner, removeOwner } from '../store/secret.ts';
import { readSession } from '../store/session-file.ts';
import { isAnsweredBefore, wakeCouncil } from './runner.ts';

/** Goes through all councils that this hall started. One that cannot be read is logged and does not keep the others. */
export async function recoverCouncils(ctx: CouncilsContext): Promise<void> {
  for (const project of listProjects(ctx)) {
    const owned = await ownedBy(ctx, project);
    for (const root of rootsOf(project, owned)) await guarded(ctx, root, () => removeHalfWritten(root));
    for (const { ref } of owned) await guarded(ctx, ref.id, () => recoverOne(ctx, ref));
  }
  ctx.spawn('old council sessions', async () => await reapAll(ctx));
}

interface Owned {
  readonly ref: CouncilRef;
  readonly owner: CouncilOwner;
}

async function ownedBy(ctx: CouncilsContext, project: Project): Promise<Owned[]> {
  const owned: Owned[] = [];
  for (const id of await listOwned(ctx, project.name)) {
    await guarded(ctx, id, async () => {
      const owner = await readOwner(ctx, { project, id });
      if (owner !== undefined) owned.push({ owner, ref: { project, id, root: owner.root } });
    });
  }
  return owned;
}

function rootsOf(project: Project, owned: readonly Owned[]): ReadonlySet<string> {
  return new Set([project.integrationWorktree, ...owned.map(({ ref }) => ref.root)]);
}

/** What a killed hall left beside the files that it was writing. */
async function removeHalfWritten(root: string): Promise<void> {
  const folder = join(root, '.gaia');
  const facts = await lstat(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  });
  if (facts?.isDirectory() === true) await removeStaleTempFiles(folder);
}

async function recoverOne(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  const session = await readSession(ref.root, ref.id);
  if (session === undefined && !(await isCheckout(ref.root))) return;
  // The hall died between the two files of a start: nobody was told of it, and nothing is lost.
  if (session === undefined) await removeOwner(ctx, ref);
  else if (session.status === 'running' || isAnsweredBefore(session)) wakeCouncil(ctx, ref);
}

/** One on a disk that is not there now comes back with all that is in it. */
async function isCheckout(root: string): Promise<boolean> {
  // Whatever is in the way, nothing is forgotten for it.
  return (await lstat(join(root, '.git')).catch(() => undefined)) !== undefined;
}

/** Retention: one rule with the checkpoints beside them. What the hall keeps of a council goes with its file. */
async function reapAll(ctx: CouncilsContext): Promise<void> {
  for (const project of listProjects(ctx)) {
    const owned = await ownedBy(ctx, project);
    for (const root of rootsOf(project, owned)) {
      await guarded(ctx, root, async () => {
        await reapSessions(ctx, root, defaultAgeDays, true, async (id, remove) =>
          removeResting(ctx, project, id, remove),
        );
      });
    }
    for (const { ref } of owned) {
      await guarded(ctx, ref.id, async () => ctx.locks.with(councilLock(ref), async () => forgetWhenGone(ctx, ref)));
    }
  }
}

/** One that walks, or was written a moment ago, is not old. */
async function removeResting(
  ctx: CouncilsContext,
  project: Project,
  id: string,
  remove: () => Promise<boolean>,
): Promise<boolean> {
  const known = councilIdSchema.safeParse(id);
  if (!known.success) return await remove();
  const ref = { project, id: known.data };
  return await ctx.locks.with(councilLock(ref), async () => {
    const isWalking = ctx.liveCouncils.get(keyOf(ref))?.runner !== undefined;
    return isWalking ? false : await remove();
  });
}

async function forgetWhenGone(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  if ((await readSession(ref.root, ref.id)) !== undefined || !(await isCheckout(ref.root))) return;
  await removeOwner(ctx, ref);
  await rm(agentFolder(ctx, ref), { recursive: true, force: true });
}

async function guarded(ctx: CouncilsContext, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    ctx.log.error({ err: error, what }, 'a council could not be recovered; its files are as they were');
  }
}

/** Resolves when nothing walks any more. The hall asks all background work to end before. */
export async function restCouncils(ctx: CouncilsContext): Promise<void> {
  await Promise.all([...ctx.liveCouncils.values()].map(async ({ runner }) => runner));
}
