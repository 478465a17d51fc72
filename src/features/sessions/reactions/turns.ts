/**
 * Turns: the prompts of a session are answered one at a time, in order. A prompt is on disk before it is acknowledged;
 * that its turn began is on disk before it is sent.
 */
import type { AgentErrorClass, AgentEvent, PromptPart } from '../../../kernel/agents/contract.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { type AgentSessionId, agentSessionIdSchema } from '../../../kernel/pure/ids.ts';
import type { LiveTurn, OpenSession, SessionsContext } from '../context.ts';
import type { NewSessionEvent, PersonMessage, StopReason } from '../contract.ts';
import { openPermissionsOf, runningOf } from '../fold/reading.ts';
import { nextPrompt } from '../rules/recovery.ts';
import { summaryFor } from '../rules/summary.ts';
import { readImage } from '../store/images.ts';
import { maskKnown } from '../../../kernel/secrets/scrub.ts';
import { forgetWords, readWords } from '../store/words.ts';
import { dropAgent, ensureAgent, renewAgent } from './agent.ts';
import { takeBackAll } from './asking.ts';
import { beginHearing, hear, type Hearing, writeHeard } from './hearing.ts';
import { append, appendIf } from './live.ts';
import { againMs, pause, untilWritten } from './pausing.ts';

/** An agent that was told to stop has so long before it is ended. Milliseconds. */
const cancelGraceMs = 5_000;

interface Ending {
  readonly stopReason: StopReason;
  readonly error?: { readonly errorClass: AgentErrorClass; readonly message: string; readonly hint: string };
}

/** Starts answering what waits, unless that is under way already. */
export function wakeSession(ctx: SessionsContext, session: OpenSession): void {
  if (session.pump !== undefined || session.isGone) return;
  const finished = deferred();
  session.pump = finished.promise;
  ctx.spawn(`session ${session.id}`, async (stopping) => {
    try {
      await answerAll(ctx, session, stopping);
    } finally {
      session.pump = undefined;
      finished.resolve();
    }
    // Words that came after the last look find somebody.
    if (!stopping.aborted && nextPrompt(session.state) !== undefined) wakeSession(ctx, session);
  });
}

async function answerAll(ctx: SessionsContext, session: OpenSession, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && !session.isGone) {
    try {
      const prompt = await beginTurn(ctx, session);
      if (prompt === undefined) return;
      await answerOne(ctx, session, session.turn!, prompt, stopping);
    } catch (error) {
      ctx.log.error({ err: error, session: session.id }, 'a session cannot go on now; it is tried again');
      await pause(ctx, againMs, stopping);
    }
  }
}

interface Prompt extends PersonMessage {
  /** As they were said; the log may have them masked. */
  readonly said: string;
}

async function beginTurn(ctx: SessionsContext, session: OpenSession): Promise<Prompt | undefined> {
  const prompt = nextPrompt(session.state);
  if (prompt === undefined || session.isGone) return undefined;
  const { promptId } = prompt;
  const said = await readWords(ctx, session.id, promptId);
  try {
    const begun = await appendIf(ctx, session, (state) => {
      // It may have been withdrawn meanwhile.
      if (nextPrompt(state)?.promptId !== promptId) return [];
      // As soon as others see it begun, they can stop it.
      session.turn = { promptId, isCancelWanted: false, giveUp: new AbortController(), over: deferred() };
      return [{ type: 'TurnStarted', promptId }];
    });
    if (begun.length === 0) return await beginTurn(ctx, session);
  } catch (error) {
    endLiveTurn(session);
    throw error;
  }
  return { ...prompt, said: said ?? prompt.text };
}

function endLiveTurn(session: OpenSession): void {
  const { turn } = session;
  session.turn = undefined;
  turn?.over.resolve();
}

