/** Titles, closing, opening again, removing. */
import { rm } from 'node:fs/promises';
import { syncFolder } from '../../../kernel/artifacts/write.ts';
import type { ProjectName } from '../../../kernel/pure/ids.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import type { KnownSession, OpenSession, SessionsContext } from '../context.ts';
import type { NewSessionEvent, SessionInfo } from '../contract.ts';
import { infoOf, queuedOf } from '../fold/reading.ts';
import { endAgent, removeAgentFiles } from '../reactions/agent.ts';
import { tellList } from '../reactions/list.ts';
import { appendIf, logLock, openSession } from '../reactions/live.ts';
import { cancelTurn, wakeSession } from '../reactions/turns.ts';
import { eventsAfterCrash } from '../rules/recovery.ts';
import { closeLog } from '../store/log.ts';
import { activityOf, logFile, sessionFolder, sessionsFolder } from '../store/place.ts';
import { keepRemoved } from '../store/removed.ts';
import { forgetOtherWords } from '../store/words.ts';

export interface Changed {
  readonly project: ProjectName;
  readonly session: SessionInfo;
}

function changed({ state }: OpenSession): Changed {
  return { project: state.project, session: infoOf(state) };
}

export async function rename(ctx: SessionsContext, session: OpenSession, title: string): Promise<Changed> {
  const shown = await ctx.scrub(wellFormed(title).replaceAll(/\s+/g, ' '));
  await appendIf(ctx, session, () => [{ type: 'TitleChanged', title: shown, by: 'person' }]);
  return changed(session);
}

/** Its turn ends, words that wait are taken back, its agent ends. */
export async function close(ctx: SessionsContext, session: OpenSession): Promise<Changed> {
  await appendIf(ctx, session, (state) => {
    if (state.isClosed) return [];
    const back = queuedOf(state).map(({ promptId }): NewSessionEvent => ({ type: 'PromptWithdrawn', promptId }));
    return [...back, { type: 'SessionClosed' }];
  });
  await forgetOtherWords(ctx, session.id, []);
  await cancelTurn(ctx, session);
  await endAgent(ctx, session);
  ctx.gateway.revoke(activityOf(session.state.project, session.id));
  return changed(session);
}

export async function reopen(ctx: SessionsContext, session: OpenSession): Promise<Changed> {
  await appendIf(ctx, session, ({ isClosed }) => (isClosed ? [{ type: 'SessionReopened' }] : []));
  return changed(session);
}

/** Its log could not be removed, so it is there as before; the turn that was cut off for it has ended. */
async function stays(ctx: SessionsContext, session: OpenSession): Promise<void> {
  session.isGone = false;
  await appendIf(ctx, session, eventsAfterCrash);
  wakeSession(ctx, session);
}

/** The log goes first: from then on there is no such session, and what else there is of it goes after. */
export async function remove(ctx: SessionsContext, known: KnownSession): Promise<void> {
  await ctx.locks.with(`session-remove:${known.id}`, async () => {
    // Twice at once: the other one has done it.
    if (ctx.sessionDesk.known.has(known.id)) await removeOnce(ctx, known);
  });
}

async function removeOnce(ctx: SessionsContext, { id, head, problem }: KnownSession): Promise<void> {
  const { project, from } = head;
  // Whoever has it in hand at this time finds it gone.
  const session = problem === null ? await openSession(ctx, id) : undefined;
  if (from !== null) {
    const removed = { id, project, from };
    await keepRemoved(ctx, removed);
    ctx.sessionDesk.removed.push(removed);
  }
  if (session !== undefined) {
    session.isGone = true;
    await cancelTurn(ctx, session);
    await endAgent(ctx, session);
    await ctx.locks.with(logLock(id), async () => closeLog(session.log));
  }
  try {
    await rm(logFile(ctx, id), { force: true });
  } catch (error) {
    if (session !== undefined) await stays(ctx, session);
    throw error;
  }
  await syncFolder(sessionsFolder(ctx));
  ctx.sessionDesk.known.delete(id);
  ctx.sessionDesk.open.delete(id);
  await rm(sessionFolder(ctx, id), { recursive: true, force: true });
  // Of a log that cannot be read it may not be known whose it was.
  if (project === '') return;
  await removeAgentFiles(ctx, project, id);
  tellList(ctx, project);
}
