/** A person's word changes a council: under its lock, on disk first, then told, then the engine goes on. */
import { HallError } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import type { Answered, AnswerFacts } from '../rules/answers.ts';
import { digestOf, sealTurn } from '../store/seal.ts';
import { councilLock, type CouncilRef } from '../store/place.ts';
import { type CouncilOwner, requireOwner } from '../store/secret.ts';
import { readSession, writeSession } from '../store/session-file.ts';
import { fail } from '../../../kernel/pure/errors.ts';

export interface Change {
  readonly before: CouncilSession;
  readonly after: CouncilSession;
}

/** @throws what `decide` refuses; `conflict` for a council that this hall did not start */
export async function changeCouncil(
  ctx: CouncilsContext,
  ref: CouncilRef,
  decide: (session: CouncilSession, facts: AnswerFacts) => Answered,
): Promise<Change> {
  return await ctx.locks.with(councilLock(ref), async () => {
    const owner = await requireOwner(ctx, ref);
    const before = await readSession(ref.root, ref.id);
    if (before === undefined)
      throw fail('not_found', `There is no council ${ref.id} any more.`, 'See: guild-hall council list');
    const decided = decide(before, factsOf(ctx, owner, before));
    if (!decided.ok) throw new HallError(decided.refusal);
    await writeSession(ctx, ref.root, decided.next);
    return { before, after: decided.next };
  });
}

function factsOf(ctx: CouncilsContext, owner: CouncilOwner, session: CouncilSession): AnswerFacts {
  return {
    at: ctx.clock.nowIso(),
    seal: (turn) => sealTurn(owner.secret, session.sessionId, turn),
    digest: digestOf,
    userName: owner.setup.userName,
  };
}
