/** The list of a project's sessions, and telling it. */
import { someOf } from './known.ts';
import type { SessionsContext } from '../context.ts';
import type { SessionList } from '../contract.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';

/** Of what is known: call after `readKnown`. Newest first. */
export function listOf(ctx: SessionsContext, project: string): SessionList {
  const sessions = someOf(ctx, project)
    .map(({ info }) => info)
    .toSorted((one, other) => compare(other.createdAt, one.createdAt) || compare(other.id, one.id));
  return { project: projectNameSchema.parse(project), sessions, metaContexts: ctx.metaContextsOf(project) };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Says to everybody which sessions and contexts there are now. */
export function tellList(ctx: SessionsContext, project: string): void {
  ctx.events.publish({ type: 'session.list', project, subject: null, data: listOf(ctx, project) });
}
