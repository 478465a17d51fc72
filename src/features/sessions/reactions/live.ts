/** Sessions that are open in this process: their logs folded once, added to, and told of. */
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { scrubValue } from '../../../kernel/secrets/scrub.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import {
  mostMessages,
  type NewSessionEvent,
  type SessionEvent,
  type SessionId,
  sessionKind,
  type SessionState,
  type SessionView,
} from '../contract.ts';
import { infoOf } from '../fold/reading.ts';
import { emptySession, foldSession } from '../fold/session.ts';
import { addToLog, closeLog, readLog, type SessionLog } from '../store/log.ts';
import { logFile } from '../store/place.ts';
import { knowSession } from './known.ts';

/** Logs that are kept folded though nobody works in them: so many, and so many bytes of them. */
const mostOpen = 40;
const mostOpenBytes = 128_000_000;

export function logLock(id: SessionId): string {
  return `session-log:${id}`;
}

/** The session with its log folded. @throws HallError `conflict` for a log that cannot be read */
export async function openSession(ctx: SessionsContext, id: SessionId): Promise<OpenSession> {
  const there = heldSession(ctx, id);
  if (there !== undefined) return used(ctx, there);
  return await ctx.locks.with(logLock(id), async () => {
    const meanwhile = heldSession(ctx, id);
    if (meanwhile !== undefined) return used(ctx, meanwhile);
    const { log, events } = await readLog(logFile(ctx, id));
    return keepOpen(ctx, log, events);
  });
}

function heldSession({ sessionDesk: { open, letGo } }: SessionsContext, id: SessionId): OpenSession | undefined {
  const held = letGo.get(id)?.deref();
  return open.get(id) ?? (held?.isGone === true ? undefined : held);
}

/** Takes a log into the open ones. @param events all of it */
export function keepOpen(ctx: SessionsContext, log: SessionLog, events: readonly SessionEvent[]): OpenSession {
  const state = events.reduce(foldSession, emptySession());
  const session: OpenSession = {
    id: state.id,
    log,
    state,
    titleBy: namedBy(events),
    agent: undefined,
    opening: undefined,
    pump: undefined,
    turn: undefined,
    hearing: undefined,
    asked: new Map(),
    known: [],
    told: lineOf(state),
    isGone: false,
  };
  return used(ctx, session);
}

function namedBy(events: readonly SessionEvent[]): OpenSession['titleBy'] {
  const last = events.findLast((event) => event.type === 'TitleChanged');
  return last?.type === 'TitleChanged' ? last.by : 'hall';
}

/** Last in the order of use; of those before it, what is too much and at rest is let go. */
function used(ctx: SessionsContext, session: OpenSession): OpenSession {
  const { open, letGo } = ctx.sessionDesk;
  letGo.delete(session.id);
  open.delete(session.id);
  open.set(session.id, session);
  let count = open.size;
  let bytes = [...open.values()].reduce((sum, { log }) => sum + log.bytes, 0);
  for (const one of open.values()) {
    if (count <= mostOpen && bytes <= mostOpenBytes) break;
    if (one === session || !isAtRest(one)) continue;
    open.delete(one.id);
    letGo.set(one.id, new WeakRef(one));
    ctx.spawn(`let go of session ${one.id}`, async () => await closeLogOf(ctx, one));
    count -= 1;
    bytes -= one.log.bytes;
  }
  return session;
}

async function closeLogOf(ctx: SessionsContext, { id, log }: OpenSession): Promise<void> {
  await ctx.locks.with(logLock(id), async () => closeLog(log));
}

/** At the end of the hall. What is added to one after all is added still: it is opened for it. */
export async function closeLogs(ctx: SessionsContext): Promise<void> {
  await Promise.all([...ctx.sessionDesk.open.values()].map(async (session) => await closeLogOf(ctx, session)));
}

function isAtRest({ agent, opening, pump, turn, asked }: OpenSession): boolean {
  return agent === undefined && opening === undefined && pump === undefined && turn === undefined && asked.size === 0;
}

export interface AppendOptions {
  /** On disk also after a power cut; what only streams by need not be. Default true. */
  readonly isDurable?: boolean;
}

/** Writes, folds and tells, in this order. All of them or none. */
export async function append(
  ctx: SessionsContext,
  session: OpenSession,
  events: readonly NewSessionEvent[],
  options: AppendOptions = {},
): Promise<void> {
  await appendIf(ctx, session, () => events, options);
}

/**
 * The same, decided by the state at that very moment: nobody else adds between the look and the write.
 * @returns what was added; empty where `decide` wants nothing
 */
export async function appendIf(
  ctx: SessionsContext,
  session: OpenSession,
  decide: (state: SessionState) => readonly NewSessionEvent[],
  options: AppendOptions = {},
): Promise<readonly SessionEvent[]> {
  return await ctx.locks.with(logLock(session.id), async () => {
    if (session.isGone) return [];
    // Somebody kept it who works in it again.
    if (!ctx.sessionDesk.open.has(session.id)) used(ctx, session);
    const wanted = decide(session.state);
    if (wanted.length === 0) return [];
    const events = numbered(wanted, session.state.seq, ctx.clock.nowIso());
    await addToLog(session.log, events, options.isDurable !== false);
    take(ctx, session, events);
    return events;
  });
}

/** What is written is what readers get: masked, and with its number. */
export function numbered(events: readonly NewSessionEvent[], after: number, at: string): SessionEvent[] {
  return events.map((event, index) => {
    const { type, ...rest } = scrubValue(event) as NewSessionEvent;
    return { seq: after + index + 1, at, type, ...rest } as SessionEvent;
  });
}

function take(ctx: SessionsContext, session: OpenSession, events: readonly SessionEvent[]): void {
  session.state = events.reduce(foldSession, session.state);
  const named = events.findLast((event) => event.type === 'TitleChanged');
  if (named?.type === 'TitleChanged') session.titleBy = named.by;
  tellLogged(ctx, session.state, events);
  tellChanged(ctx, session);
}

export function tellLogged(ctx: SessionsContext, { id, project }: SessionState, events: readonly SessionEvent[]): void {
  const subject = `${sessionKind}:${id}`;
  ctx.events.publish({ type: 'session.logged', project, subject, data: { id, events } });
  for (const event of events) {
    if (event.type !== 'TurnCompleted' || event.usage === null) continue;
    ctx.events.publish({ type: 'session.turn_usage', project, subject, data: event.usage });
  }
  faultPoint(`session:told:${id}`);
}

/** Its line of the list, where it is another one than before. */
function tellChanged(ctx: SessionsContext, session: OpenSession): void {
  knowSession(ctx, session.state);
  const told = lineOf(session.state);
  if (told === session.told) return;
  session.told = told;
  const { id, project } = session.state;
  const data = { project, session: infoOf(session.state) };
  ctx.events.publish({ type: 'session.changed', project, subject: `${sessionKind}:${id}`, data });
}

function lineOf(state: SessionState): string {
  const { title, state: word, metaContextId } = infoOf(state);
  return JSON.stringify([title, word, metaContextId]);
}

/** As a page gets it. */
export function viewOf(ctx: SessionsContext, { state }: OpenSession): SessionView {
  const earlier = Math.max(0, state.messages.length - mostMessages);
  return {
    session: { ...state, messages: state.messages.slice(earlier) },
    earlier,
    cursor: printCursor(ctx.events.cursor()),
  };
}
