/** Starts a council: an id of its own, its secret, its session file; then the engine walks it. */
import type { Project } from '../../../kernel/projects/projects.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema, type CouncilSession } from '../contract.ts';
import { wakeCouncil } from '../reactions/runner.ts';
import { beginCouncil } from '../reactions/starting.ts';
import { councilSlug } from '../rules/charter.ts';
import { startSession } from '../rules/steps.ts';
import { councilIdsLock, type CouncilRef } from '../store/place.ts';
import { scrubCouncil } from '../store/scrub.ts';
import { takenSlugs } from '../store/slugs.ts';
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
  wakeCouncil(ctx, started.ref);
  return started;
}

async function createCouncil(
  ctx: CouncilsContext,
  project: Project,
  { setup: unnamed, cadence, warnings, root }: Prepared,
  charter: string,
): Promise<Started> {
  const lost = new Set<string>();
  for (;;) {
    const taken = await takenSlugs(ctx, project.name, rootsOf(project), unnamed.date);
    const slug = councilSlug(charter, new Set([...taken, ...lost]));
    const setup = { ...unnamed, slug };
    const sessionId = councilIdSchema.parse(`${setup.date}-${slug}`);
    const ref: CouncilRef = { project, id: sessionId, root };
    const session = startSession(setup, { sessionId, project: project.name, charter, cadence, warnings });
    if (await beginCouncil(ctx, ref, session)) return { ref, session };
    lost.add(slug);
  }
}
