/** Joins the sessions: their agents, their operations, what they do at the start of the hall, and the contexts that they are in. */
import { join } from 'node:path';
import { createSessionDesk, type SessionsContext } from '../features/sessions/context.ts';
import { sessionKind } from '../features/sessions/contract.ts';
import { agentNameSchema, type SessionAgent } from '../features/sessions/contract/words.ts';
import { bindSessions } from '../features/sessions/operations.ts';
import { busySessions, runningSessions, waitingSessions } from '../features/sessions/operations/waiting.ts';
import { someOf, writeIndex } from '../features/sessions/reactions/known.ts';
import { closeLogs, openSession } from '../features/sessions/reactions/live.ts';
import { recoverSessions } from '../features/sessions/reactions/recovery.ts';
import { markdownOf } from '../features/sessions/rules/markdown.ts';
import type { HallContext } from './context.ts';
import { joinContexts, type JoinedContexts, sessionsOfContexts } from './contexts.ts';
import type { HallFeature } from './feature.ts';
import { packageRoot } from './package.ts';

/** Contexts recover first: what is sent then finds its context. */
export function joinSessions(hall: HallContext): HallFeature[] {
  const ctx: SessionsContext = {
    ...hall,
    sessionDesk: createSessionDesk(),
    driverOf: hall.agents.driverOf,
    defaultAgent: () => agentNameSchema.parse(hall.config().sessions.default),
    listAgents: async () => await listAgents(hall),
    metaContextsOf: (project) => contexts.metaContextsOf(project),
    plugins: [join(packageRoot(), 'plugin')],
  };
  const contexts: JoinedContexts = joinContexts(
    hall,
    sessionsOfContexts(ctx, {
      defaultAgent: ctx.defaultAgent,
      markdownOf: async (id) => markdownOf((await openSession(ctx, id)).state),
    }),
  );
  return [contexts.feature, featureOf(ctx)];
}

async function listAgents({ agents }: HallContext): Promise<readonly SessionAgent[]> {
  return (await agents.list()).map(({ name, title, kind, isOwn, isInstalled, takesGateway, install }) => ({
    name: agentNameSchema.parse(name),
    title,
    kind,
    isOwn,
    isInstalled,
    takesGateway,
    hint: isInstalled ? '' : install,
  }));
}

function featureOf(ctx: SessionsContext): HallFeature {
  return {
    name: 'sessions',
    operations: bindSessions(ctx),
    recover: async () => await recoverSessions(ctx),
    stop: async () => {
      await Promise.all([...ctx.sessionDesk.open.values()].map(async ({ pump }) => await pump));
      await writeIndex(ctx);
      await closeLogs(ctx);
    },
    running: async (project) => await busySessions(ctx, project),
    activityKind: sessionKind,
    endCommand: (id) => `guild-hall session close ${id}`,
    activities: async (project) => await runningSessions(ctx, project),
    talks: (project) => new Map(someOf(ctx, project).map(({ id, info }) => [id, info.title])),
    waiting: async () => await waitingSessions(ctx),
  };
}
