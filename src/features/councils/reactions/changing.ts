/** Changes of a council: one at a time, from what its file says, told when the file has them. */
import type { CouncilsContext } from '../context.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CouncilQuestion, CouncilSession } from '../contract.ts';
import type { Facts } from '../rules/facts.ts';
import { putQuestion } from '../rules/steps.ts';
import { councilLock, type CouncilRef } from '../store/place.ts';
import { digestOf, sealTurn } from '../store/seal.ts';
import { ownerOf, requireOwner } from '../store/secret.ts';
import { readSession, writeSession } from '../store/session-file.ts';
import { announceChange, announceQuestion } from './live.ts';

export type ChangingContext = Pick<CouncilsContext, 'clock' | 'events' | 'home' | 'liveCouncils' | 'locks' | 'log'>;

/**
 * The council as its file has it. How it was called stands in the hall's own part: a repository cannot change it.
 * @throws `not_found`; `conflict` for a file that cannot be read
 */
export async function requireSession(ctx: Pick<CouncilsContext, 'home'>, ref: CouncilRef): Promise<CouncilSession> {
  const session = await readSession(ref.root, ref.id);
  if (session === undefined)
    throw fail('not_found', `There is no council ${ref.id} in ${ref.project.name}.`, 'See: guild-hall council list');
  const owner = await ownerOf(ctx, ref);
  return owner === undefined ? session : { ...session, setup: owner.setup };
}

/** What turns are sealed with, and when it is. */
export async function factsOf(ctx: Pick<CouncilsContext, 'home' | 'clock'>, ref: CouncilRef): Promise<Facts> {
  const { secret } = await requireOwner(ctx, ref);
  return { at: ctx.clock.nowIso(), seal: (turn) => sealTurn(secret, ref.id, turn), digest: digestOf };
}

/**
 * Reads, decides, writes, tells. Nothing is written where the answer of `decide` is what it was given.
 * @param reason of a change of status, for whoever looks later
 */
export async function changeCouncil(
  ctx: ChangingContext,
  ref: CouncilRef,
  reason: string,
  decide: (session: CouncilSession, facts: Facts) => CouncilSession | Promise<CouncilSession>,
): Promise<CouncilSession> {
  return await ctx.locks.with(councilLock(ref), async () => {
    const before = await requireSession(ctx, ref);
    const after = await decide(before, await factsOf(ctx, ref));
    return after === before ? before : await storeCouncil(ctx, ref, before, after, reason);
  });
}

/** The caller holds the council's lock. */
export async function storeCouncil(
  ctx: Pick<ChangingContext, 'events' | 'log'>,
  ref: CouncilRef,
  before: CouncilSession | undefined,
  after: CouncilSession,
  reason: string,
): Promise<CouncilSession> {
  await writeSession(ctx, ref.root, after);
  announceChange(ctx, ref, before, after, reason);
  return after;
}

/** Everything is on disk, then where it stands, then when it was asked; then it is asked. The caller holds the lock. */
export async function storeQuestion(
  ctx: ChangingContext,
  ref: CouncilRef,
  from: CouncilSession,
  question: CouncilQuestion,
): Promise<CouncilSession> {
  let session = from;
  for (const next of putQuestion(from, question, ctx.clock.nowIso()))
    session = await storeCouncil(ctx, ref, session, next, 'asks the person');
  announceQuestion(ctx, ref, session);
  return session;
}
