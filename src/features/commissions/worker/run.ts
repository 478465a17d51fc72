/**
 * One attempt from its first line to its last: one session of one agent gets the commission's prompt, and everything
 * that happens is written into the journal. Nothing here needs the hall, and nothing here decides what the commission
 * becomes: that follows from the files.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent, AgentSession } from '../../../kernel/agents/contract.ts';
import { activateWorker } from '../../../kernel/workers/activate.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import { localTimeOf } from '../../../kernel/clock/local-day.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { workerNameSchema } from '../../../kernel/pure/ids.ts';
import { commissionKind } from '../contract.ts';
import type { AttemptOrder } from '../contract/journal.ts';
import { attemptFiles } from '../store/attempt.ts';
import type { Attempt, WorkerContext } from './context.ts';
import { createDesk } from './desk.ts';
import { withPace } from './pace.ts';
import { doneEntry, type EndedEntry, type EndFacts, failedEntry, notActivated, stoppedEntry } from './ending.ts';
import { createCommissionFace } from './face.ts';
import { type Hearing, startHearing, takeWords, withHearing } from './hearing.ts';
import { type Made, madeBy, startMade, tellMade } from './made.ts';
import { note, startTelling, tell, tellLife, type Telling, tellRest } from './telling.ts';

export interface AttemptRun {
  /** Resolves when the last line is on disk and nothing of the agent runs any more. */
  readonly done: Promise<void>;
  /** Ends it soon, as `stopped`. */
  stop(): void;
  /** The agent gave a sign of life that is no event. */
  readonly onLife: () => void;
}

interface RunState {
  readonly ctx: WorkerContext;
  readonly attempt: Attempt;
  readonly telling: Telling;
  readonly hearing: Hearing;
  readonly made: Made;
  session: AgentSession | undefined;
  isStopped: boolean;
  lastUsage: string;
  lastUsageMs: number;
}

interface Limits {
  readonly maxTurns: number;
  readonly maxBudgetUsd: number | null;
}

export function startAttempt(ctx: WorkerContext, attempt: Attempt): AttemptRun {
  const telling = startTelling(ctx, attempt, attempt.order.prompt);
  const hearing = startHearing(ctx, attempt);
  const state: RunState = {
    ctx,
    attempt,
    telling,
    hearing,
    made: startMade(attempt),
    session: undefined,
    isStopped: false,
    lastUsage: '',
    lastUsageMs: ctx.clock.monotonicMs(),
  };
  return {
    done: runAttempt(state),
    stop: () => {
      state.isStopped = true;
      const { session } = state;
      if (session !== undefined) ctx.spawn('stop the agent', () => session.interrupt());
    },
    onLife: () => tellLife(telling),
  };
}

async function runAttempt(state: RunState): Promise<void> {
  const { attempt, hearing, telling } = state;
  const last = await workAttempt(state);
  tellRest(telling);
  tellUsage(state);
  await state.session?.close();
  await hearing.follower.close();
  await attempt.journal.add(last);
  await attempt.journal.close();
}

async function workAttempt(state: RunState): Promise<EndedEntry> {
  const { ctx, attempt } = state;
  let opened: { readonly session: AgentSession; readonly limits: Limits; readonly modelName: string | undefined };
  try {
    opened = await openSession(state);
  } catch (error) {
    ctx.log.error({ err: error }, 'the worker could not be activated');
    return notActivated(error);
  }
  const { session, limits, modelName } = opened;
  state.session = session;
  if (state.isStopped) return stoppedEntry;
  const last = await converse(state, session, modelName);
  if (state.isStopped) return stoppedEntry;
  if (last?.type === 'error') {
    const entry = failedEntry(last, endFacts(state, limits));
    return { ...entry, reason: await ctx.scrub(entry.reason) };
  }
  if (last?.type !== 'end') {
    return notActivated(fail('internal', `The agent of ${attempt.order.id} ended without a word.`, 'Try it again.'));
  }
  return last.reason === 'interrupted' ? stoppedEntry : doneEntry;
}

