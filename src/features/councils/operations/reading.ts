/** Councils as they are shown: in a list, whole, and what they ask. */
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilList, CouncilNext, CouncilRow, CouncilSession, CouncilStatus, CouncilView } from '../contract.ts';
import { countCosts } from '../rules/costs.ts';
import { turnsOf } from '../rules/session.ts';
import { asItStands } from '../reactions/live.ts';
import { sessionFile, type CouncilRef } from '../store/place.ts';
import { readKnownSessions } from '../store/known.ts';
import { ownedAmong, ownerOf } from '../store/secret.ts';
import { askedOf, asksInBrief } from './asked.ts';
import { rootsOf } from './resolve.ts';

/** The newest first. What cannot be read is told beside them. */
export async function listCouncils(
  ctx: CouncilsContext,
  wanted: { readonly project: Project | undefined; readonly status?: CouncilStatus | undefined },
): Promise<CouncilList> {
  const councils: CouncilRow[] = [];
  const problems: CouncilList['problems'] = [];
  for (const project of wanted.project === undefined ? listProjects(ctx) : [wanted.project]) {
    const found = await readProject(ctx, project);
    councils.push(...found.sessions.map(({ ref, session }) => rowOf(ref, session)));
    problems.push(...found.problems.map((message) => ({ project: project.name, ...message })));
  }
  return {
    councils: councils
      .filter(({ status }) => wanted.status === undefined || status === wanted.status)
      .toSorted((a, b) => b.startedAt.localeCompare(a.startedAt)),
    problems,
  };
}

export interface ReadProject {
  readonly sessions: readonly { readonly ref: CouncilRef; readonly session: CouncilSession }[];
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** All councils of a project, those of its branch before those in place; each id once, the hall's own before others. */
export async function readProject(
  ctx: Pick<CouncilsContext, 'home' | 'knownSessions' | 'liveCouncils'>,
  project: Project,
): Promise<ReadProject> {
  const sessions: { ref: CouncilRef; session: CouncilSession }[] = [];
  const problems: { file: string; message: string }[] = [];
  for (const root of rootsOf(project)) {
    const found = await readKnownSessions(ctx, root);
    for (const session of found.sessions) {
      const ref = { project, id: session.sessionId, root };
      const at = sessions.findIndex((other) => other.ref.id === ref.id);
      if (at !== -1 && (await ownedAmong(ctx, [sessions[at]!.ref, ref])) !== ref) continue;
      sessions.splice(at === -1 ? sessions.length : at, 1, { ref, session: asItStands(ctx, ref, session) });
    }
    problems.push(...found.problems);
  }
  return { sessions, problems };
}

/** Those among them that this hall started: what came with a repository runs nowhere, and asks nobody. */
export async function ownOnes(
  ctx: Pick<CouncilsContext, 'home'>,
  sessions: ReadProject['sessions'],
): Promise<ReadProject['sessions']> {
  const isOwn = await Promise.all(sessions.map(async ({ ref }) => (await ownerOf(ctx, ref)) !== undefined));
  return sessions.filter((_, at) => isOwn[at]);
}

/** @param cursor taken before the session was read, so that nothing between the two is missed */
export function viewOf(ctx: CouncilsContext, ref: CouncilRef, read: CouncilSession, cursor: string): CouncilView {
  const session = asItStands(ctx, ref, read);
  const { setup, transcript, pins, muted, drafts, save, halt, trouble } = session;
  const sandbox = ctx.sandbox.state();
  return {
    ...rowOf(ref, session),
    setup,
    transcript,
    pins,
    muted,
    asked: askedOf(session),
    halt: halt?.line ?? null,
    trouble,
    drafts,
    save,
    costs: countCosts(session),
    root: ref.root,
    sandbox: sandbox.kind === 'none' ? `none: ${sandbox.reason}` : sandbox.kind,
    isRehearsal: ctx.gateway.describeModel().isRehearsal,
    cursor,
  };
}

/** @param cursor taken before the session was read */
export function nextOf(
  ctx: Pick<CouncilsContext, 'liveCouncils'>,
  ref: CouncilRef,
  read: CouncilSession,
  { from, cursor }: { readonly from: number; readonly cursor: string },
): CouncilNext {
  const session = asItStands(ctx, ref, read);
  const { status, phase, transcript, setup, halt, trouble, save } = session;
  return {
    id: ref.id,
    project: ref.project.name,
    status,
    phase,
    from,
    entries: transcript.slice(from),
    next: transcript.length,
    asked: setup.yes ? null : askedOf(session),
    halt: halt?.line ?? null,
    trouble,
    save,
    sessionFile: sessionFile(ref),
    cursor,
  };
}

export function rowOf(ref: CouncilRef, session: CouncilSession): CouncilRow {
  const { sessionId, charter, setup, status, phase, round, cumulativeCost } = session;
  return {
    id: sessionId,
    project: ref.project.name,
    charter,
    mode: setup.mode,
    status,
    phase,
    round,
    turns: turnsOf(session).length,
    tokens: cumulativeCost,
    speakers: setup.invitees.map(({ name }) => name),
    startedAt: setup.startedAt,
    asks: asksInBrief(session),
    sessionFile: sessionFile(ref),
  };
}
