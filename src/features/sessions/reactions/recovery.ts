/** What is still to do when the hall starts. */
import type { SessionsContext } from '../context.ts';
import type { SessionId } from '../contract.ts';
import { listProjects } from '../../../kernel/projects/projects.ts';
import { queuedOf } from '../fold/reading.ts';
import { forgetOtherWords } from '../store/words.ts';
import { eventsAfterCrash, nextPrompt } from '../rules/recovery.ts';
import { readKnown, removeLeftFolders } from './known.ts';
import { appendIf, openSession } from './live.ts';
import { wakeSession } from './turns.ts';

/**
 * Turns that were cut off end as interrupted; words that waited are sent. A session that cannot be taken up is logged
 * and does not keep the others.
 */
export async function recoverSessions(ctx: SessionsContext): Promise<void> {
  await readKnown(ctx);
  await removeLeftFolders(ctx);
  const unfinished = [...ctx.sessionDesk.known.values()].filter(({ isUnfinished }) => isUnfinished);
  for (const { id } of unfinished) {
    try {
      await recoverOne(ctx, id);
    } catch (error) {
      ctx.log.error({ err: error, session: id }, 'a session could not be taken up; its log is as it was');
    }
  }
}

async function recoverOne(ctx: SessionsContext, id: SessionId): Promise<void> {
  const session = await openSession(ctx, id);
  await appendIf(ctx, session, eventsAfterCrash);
  const waiting = queuedOf(session.state).map(({ promptId }) => promptId);
  await forgetOtherWords(ctx, id, waiting);
  const isRegistered = listProjects(ctx).some(({ name }) => name === session.state.project);
  if (isRegistered && nextPrompt(session.state) !== undefined) wakeSession(ctx, session);
}
