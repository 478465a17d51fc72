/** Starts a council: an id of its own, its secret, its session file; then the engine walks it. */
import type { Project } from '../../../kernel/projects/projects.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema, type CouncilSession } from '../contract.ts';
import { councilSlug } from '../rules/charter.ts';
import { startSession } from '../rules/steps.ts';
import { councilIdsLock, type CouncilRef } from '../store/place.ts';
import { scrubCouncil } from '../store/scrub.ts';
import { listOwned, makeOwner } from '../store/secret.ts';
import { listSessionIds } from '../store/session-file.ts';
import { goOn, storeFirst, tellChange } from './engine.ts';
import { rootsOf } from './resolve.ts';
import { type Calling, type Prepared, prepareCouncil } from './setup.ts';

export interface Started {
  readonly ref: CouncilRef;
  readonly session: CouncilSession;
}

export async function startCouncil(ctx: CouncilsContext, project: Project, calling: Calling): Promise<Started> {
  const prepared = await prepareCouncil(ctx, project, calling);
  const charter = await scrubCouncil(prepared.charter);
  const started = await ctx.locks.with(councilIdsLock(project.name), async () =>
    createCouncil(ctx, project, prepared, charter),
  );
  goOn(ctx, started.ref);
  return started;
}

async function createCouncil(
  ctx: CouncilsContext,
  project: Project,
  { setup: unnamed, cadence, warnings, root }: Prepared,
  charter: string,
): Promise<Started> {
  const slug = councilSlug(charter, await slugsOfMonth(ctx, project, unnamed.date));
  const setup = { ...unnamed, slug };
  const sessionId = councilIdSchema.parse(`${setup.date}-${slug}`);
  const ref: CouncilRef = { project, id: sessionId, root };
  await makeOwner(ctx, ref, setup);
  const session = startSession(setup, { sessionId, project: project.name, charter, cadence, warnings });
  await storeFirst(ctx, ref, session);
  tellChange(ctx, ref, undefined, session);
  return { ref, session };
}

/** Of all councils of the project, whatever became of them: saved paths hold month and slug alone. */
async function slugsOfMonth(ctx: CouncilsContext, project: Project, date: string): Promise<ReadonlySet<string>> {
  const ids: string[] = await listOwned(ctx, project.name);
  for (const root of rootsOf(project)) ids.push(...(await listSessionIds(root)));
  const month = date.slice(0, 7);
  return new Set(ids.filter((id) => id.startsWith(month)).map((id) => id.slice('2026-03-31-'.length)));
}
