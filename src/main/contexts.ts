/** Joins the contexts: their operations, what they do at the start of the hall, what they want of the sessions. */
import type { ContextsContext, SessionsOfContexts } from '../features/contexts/context.ts';
import type { MetaContextInfo } from '../features/contexts/contract.ts';
import { bindContextOperations } from '../features/contexts/operations.ts';
import { recoverContexts } from '../features/contexts/reactions/recovery.ts';
import { contextsNow } from '../features/contexts/store/kept.ts';
import type { SessionsContext } from '../features/sessions/context.ts';
import { bearSession } from '../features/sessions/reactions/birth.ts';
import { readKnown, someOf } from '../features/sessions/reactions/known.ts';
import { listOf, tellList } from '../features/sessions/reactions/list.ts';
import { openSession } from '../features/sessions/reactions/live.ts';
import { projectNameSchema } from '../kernel/pure/ids.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';

export interface JoinedContexts {
  readonly feature: HallFeature;
  readonly metaContextsOf: (project: string) => readonly MetaContextInfo[];
}

/** They recover before the sessions do: what is sent then finds its context. */
export function joinContexts(
  hall: Omit<ContextsContext, 'sessions' | 'registries'> & Partial<HallContext>,
  sessions: SessionsOfContexts,
): JoinedContexts {
  const ctx: ContextsContext = { ...hall, sessions, registries: new Map() };
  return {
    feature: {
      name: 'contexts',
      operations: bindContextOperations(ctx),
      recover: async () => await recoverContexts(ctx),
    },
    metaContextsOf: (project) => {
      const name = projectNameSchema.safeParse(project);
      return name.success ? contextsNow(ctx, name.data) : [];
    },
  };
}

/** @param given what is only known where the sessions are joined */
export function sessionsOfContexts(
  ctx: SessionsContext,
  given: Pick<SessionsOfContexts, 'defaultAgent' | 'markdownOf'>,
): SessionsOfContexts {
  return {
    ...given,
    make: async (birth) => (await bearSession(ctx, birth)).state,
    find: async (id) => {
      await readKnown(ctx);
      return ctx.sessionDesk.known.has(id) ? (await openSession(ctx, id)).state : undefined;
    },
    byClick: async (clickId) => {
      await readKnown(ctx);
      const made = [...ctx.sessionDesk.known.values()].find(({ head }) => head.from?.clickId === clickId);
      return made === undefined ? undefined : (await openSession(ctx, made.id)).state;
    },
    wasClicked: async (clickId) => {
      await readKnown(ctx);
      return ctx.sessionDesk.removed.some(({ from }) => from.clickId === clickId);
    },
    wasUsed: async ({ sessionId, message, position }) => {
      await readKnown(ctx);
      return ctx.sessionDesk.removed.some(({ from: { block } }) => {
        return block?.sessionId === sessionId && block.message === message && block.position === position;
      });
    },
    listInfos: async (project) => {
      await readKnown(ctx);
      return listOf(ctx, project).sessions;
    },
    headsOf: async (project) => {
      await readKnown(ctx);
      return someOf(ctx, project).map(({ head }) => head);
    },
    tellList: (project) => tellList(ctx, project),
  };
}
