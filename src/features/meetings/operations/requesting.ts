/** A request that is made by an operation: by the person, or by the worker that keeps the overview. */
import type { Caller } from '../../../kernel/operations/operations.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingId, meetingKind } from '../contract.ts';
import { type MeetingRequest, requestMeeting } from './requests.ts';

/** It is `requested`, whoever asks. @throws HallError `forbidden` for an agent of another project */
export async function requestFor(
  ctx: MeetingsContext,
  project: Project,
  caller: Caller,
  input: Pick<MeetingRequest, 'worker' | 'agenda' | 'artifacts'> & { readonly reason: string },
): Promise<{ id: MeetingId; path: string }> {
  const { worker, agenda, artifacts, reason } = input;
  const wanted = { worker, agenda, artifacts };
  if (caller.kind === 'person') {
    return await requestMeeting(ctx, project, { ...wanted, requestedBy: 'person', requestReason: reason });
  }
  const { activity } = caller;
  if (activity.project !== project.name) {
    throw fail(
      'forbidden',
      `The project ${project.name} is another one than that of the ${activity.kind}, ${activity.project}.`,
      'Ask the person to do it, or to open a meeting in that project.',
      { project: project.name },
    );
  }
  return await requestMeeting(ctx, project, {
    ...wanted,
    ...(activity.kind === meetingKind && { from: { project, id: activity.id } }),
    requestedBy: caller.worker ?? 'agent',
    requestReason: reason || `Asked for in ${activity.kind} ${activity.id}`,
  });
}
