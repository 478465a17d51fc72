/** Gives a session its agent: access to the model, folders of its own, and the choices that were made. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSession, OpenOptions } from '../../../kernel/agents/contract.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import { type AgentSessionId, agentSessionIdSchema, type ProjectName } from '../../../kernel/pure/ids.ts';
import type { OpenSession, SessionsContext } from '../context.ts';
import type { SessionId } from '../contract.ts';
import { activityOf, agentFolder } from '../store/place.ts';
import { askPerson } from './asking.ts';
import { append } from './live.ts';

export interface AgentWish {
  readonly id: SessionId;
  readonly project: ProjectName;
  readonly agent: string;
  /** Absolute; a folder that is there. */
  readonly folder: string;
}

/** What a coding agent works with; what of it must be asked about, the mode says. */
const builtInTools = [
  'Read',
  'Grep',
  'Glob',
  'Edit',
  'Write',
  'NotebookEdit',
  'Bash',
  'TodoWrite',
  'WebSearch',
  'WebFetch',
];

/** Model calls in one turn: a long piece of work, and an end of one that turns in a circle. */
const maxTurns = 500;

/** Agents that are kept though nobody waits for them. */
const mostAgents = 8;

/** @param ask how the person is asked */
export async function openAgent(
  ctx: SessionsContext,
  wish: AgentWish,
  ask: NonNullable<OpenOptions['ask']>,
): Promise<AgentSession> {
  const { id, project, agent, folder } = wish;
  const activity = activityOf(project, id);
  const driver = ctx.driverOf(agent);
  const own = agentFolder(ctx, project, id);
  const [configDir, tmpDir] = [join(own, 'config'), join(own, 'tmp')];
  for (const path of [configDir, tmpDir]) await mkdir(path, { recursive: true, mode: 0o700 });
  return driver.open({
    activity,
    cwd: folder,
    systemPrompt: systemPromptFor(folder),
    tools: [],
    builtInTools,
    access: { root: folder, write: true },
    limits: { maxTurns, maxBudgetUsd: null, silenceMs: ctx.config().agents.silenceSeconds * 1000 },
    model: ctx.gateway.grant(activity, { worker: agent }),
    configDir,
    tmpDir,
    ask,
    plugins: ctx.plugins,
  });
}

function systemPromptFor(folder: string): string {
  return [
    'You are a coding agent. A person talks with you through Guild Hall and reads what you write as Markdown.',
    `You work in the person's own checkout, ${folder}: they may change files there while you do, and what you change they see at once.`,
    'Change only what you were asked to change; do not commit, push or switch branches unless you are told to.',
    'What you may not do by yourself, the person is asked about. Where they refuse, find another way or say what you would need.',
  ].join('\n');
}

/** The session's agent, begun anew where it has none. @throws HallError `conflict` where the session ended meanwhile */
export async function ensureAgent(ctx: SessionsContext, session: OpenSession): Promise<AgentSession> {
  for (;;) {
    if (session.agent !== undefined && session.opening === undefined) return session.agent;
    // Whoever comes meanwhile waits for the same one.
    session.opening ??= beginAgent(ctx, session).finally(() => {
      session.opening = undefined;
    });
    await session.opening;
  }
}

async function beginAgent(ctx: SessionsContext, session: OpenSession): Promise<void> {
  const agent = await openAgentOf(ctx, session);
  await chooseAgain(ctx, session, agent);
  await endIdleAgents(ctx);
}

async function openAgentOf(ctx: SessionsContext, session: OpenSession): Promise<AgentSession> {
  const { id, project, agent: name, folder } = session.state;
  const ask: NonNullable<OpenOptions['ask']> = async (request, signal) =>
    await askPerson(ctx, session, request, signal);
  const agent = await openAgent(ctx, { id, project, agent: name, folder }, ask);
  session.agent = agent;
  if (!session.isGone && !session.state.isClosed) return agent;
  await dropAgent(ctx, session);
  throw fail('conflict', 'The session is closed.', `Open it again: guild-hall session reopen ${id}`);
}

