/** At the start of the hall: the registries are filled and agree with the logs; clicks that were cut off are settled. */
import { listProjects } from '../../../kernel/projects/projects.ts';
import type { ContextsContext } from '../context.ts';
import { cutOffClicks, removeClick } from '../store/journal.ts';
import { settledRegistry } from '../store/kept.ts';

/**
 * A click whose log is there counts, and the registry has it from the log's head; one without a log never was. Before
 * anything is said in a session.
 */
export async function recoverContexts(ctx: ContextsContext): Promise<void> {
  const troubled: string[] = [];
  for (const project of listProjects(ctx)) {
    const { trouble } = await settledRegistry(ctx, project);
    if (trouble !== null) troubled.push(project.name);
  }
  const cutOff = await cutOffClicks(ctx);
  if (cutOff.length > 0) ctx.log.info({ sessions: cutOff, troubled }, 'clicks had been cut off; they are settled');
  for (const id of cutOff) await removeClick(ctx, id);
}
