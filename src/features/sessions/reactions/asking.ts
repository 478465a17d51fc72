/** The agent asks whether it may do something: written down, shown, and answered by the person or by the turn's end. */
import type { PermissionAnswer, PermissionRequest, StopSignal } from '../../../kernel/agents/contract.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import { maskKnown } from '../../../kernel/secrets/scrub.ts';
import type { NewSessionEvent } from '../contract.ts';
import { runningOf } from '../fold/reading.ts';
import { boundedDiffs, boundedInput, boundedTitle } from './bounds.ts';
import { appendIf } from './live.ts';

/** Resolves when the person has answered, or when nobody waits any more. What the agent did until now is on disk first. */
export async function askPerson(
  ctx: SessionsContext,
  session: OpenSession,
  request: PermissionRequest,
  signal: StopSignal,
): Promise<PermissionAnswer> {
  await session.hearing?.();
  // A turn that is over has no place for a question.
  if (signal.aborted || session.turn === undefined || session.turn.isCancelWanted) return 'cancelled';
  const requestId = `q-${ctx.ids.random(10)}`;
  const answered = deferred<PermissionAnswer>();
  session.asked.set(requestId, answered.resolve);
  const giveUp = (): void => ctx.spawn(`take back ${requestId}`, async () => await takeBack(ctx, session, requestId));
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const question = questionOf(session, requestId, request);
    // Nobody sees a question that stands in no running answer.
    const shown = await appendIf(ctx, session, (state) => (runningOf(state) === undefined ? [] : [question]));
    return shown.length === 0 ? 'cancelled' : await answered.promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
    session.asked.delete(requestId);
  }
}

/** As it is kept: of a size that can be, and without the secrets that were said in the session. */
function questionOf({ known }: OpenSession, requestId: string, request: PermissionRequest): NewSessionEvent {
  const { callId, name, title, input, diffs, options } = request;
  const question: NewSessionEvent = {
    type: 'PermissionRequested',
    requestId,
    callId,
    name: boundedTitle(name),
    title: boundedTitle(title),
    input: boundedInput(input),
    diffs: boundedDiffs(diffs),
    options: [...options],
  };
  return { ...(maskKnown(question, known) as typeof question), requestId, callId, options: question.options };
}

/** Nobody waits for its answer any more. */
async function takeBack(ctx: SessionsContext, session: OpenSession, requestId: string): Promise<void> {
  const answer = session.asked.get(requestId);
  if (answer === undefined) return;
  session.asked.delete(requestId);
  answer('cancelled');
  await appendIf(ctx, session, ({ messages }) => {
    const isOpen = messages.some(
      (message) =>
        message.role === 'agent' &&
        message.parts.some(
          (part) => part.type === 'permission' && part.requestId === requestId && part.outcome === null,
        ),
    );
    return isOpen ? [{ type: 'PermissionResolved', requestId, outcome: 'cancelled' }] : [];
  });
}

/** All questions of the session at once: its turn is to end. */
export async function takeBackAll(ctx: SessionsContext, session: OpenSession): Promise<void> {
  for (const requestId of session.asked.keys()) await takeBack(ctx, session, requestId);
}
