/** A session: one turn at a time, and between two turns perhaps a process that is ready for the next. */
import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { fail } from '../../../pure/errors.ts';
import { type Deferred, deferred } from '../../../pure/deferred.ts';
import { activityKey, type AgentSessionId } from '../../../pure/ids.ts';
import type { AgentEvent, OpenOptions, PromptPart } from '../../contract.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import { readChannel } from '../channel.ts';
import type { Failure } from './failures.ts';
import { type ChosenBySession, chosenOf } from './modes.ts';
import { newsOf } from './news.ts';
import {
  type AgentProcess,
  discardAgentProcess,
  type ProcessContext,
  startAgentProcess,
  type StartOutcome,
} from './process.ts';
import { contentOf } from './prompting.ts';
import { acquireStart, type StartKind, type Starts } from './starts.ts';
import { createTurn, interruptTurn, runTurn, type Turn } from './turn.ts';

export interface ClaudeSettings {
  /** Processes that may start at the same time. */
  readonly maxColdStarts: number;
  /** Processes that may wait for the next turn, over all sessions; about 200 MB each. */
  readonly maxPrepared: number;
  /** Tries after a failed model call, before the turn fails. */
  readonly maxRetries: number;
}

/** What the sessions of one driver share. */
export interface DriverState {
  readonly settings: () => ClaudeSettings;
  readonly recordsDir: string;
  readonly sandbox?: Sandbox;
  readonly onSdkMessage?: (message: SDKMessage) => void;
  readonly starts: Starts;
  readonly sessions: Set<SessionState>;
  /** Ready for a next turn; the least recently used first. */
  readonly prepared: Map<SessionState, AgentProcess>;
  /** By the agent's own id, whichever session of the driver serves it. */
  readonly chosen: ChosenBySession;
}

export interface SessionState {
  readonly driver: DriverState;
  readonly open: OpenOptions;
  turn: Turn | undefined;
  preparation: Preparation | undefined;
  isClosed: boolean;
}

interface Preparation {
  readonly resume: AgentSessionId;
  readonly givenUp: AbortController;
  hasStarted: boolean;
  readonly done: Deferred<void>;
}

export function promptSession(
  ctx: ProcessContext,
  session: SessionState,
  prompt: string | readonly PromptPart[],
  resume: AgentSessionId | undefined,
): AsyncIterable<AgentEvent> {
  const name = activityKey(session.open.activity);
  if (session.isClosed) throw fail('conflict', `The session of ${name} is closed.`, 'Open a new one.');
  if (session.turn && !session.turn.map.isOver) {
    throw fail('conflict', `A turn of ${name} is running.`, 'Wait for its end, or interrupt it first.');
  }
  const before = session.turn?.gone.promise;
  const { open, driver } = session;
  const turn = createTurn(open, driver.onSdkMessage, async (id) => newsOf(open, chosenOf(driver.chosen, id)));
  session.turn = turn;
  ctx.spawn('run a turn', async (hallStops) => {
    const stop = (): void => ctx.spawn('interrupt a turn', async () => interruptTurn(ctx, turn, 'interrupt'));
    if (hallStops.aborted) stop();
    hallStops.addEventListener('abort', stop);
    await before;
    const mode = resume === undefined || open.ask === undefined ? 'ask' : chosenOf(driver.chosen, resume).mode;
    await runTurn(
      ctx,
      turn,
      async () => contentOf(open, prompt, mode),
      async () => obtainProcess(ctx, session, turn, resume),
    );
    hallStops.removeEventListener('abort', stop);
  });
  return readChannel(turn.events, async () => interruptTurn(ctx, turn, 'interrupt'));
}

async function obtainProcess(
  ctx: ProcessContext,
  session: SessionState,
  turn: Turn,
  resume: AgentSessionId | undefined,
): Promise<StartOutcome> {
  const prepared = await takePrepared(ctx, session, resume);
  return prepared ? { process: prepared } : startOne(ctx, session, 'turn', resume, turn.givenUp.signal);
}

async function startOne(
  ctx: ProcessContext,
  session: SessionState,
  kind: StartKind,
  resume: AgentSessionId | undefined,
  signal: AbortSignal,
  onStart?: () => Promise<void>,
): Promise<StartOutcome> {
  const { starts, settings, recordsDir, sandbox, chosen } = session.driver;
  let release: () => void;
  try {
    release = await acquireStart(starts, kind, settings().maxColdStarts, signal);
  } catch (error) {
    // Only giving up ends the wait, and whoever gave up has said why.
    if (!signal.aborted) throw error;
    return {
      failure: { errorClass: 'aborted', message: 'Given up before it began.', hint: 'Try again.', retryAfterMs: null },
    };
  }
  try {
    await onStart?.();
    const { maxRetries } = settings();
    const known = (id: AgentSessionId) => chosenOf(chosen, id);
    const request = { open: session.open, recordsDir, resume, maxRetries, sandbox, chosenOf: known };
    return await startAgentProcess(ctx, request, signal);
  } finally {
    release();
  }
}