async function answerOne(
  ctx: SessionsContext,
  session: OpenSession,
  turn: LiveTurn,
  prompt: Prompt,
  stopping: AbortSignal,
): Promise<void> {
  const stop = (): void => ctx.spawn(`stop ${session.id}`, async () => void (await cancelTurn(ctx, session)));
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  const hearing = beginHearing(session, prompt.said);
  try {
    await forgetWordsOf(ctx, session, prompt);
    const ending = await orGivenUp(ctx, session, turn, answered(ctx, session, prompt, hearing));
    await endTurn(ctx, session, hearing, ending, stopping);
  } finally {
    stopping.removeEventListener('abort', stop);
    hearing.isOver = true;
    session.known = hearing.masking.known;
    endLiveTurn(session);
  }
}

/** They are on their way: what cannot be taken off the disk now is taken off at the next start. */
async function forgetWordsOf(ctx: SessionsContext, { id }: OpenSession, { promptId }: Prompt): Promise<void> {
  try {
    await forgetWords(ctx, id, promptId);
  } catch (error) {
    ctx.log.error({ err: error, session: id }, 'words that were said cannot be removed');
  }
}

/** An agent that does not answer any more cannot keep a turn open. */
async function orGivenUp(
  ctx: SessionsContext,
  session: OpenSession,
  turn: LiveTurn,
  work: Promise<Ending>,
): Promise<Ending> {
  const givenUp = deferred<Ending>();
  const giveUp = (): void => givenUp.resolve({ stopReason: 'interrupted' });
  turn.giveUp.signal.addEventListener('abort', giveUp, { once: true });
  const ending = await Promise.race([work, givenUp.promise]);
  if (turn.giveUp.signal.aborted)
    ctx.spawn(`end the agent of ${session.id}`, async () => await dropAgent(ctx, session));
  return ending;
}

/** Never rejects: what went wrong is how the turn ended. */
async function answered(ctx: SessionsContext, session: OpenSession, prompt: Prompt, hearing: Hearing): Promise<Ending> {
  try {
    return await promptOrRenew(ctx, session, prompt, hearing);
  } catch (error) {
    if (session.turn?.isCancelWanted === true) return { stopReason: 'interrupted' };
    ctx.log.error({ err: error, session: session.id }, 'a turn failed outside the agent');
    const { message, hint, details } = errorFactsOf(error);
    const errorClass = (details?.['errorClass'] as AgentErrorClass | undefined) ?? 'crashed';
    return { stopReason: 'failed', error: { errorClass, message, hint } };
  }
}

/** A session that the agent does not know any more is begun anew, once, from what was said. */
async function promptOrRenew(
  ctx: SessionsContext,
  session: OpenSession,
  prompt: Prompt,
  hearing: Hearing,
): Promise<Ending> {
  const { agentSessionId, messages } = session.state;
  const before = messages.filter(({ promptId }) => promptId !== prompt.promptId);
  const parts = await partsOf(ctx, session, prompt);
  const summary = (): PromptPart[] => {
    const text = summaryFor(before);
    return text === '' ? [] : [{ type: 'text', text }];
  };
  if (agentSessionId === null) {
    return await promptAgent(ctx, session, { parts: [...summary(), ...parts], resume: null, reason: 'new' }, hearing);
  }
  const resume = agentSessionIdSchema.parse(agentSessionId);
  const first = await promptAgent(ctx, session, { parts, resume, reason: 'new' }, hearing);
  if (first.error?.errorClass !== 'expired_session' || hearing.isOver) return first;
  const renewed = await renewAgent(ctx, session);
  return await promptAgent(
    ctx,
    session,
    { parts: [...summary(), ...parts], resume: renewed, reason: 'renewed' },
    hearing,
  );
}

async function partsOf(ctx: SessionsContext, session: OpenSession, prompt: Prompt): Promise<PromptPart[]> {
  const images = await Promise.all(
    prompt.images.map(async ({ name, mimeType }): Promise<PromptPart> => {
      const data = (await readImage(ctx, session.id, name)).toString('base64');
      return { type: 'image', mimeType, data };
    }),
  );
  return [...images, { type: 'text', text: prompt.said }];
}

interface Asked {
  readonly parts: readonly PromptPart[];
  readonly resume: AgentSessionId | null;
  /** Of the agent's own session, where it tells another one than that. */
  readonly reason: 'new' | 'renewed';
}