/**
 * Its agent with a new session of its own, in place of one that it does not know any more. What the person chose counts
 * there before anything is said. @returns its id; null where the agent makes one with the first words
 */
export async function renewAgent(ctx: SessionsContext, session: OpenSession): Promise<AgentSessionId | null> {
  // One that somebody began meanwhile looks for what is lost.
  while (session.agent !== undefined || session.opening !== undefined) await endAgent(ctx, session);
  let renewed: AgentSessionId | null = null;
  const begin = async (): Promise<void> => {
    const agent = await openAgentOf(ctx, session);
    const begun = await agent.begin?.();
    if (begun === undefined) return;
    renewed = begun.sessionId;
    await append(ctx, session, [{ type: 'AgentSessionStarted', agentSessionId: renewed, reason: 'renewed' }]);
    await chooseAgain(ctx, session, agent);
  };
  session.opening = begin().finally(() => {
    session.opening = undefined;
  });
  await session.opening;
  return renewed;
}

/**
 * What was chosen counts for the agent that comes next, too; what it does not offer or take any more is passed over.
 * @throws HallError of an agent that cannot be asked now: in another mode than the chosen one it may do more than it should
 */
async function chooseAgain(ctx: SessionsContext, session: OpenSession, agent: AgentSession): Promise<void> {
  const { agentSessionId, choices, id } = session.state;
  if (agentSessionId === null || agent.choose === undefined) return;
  for (const choice of choices) {
    try {
      await agent.choose(agentSessionIdSchema.parse(agentSessionId), choice.id, choice.current);
    } catch (error) {
      ctx.log.warn({ err: error, session: id, choice: choice.id }, 'what was chosen could not be chosen again');
      const { code, details } = errorFactsOf(error);
      // It is begun anew with the next words, and chosen for then.
      if (details?.['errorClass'] === 'expired_session') return;
      if (choice.kind === 'mode' && !passedOver.includes(code)) throw error;
    }
  }
}

/** It does not offer it, or says no. */
const passedOver: readonly string[] = ['invalid', 'conflict'];

/** The least recently used agents that have nothing to do end; they are begun again when they are needed. */
export async function endIdleAgents(ctx: SessionsContext): Promise<void> {
  const withAgent = [...ctx.sessionDesk.open.values()].filter(({ agent }) => agent !== undefined);
  const idle = withAgent.filter((one) => one.pump === undefined && one.turn === undefined && one.opening === undefined);
  const tooMany = Math.max(0, withAgent.length - mostAgents);
  await Promise.all(idle.slice(0, tooMany).map(async (session) => await dropAgent(ctx, session)));
}

/** Ends its agent, also one that is being begun. Of a session that is closed or gone; never fails. */
export async function endAgent(ctx: SessionsContext, session: OpenSession): Promise<void> {
  await dropAgent(ctx, session);
  // Why it could not be begun is heard by whoever wanted it.
  await session.opening?.catch(() => undefined);
  await dropAgent(ctx, session);
}

/** Ends its agent. Never fails: what cannot be ended is logged. */
export async function dropAgent(ctx: SessionsContext, session: OpenSession): Promise<void> {
  const { agent } = session;
  session.agent = undefined;
  try {
    await agent?.close();
  } catch (error) {
    ctx.log.warn({ why: errorFactsOf(error).message, session: session.id }, 'an agent did not end as it should');
  }
}

/** Nothing of the session reaches a model any more, and what its agent's program kept is gone. */
export async function removeAgentFiles(ctx: SessionsContext, project: ProjectName, id: SessionId): Promise<void> {
  ctx.gateway.revoke(activityOf(project, id));
  await rm(agentFolder(ctx, project, id), { recursive: true, force: true, maxRetries: 3 });
}