/** Says that the next turn resumes `resume`: a process is started for it when there is room. */
export function prepareSession(ctx: ProcessContext, session: SessionState, resume: AgentSessionId): void {
  const { driver, preparation } = session;
  if (session.isClosed || driver.settings().maxPrepared < 1 || preparation?.resume === resume) return;
  const ready = driver.prepared.get(session);
  if (ready?.resume === resume && !ready.hasExited) {
    useAgain(driver, session, ready);
    return;
  }
  const next = makeReady(session, resume);
  ctx.spawn('prepare a turn', async () => {
    const failure = await next.run(ctx, 'preparation');
    // The turn itself will meet the same failure and tell the person.
    if (failure) ctx.log.debug({ failure }, 'a turn could not be prepared');
  });
}

/**
 * A process for `resume`, kept for the prompt that comes: instead of whatever was made ready before.
 * @returns `run` starts it and says why it could not; to be called at once
 */
export function makeReady(
  session: SessionState,
  resume: AgentSessionId,
): { readonly run: (ctx: ProcessContext, kind: StartKind) => Promise<Failure | undefined> } {
  const { preparation } = session;
  preparation?.givenUp.abort();
  const next: Preparation = { resume, givenUp: new AbortController(), hasStarted: false, done: deferred() };
  session.preparation = next;
  // Of this moment's turn: a turn that begins meanwhile waits for the preparation, not the other way round.
  const before = session.turn?.gone.promise;
  const run = async (ctx: ProcessContext, kind: StartKind): Promise<Failure | undefined> => {
    try {
      await preparation?.done.promise;
      await before;
      return await prepare(ctx, session, next, kind);
    } finally {
      if (session.preparation === next) session.preparation = undefined;
      next.done.resolve();
    }
  };
  return { run };
}

/** Puts the session last, so that others are given up before it. */
function useAgain(driver: DriverState, session: SessionState, process: AgentProcess): void {
  driver.prepared.delete(session);
  driver.prepared.set(session, process);
}

async function prepare(
  ctx: ProcessContext,
  session: SessionState,
  preparation: Preparation,
  kind: StartKind,
): Promise<Failure | undefined> {
  const { driver } = session;
  const { resume, givenUp } = preparation;
  const outcome = await startOne(ctx, session, kind, resume, givenUp.signal, async () => {
    preparation.hasStarted = true;
    await dropPrepared(ctx, session);
    await keepPreparedBelow(ctx, driver, driver.settings().maxPrepared);
  });
  if ('failure' in outcome) return outcome.failure;
  if (givenUp.signal.aborted || session.isClosed || driver.settings().maxPrepared < 1) {
    await discardAgentProcess(ctx, outcome.process);
    return undefined;
  }
  useAgain(driver, session, outcome.process);
  await keepPreparedBelow(ctx, driver, driver.settings().maxPrepared + 1);
  return undefined;
}

/** Ends the least recently used prepared processes until fewer than `limit` are left. */
async function keepPreparedBelow(ctx: ProcessContext, { prepared }: DriverState, limit: number): Promise<void> {
  const tooMany = [...prepared].slice(0, Math.max(0, prepared.size - Math.max(1, limit) + 1));
  for (const [session] of tooMany) prepared.delete(session);
  await Promise.all(tooMany.map(async ([, process]) => discardAgentProcess(ctx, process)));
}

async function dropPrepared(ctx: ProcessContext, session: SessionState): Promise<void> {
  const process = session.driver.prepared.get(session);
  if (!process) return;
  session.driver.prepared.delete(session);
  await discardAgentProcess(ctx, process);
}

/** The prepared process if it is for this very session; one that has begun to start is waited for. */
async function takePrepared(
  ctx: ProcessContext,
  session: SessionState,
  resume: AgentSessionId | undefined,
): Promise<AgentProcess | undefined> {
  const { driver, preparation } = session;
  if (preparation) {
    if (preparation.resume !== resume || !preparation.hasStarted) preparation.givenUp.abort();
    await preparation.done.promise;
  }
  const process = driver.prepared.get(session);
  if (process === undefined || process.resume !== resume || !process.isCurrent()) {
    await dropPrepared(ctx, session);
    return undefined;
  }
  driver.prepared.delete(session);
  return process;
}

export async function interruptSession(ctx: ProcessContext, session: SessionState): Promise<void> {
  if (session.turn) await interruptTurn(ctx, session.turn, 'interrupt');
}

/** Ends everything of the session and waits until no process of it is left. */
export async function closeSession(ctx: ProcessContext, session: SessionState): Promise<void> {
  session.isClosed = true;
  session.preparation?.givenUp.abort();
  await interruptSession(ctx, session);
  await session.turn?.gone.promise;
  await session.preparation?.done.promise;
  await dropPrepared(ctx, session);
  session.driver.sessions.delete(session);
}
