/** One turn outside of any council that runs, for a script that walks one by itself. */
import { fail } from '../../../kernel/pure/errors.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import type { WorkerCatalogue } from '../../../kernel/workers/contract.ts';
import { findByIdentity, listIdentities } from '../../../kernel/workers/identities.ts';
import {
  councilIdSchema,
  type CouncilSession,
  defaultMaxTurns,
  defaultPerAgentCap,
  type Invitee,
} from '../contract.ts';
import type { DispatchOrder } from '../rule/io.ts';
import type { Spoken } from '../rules/landing.ts';
import { startSession } from '../rules/steps.ts';
import { readSession } from '../store/session-file.ts';
import type { TurnsContext } from './context.ts';
import { speak } from './speaking.ts';

/** @returns the answer in the helper's form, as JSON. @throws `not_found` for an agent that is not there */
export async function dispatchTurn(ctx: TurnsContext, project: Project, order: DispatchOrder): Promise<string> {
  const speaker = inviteeOf(await ctx.catalogue(), order);
  // An id of its own: a council that runs in the hall has its folders to itself.
  const id = councilIdSchema.parse(
    `dispatch-${ctx.ids
      .secret()
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .slice(0, 12)}`,
  );
  const session = await sessionOf(ctx, project, order, speaker);
  const kind = order.phase === 'research' ? ('prelude' as const) : ('round-robin' as const);
  const { turn: number, round } = order;
  const step = { do: 'speak' as const, kind, speaker, number, round, by: '', question: '' };
  const unheard = (): void => undefined;
  const { signal } = new AbortController();
  const hooks = { signal, onAttempt: unheard, onWords: unheard, onTool: unheard };
  return JSON.stringify(answerOf(await speak(ctx, { project, id, root: order.root }, session, step, hooks), speaker));
}

function inviteeOf(catalogue: WorkerCatalogue, { agent, role }: DispatchOrder): Invitee {
  const found = findByIdentity(catalogue, agent);
  if (found === undefined) {
    throw fail(
      'not_found',
      `There is no agent ${JSON.stringify(agent.slice(0, 100))}. There are: ${listIdentities(catalogue).join(', ')}.`,
      'See: guild-hall worker list',
    );
  }
  const { name, displayTitle } = found.identity;
  return { name, role: role ?? displayTitle, worker: found.name };
}

/** What is known of the session, where one is there; else the charter alone. */
async function sessionOf(
  ctx: TurnsContext,
  project: Project,
  order: DispatchOrder,
  speaker: Invitee,
): Promise<CouncilSession> {
  const id = councilIdSchema.safeParse(order.sessionId);
  // A file that is no session of ours tells nothing: the charter is enough for a turn.
  const kept = id.success ? await readSession(order.root, id.data).catch(() => undefined) : undefined;
  const startedAt = ctx.clock.nowIso();
  const setup = {
    mode: 'decide',
    bias: 'decision-record',
    invitees: [speaker],
    inviteesOverride: true,
    defaultInviteesResolved: [],
    missingInvitees: [],
    noWeb: order.noWeb,
    skipResearch: false,
    turns: 1,
    maxTurns: defaultMaxTurns,
    perAgentCap: defaultPerAgentCap,
    yes: false,
    inPlace: order.root,
    userName: null,
    date: startedAt.slice(0, 10),
    slug: 'dispatch',
    startedAt,
  };
  const sessionId = councilIdSchema.parse('dispatch');
  const { charter } = order;
  const fresh = startSession(setup, { sessionId, project: project.name, charter, cadence: 4, warnings: [] });
  if (kept === undefined) return fresh;
  const { transcript, pins, fetched, tokens } = kept;
  return { ...fresh, transcript, pins, fetched, tokens, setup: { ...setup, invitees: kept.setup.invitees } };
}

function answerOf(spoken: Spoken, speaker: Invitee) {
  const who = {
    agent: speaker.worker,
    speaker: speaker.name,
    role: speaker.role,
    tokens: spoken.tokens,
    artifacts: [],
  };
  if (spoken.outcome === 'spoken') {
    const findings = spoken.findings.map(({ severity, text }) => ({ severity, summary: text }));
    return { ...who, status: 'ok', summary: spoken.body.slice(0, 200), body: spoken.body, findings, next: 'continue' };
  }
  return {
    ...who,
    status: 'failed',
    summary: reasonOf(spoken),
    body: '',
    findings: [{ severity: 'CRITICAL', summary: reasonOf(spoken) }],
    next: 'halt',
  };
}

function reasonOf(spoken: Exclude<Spoken, { outcome: 'spoken' }>): string {
  switch (spoken.outcome) {
    case 'failed':
      return `${spoken.message} ${spoken.hint}`;
    case 'refused':
      return `claims without a source and without [inference]: ${spoken.offenders.map(({ text }) => text).join(' | ')}`;
    case 'empty':
      return 'the agent said nothing that can be read';
    default:
      return 'the turn was interrupted';
  }
}
