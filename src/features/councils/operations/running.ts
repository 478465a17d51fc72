/** What the councils are doing that are not at their end. */
import { listProjects, requireProject } from '../../../kernel/projects/projects.ts';
import type { RunningActivity } from '../../overview/contract.ts';
import type { CouncilsContext } from '../context.ts';
import { councilKind, type CouncilSession } from '../contract.ts';
import { turnsOf } from '../rules/session.ts';
import { keyOf, type CouncilRef } from '../store/place.ts';
import { ownOnes, readProject } from './reading.ts';

export async function runningCouncils(ctx: CouncilsContext, wanted?: string): Promise<RunningActivity[]> {
  const projects = wanted === undefined ? listProjects(ctx) : [requireProject(ctx, wanted)];
  const read = await Promise.all(projects.map(async (project) => (await readProject(ctx, project)).sessions));
  const open = read.flat().filter(({ session: { status } }) => status === 'running' || status === 'asking');
  return (await ownOnes(ctx, open)).map(({ ref, session }) => activityOf(ctx, ref, session));
}

function activityOf(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): RunningActivity {
  const speaking = ctx.liveCouncils.get(keyOf(ref))?.speaking;
  const [first = ''] = session.charter.trim().split('\n');
  const isAsking = session.status === 'asking';
  return {
    kind: councilKind,
    id: ref.id,
    title: first.slice(0, 120),
    project: ref.project.name,
    worker: speaking?.speaker ?? session.setup.invitees.map(({ name }) => name).join(', '),
    state: isAsking ? 'waiting' : 'answering',
    since: sinceOf(session),
  };
}

function sinceOf(session: CouncilSession): string {
  const { status, lastYieldEmittedAt, setup } = session;
  if (status === 'asking' && lastYieldEmittedAt !== '') return lastYieldEmittedAt;
  return turnsOf(session).at(-1)?.at ?? setup.startedAt;
}
