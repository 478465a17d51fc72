/** What a page says: it follows the events, once, and calls operations. Anything else ends the socket. */
import type { RawData } from 'ws';
import { callOperation, type OperationRegistry } from '../../../kernel/operations/operations.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import {
  clientMessageSchema,
  closeCodes,
  socketLimits,
  type CallMessage,
  type ClientMessage,
  type ServerMessage,
} from '../../../kernel/pure/wire.ts';
import type { Admission } from '../admission.ts';
import { followEvents } from './follow.ts';
import { admissionOf, listen, say, type Session, type SocketContext } from './session.ts';

export function receive(ctx: SocketContext, session: Session, data: RawData, isBinary: boolean): void {
  const { ws } = session;
  session.heardMs = ctx.clock.monotonicMs();
  if (ws.readyState !== ws.OPEN) return;
  const message = isBinary ? undefined : parseMessage(String(data));
  if (!message) ws.close(closeCodes.malformed, 'That is no message of this protocol.');
  else if (message.kind === 'call') takeCall(ctx, session, message);
  else if (session.isFollowing) ws.close(closeCodes.malformed, 'A socket follows the events once.');
  else {
    session.isFollowing = true;
    ctx.spawn('the events of a page', async () => await followEvents(ctx, session, message.after));
  }
}

function parseMessage(text: string): ClientMessage | undefined {
  try {
    return clientMessageSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function takeCall(ctx: SocketContext, session: Session, call: CallMessage): void {
  const admission = admissionOf(session);
  if (!admission) return;
  const refusal = session.limits.refusalOfCall(admission);
  if (refusal) say(ctx, session, { kind: 'refusal', id: call.id, problem: refusal });
  else {
    session.queued.push(call);
    startCalls(ctx, session);
  }
}

/** Begins calls whose turn has come, unless too much waits for the page: their answers would wait in memory with it. */
export function startCalls(ctx: SocketContext, session: Session): void {
  const { ws } = session;
  while (ws.readyState === ws.OPEN && !session.room && session.callsUnderWay < socketLimits.callsUnderWay) {
    const call = session.queued.shift();
    const admission = call && admissionOf(session);
    if (!admission) break;
    session.callsUnderWay += 1;
    ctx.spawn(`the call of ${call.operation}`, async () => {
      say(ctx, session, await answerCall(ctx, session, admission, call));
      session.callsUnderWay -= 1;
      startCalls(ctx, session);
    });
  }
  listen(session);
}

async function answerCall(
  ctx: SocketContext,
  session: Session,
  { caller }: Admission,
  { id, operation: name, input }: CallMessage,
): Promise<ServerMessage> {
  try {
    const operation = session.registry.find(name);
    if (!operation) throw noSuchOperation(session.registry, name);
    return { kind: 'answer', id, output: await callOperation(operation, caller, input) };
  } catch (error) {
    const problem = errorFactsOf(error);
    if (problem.code === 'internal') ctx.log.error({ err: error, operation: name }, 'a call of a page failed');
    return { kind: 'refusal', id, problem };
  }
}

function noSuchOperation(registry: OperationRegistry, name: string) {
  const known = registry.list.map(({ description }) => description.name);
  return fail(
    'not_found',
    `There is no operation "${name}".`,
    `${didYouMean(name, known)}The page may be older than the hall: load it again.`,
  );
}
