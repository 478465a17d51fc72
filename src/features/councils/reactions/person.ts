/** The person's word changes a council: under its lock, on disk first, then told; a question comes anew where it has to. */
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import type { Answered, AnswerFacts } from '../rules/answers.ts';
import { councilLock, type CouncilRef } from '../store/place.ts';
import { requireOwner } from '../store/secret.ts';
import { factsOf, requireSession, storeCouncil, storeQuestion } from './changing.ts';
import { announce, asItStands, liveOf } from './live.ts';
import { wakeCouncil } from './runner.ts';

export interface Change {
  readonly before: CouncilSession;
  readonly after: CouncilSession;
}

/**
 * The caller wakes the council afterwards.
 * @throws what `decide` refuses; `conflict` for a council that this hall did not start
 */
export async function changeByPerson(
  ctx: CouncilsContext,
  ref: CouncilRef,
  decide: (session: CouncilSession, facts: AnswerFacts) => Answered | Promise<Answered>,
): Promise<Change> {
  return await ctx.locks.with(councilLock(ref), async () => {
    const { setup } = await requireOwner(ctx, ref);
    const before = asItStands(ctx, ref, await requireSession(ctx, ref));
    const decided = await decide(before, { ...(await factsOf(ctx, ref)), userName: setup.userName });
    if (!decided.ok) throw new HallError(decided.refusal);
    if (decided.next === before) return { before, after: before };
    const after = await storeCouncil(ctx, ref, before, decided.next, 'the person said so');
    const live = liveOf(ctx, ref);
    live.trouble = undefined;
    // A resume is a load.
    if (before.status === 'paused' || before.status === 'halted') live.isLoaded = false;
    tellAnswer(ctx, ref, before, after);
    // A pin, say, does not end a pause.
    const isAsked = decided.again !== null && after.status === 'asking';
    return { before, after: isAsked ? await storeQuestion(ctx, ref, after, decided.again) : after };
  });
}

function tellAnswer(ctx: CouncilsContext, ref: CouncilRef, before: CouncilSession, after: CouncilSession): void {
  const { question } = before;
  const answer = answerBetween(before, after);
  if (question !== null && answer !== undefined)
    announce(ctx, ref, 'council.answered', { id: ref.id, question, answer });
}

/** What was answered, by what it did; undefined where nothing was. */
function answerBetween(before: CouncilSession, after: CouncilSession): string | undefined {
  const { question } = before;
  if (question?.kind === 'review') return after.reviews[before.reviews.length]?.disposition;
  if (question?.kind === 'pin') {
    const disposition = after.pins.find(({ id }) => id === question.pin)?.disposition;
    return disposition ?? undefined;
  }
  if (after.turnCounter > before.turnCounter) return 'interject';
  if (after.status === 'aborted') return 'abort';
  if (after.status === 'paused') return before.status === 'asking' ? 'pause' : undefined;
  if (after.question !== null) return undefined;
  return after.wrapUp && !before.wrapUp ? 'wrap-up' : 'continue';
}

/**
 * Ends the turn that runs, and pauses the council. Resolves when it stands.
 * @throws `conflict` where nothing runs
 */
export async function interruptCouncil(ctx: CouncilsContext, ref: CouncilRef): Promise<CouncilSession> {
  await requireOwner(ctx, ref);
  const session = asItStands(ctx, ref, await requireSession(ctx, ref));
  if (session.status !== 'running') {
    throw fail(
      'conflict',
      `Nobody speaks in the council ${ref.id}: it is ${session.status}.`,
      `See what it waits for: guild-hall council show ${ref.id}`,
    );
  }
  const live = liveOf(ctx, ref);
  live.isInterruptWanted = true;
  live.turn?.abort(new Error('the person interrupts it'));
  wakeCouncil(ctx, ref);
  await live.runner;
  return await requireSession(ctx, ref);
}