async function promptAgent(
  ctx: SessionsContext,
  session: OpenSession,
  { parts, resume, reason }: Asked,
  hearing: Hearing,
): Promise<Ending> {
  const { turn } = session;
  const agent = await ensureAgent(ctx, session);
  if (turn === undefined || turn.isCancelWanted || hearing.isOver) return { stopReason: 'interrupted' };
  session.hearing = async () => await writeHeard(ctx, hearing);
  for await (const event of agent.prompt(parts, resume === null ? {} : { resume })) {
    if (hearing.isOver) return { stopReason: 'interrupted' };
    const ending = endingOf(event);
    if (ending !== undefined) return ending;
    if (event.type === 'session') {
      if (event.sessionId === session.state.agentSessionId) continue;
      await writeHeard(ctx, hearing);
      await append(ctx, session, [{ type: 'AgentSessionStarted', agentSessionId: event.sessionId, reason }]);
    } else hear(ctx, hearing, event);
  }
  const message = 'The agent ended its turn without saying how it ended.';
  const hint = 'Say it again; `guild-hall logs` has the details.';
  return { stopReason: 'failed', error: { errorClass: 'protocol', message, hint } };
}

function endingOf(event: AgentEvent): Ending | undefined {
  if (event.type === 'end') return { stopReason: event.reason };
  if (event.type !== 'error') return undefined;
  const { errorClass, message, hint } = event;
  if (errorClass === 'aborted') return { stopReason: 'interrupted' };
  return { stopReason: 'failed', error: { errorClass, message, hint } };
}

/** After these the agent's program is not trusted to go on. */
const lost: readonly AgentErrorClass[] = ['crashed', 'protocol', 'expired_session'];

async function endTurn(
  ctx: SessionsContext,
  session: OpenSession,
  hearing: Hearing,
  given: Ending,
  stopping: AbortSignal,
): Promise<void> {
  const wasHeard = await writeHeard(ctx, hearing).then(
    () => true,
    () => false,
  );
  hearing.isOver = true;
  const ending: Ending = wasHeard ? given : notKept(hearing.failure);
  await untilWritten(ctx, session, stopping, async () => {
    await appendIf(ctx, session, (state) => {
      const running = runningOf(state);
      if (running === undefined) return [];
      const { promptId, usage } = running;
      return [
        ...openPermissionsOf(state).map(({ requestId }): NewSessionEvent => ({
          type: 'PermissionResolved',
          requestId,
          outcome: 'cancelled',
        })),
        ...(ending.error === undefined ? [] : [errorEvent(session, ending.error)]),
        { type: 'TurnCompleted', promptId, stopReason: ending.stopReason, usage },
      ];
    });
  });
  if (ending.error !== undefined && lost.includes(ending.error.errorClass)) await dropAgent(ctx, session);
  const { agentSessionId, isClosed } = session.state;
  if (ending.stopReason === 'done' && agentSessionId !== null && !isClosed && !stopping.aborted) {
    session.agent?.prepare(agentSessionIdSchema.parse(agentSessionId));
  }
}

function errorEvent({ known }: OpenSession, error: NonNullable<Ending['error']>): NewSessionEvent {
  return maskKnown({ type: 'ErrorOccurred', ...error }, known) as NewSessionEvent;
}

function notKept(failure: unknown): Ending {
  const { message, hint } = errorFactsOf(failure);
  return {
    stopReason: 'failed',
    error: { errorClass: 'crashed', message: `The answer could not be kept: ${message}`, hint },
  };
}

/** Ends the running turn, also where the agent does not answer. @returns false where none runs; else when it is over */
export async function cancelTurn(ctx: SessionsContext, session: OpenSession): Promise<boolean> {
  const { turn } = session;
  if (turn === undefined) return false;
  turn.isCancelWanted = true;
  await takeBackAll(ctx, session);
  const waited = new AbortController();
  ctx.spawn(`interrupt ${session.id}`, async () => await session.agent?.interrupt());
  ctx.spawn(`give up the turn of ${session.id}`, async () => {
    await pause(ctx, cancelGraceMs, waited.signal);
    if (!waited.signal.aborted) turn.giveUp.abort();
  });
  await turn.over.promise;
  waited.abort();
  return true;
}