/** The whole talk: one prompt, unchanged. @returns its last event */
async function converse(
  state: RunState,
  session: AgentSession,
  modelName: string | undefined,
): Promise<Extract<AgentEvent, { type: 'end' | 'error' }> | undefined> {
  const { ctx, attempt, telling } = state;
  const { label, isRehearsal } = ctx.gateway.describeModel(modelName);
  const events = session.prompt(attempt.order.prompt);
  if (state.isStopped) await session.interrupt();
  for await (const event of events) {
    if (event.type === 'end' || event.type === 'error') return event;
    if (event.type === 'session') {
      note(telling, { kind: 'started', model: label, isRehearsal, sandbox: ctx.sandbox() });
      continue;
    }
    tell(telling, event);
    const path = madeBy(state.made, event);
    if (path !== undefined) await tellMade(state.made, path);
    if (event.type === 'tool_call') tellUsageAtTimes(state);
  }
  return undefined;
}

async function openSession(state: RunState): Promise<{
  readonly session: AgentSession;
  readonly limits: Limits;
  readonly modelName: string | undefined;
}> {
  const { ctx, attempt, hearing, made } = state;
  const { order, folder } = attempt;
  const catalogue = await ctx.catalogue();
  const worker = requireWorker(catalogue, workerNameSchema.parse(order.worker));
  const paced = { ...attempt, journal: withPace(ctx, attempt.journal) };
  const face = await createCommissionFace(ctx, paced, createDesk(ctx, paced, hearing), made);
  const activated = await activateWorker(ctx, catalogue, worker.name, projectOf(ctx, order), face);
  const limits: Limits = {
    maxTurns: order.maxTurns ?? activated.limits.maxTurns,
    maxBudgetUsd: order.maxBudgetUsd ?? activated.limits.maxBudgetUsd,
  };
  const modelName = activated.model;
  const activity = { project: order.project, kind: commissionKind, id: order.id };
  const model = ctx.gateway.grant(activity, {
    worker: worker.name,
    maxBudgetUsd: limits.maxBudgetUsd,
    ...(modelName === undefined ? {} : { modelName }),
  });
  const configDir = join(folder, attemptFiles.agent);
  const tmpDir = join(folder, attemptFiles.tmp);
  for (const path of [configDir, tmpDir]) await mkdir(path, { recursive: true, mode: 0o700 });
  const session = ctx.driver.open({
    activity,
    cwd: order.worktree,
    systemPrompt: activated.systemPrompt,
    tools: withHearing(activated.tools, hearing),
    builtInTools: activated.builtInTools,
    access: { root: order.worktree, write: true },
    limits: { ...limits, silenceMs: silenceMs(ctx) },
    model,
    configDir,
    tmpDir,
    aside: () => takeWords(hearing),
  });
  return { session, limits, modelName };
}

/** Somewhat longer than the hall waits: it is the hall that finds a silent worker, and this where there is none. */
function silenceMs(ctx: WorkerContext): number {
  const { agents, commissions } = ctx.config();
  return Math.max(agents.silenceSeconds, commissions.heartbeatSeconds * 1.2) * 1000;
}

function projectOf(ctx: WorkerContext, { project: name }: AttemptOrder) {
  const project = ctx.config().projects.find((each) => each.name === name);
  return { name, integrationBranch: project?.integrationBranch ?? ctx.config().integrationBranch };
}

function endFacts({ ctx, attempt }: RunState, limits: Limits): EndFacts {
  const { project, id } = attempt.order;
  return {
    ...limits,
    spentUsd: ctx.gateway.usageOf({ project, kind: commissionKind, id }).costUsd,
    timeAfter: (ms) => localTimeOf(ctx.clock.nowMs() + ms),
  };
}

const usageEveryMs = 15_000;

function tellUsageAtTimes(state: RunState): void {
  if (state.ctx.clock.monotonicMs() - state.lastUsageMs >= usageEveryMs) tellUsage(state);
}

/** What the attempt used so far, where that has changed. */
function tellUsage(state: RunState): void {
  const { ctx, attempt, telling } = state;
  const { project, id } = attempt.order;
  const used = ctx.gateway.usageOf({ project, kind: commissionKind, id });
  state.lastUsageMs = ctx.clock.monotonicMs();
  if (used.calls === 0 || JSON.stringify(used) === state.lastUsage) return;
  state.lastUsage = JSON.stringify(used);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = used;
  note(telling, { kind: 'usage', usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } });
}
