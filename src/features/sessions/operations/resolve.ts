/** From the words at a door to the session that is meant. */
import { fail } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import { requireProject } from '../../../kernel/projects/projects.ts';
import type { KnownSession, OpenSession, SessionsContext } from '../context.ts';
import { sessionKind } from '../contract.ts';
import { readKnown, someOf } from '../reactions/known.ts';
import { openSession } from '../reactions/live.ts';

export interface SessionWords {
  readonly project?: string | undefined;
  readonly id: string;
}

/** @throws HallError `not_found`, or `invalid` naming those that fit */
export async function resolveKnown(ctx: SessionsContext, { project, id }: SessionWords): Promise<KnownSession> {
  await readKnown(ctx);
  const { known } = ctx.sessionDesk;
  const among = project === undefined ? [...known.values()] : someOf(ctx, requireProject(ctx, project).name);
  const words = { noun: sessionKind, listCommand: 'guild-hall session list' };
  const meant = resolveShortId(
    id,
    among.map((one) => one.id),
    words,
  );
  return known.get(meant)!;
}

/** @throws HallError also `conflict` for one whose log cannot be read */
export async function resolveSession(ctx: SessionsContext, words: SessionWords): Promise<OpenSession> {
  const { id } = await resolveKnown(ctx, words);
  return await openSession(ctx, id);
}

/** @throws HallError `not_found` for one that was removed while something was wanted of it */
export function requireThere({ isGone, id }: OpenSession): void {
  if (isGone)
    throw fail('not_found', `Session ${id} was removed meanwhile.`, 'See what there is: guild-hall session list');
}
