/** Binds the descriptions of meetings to what does them. */
import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { listProjects } from '../../kernel/projects/projects.ts';
import type { MeetingsContext } from './context.ts';
import * as verbs from './descriptions.ts';
import { requireMeant } from './operations/asking.ts';
import { closeMeeting, closingLock } from './operations/closing.ts';
import { draftNotes } from './operations/drafting.ts';
import { dismissConflict } from './operations/merging.ts';
import { interruptMeeting, sayInMeeting } from './operations/messages.ts';
import { acceptMeeting, openMeeting } from './operations/opening.ts';
import { listMeetings, showMeeting } from './operations/reading.ts';
import { requestFor } from './operations/requesting.ts';
import { declineMeeting, deferMeeting, renameMeeting } from './operations/requests.ts';
import { resolveMeeting } from './operations/resolve.ts';
import { diffMeeting, readMeetingArtifact } from './operations/work.ts';

export function bindMeetingOperations(ctx: MeetingsContext): readonly BoundOperation[] {
  return [...bindConversation(ctx), ...bindRequests(ctx), ...bindReading(ctx)];
}

function bindConversation(ctx: MeetingsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.meetingOpen, async (_, input) => {
      await requireMeant(input, { message: input.message, agenda: input.agenda });
      return openMeeting(ctx, chooseProject(ctx, input.project), input);
    }),
    bindOperation(verbs.meetingSay, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      await requireMeant(input, { message: input.message });
      return {
        id: ref.id,
        project: ref.project.name,
        ...(await sayInMeeting(ctx, ref, input.message, input.messageId)),
      };
    }),
    bindOperation(verbs.meetingInterrupt, async (_, input) => {
      const { ref, record } = await resolveMeeting(ctx, input);
      const interrupted = await interruptMeeting(ctx, ref);
      return { id: ref.id, project: ref.project.name, status: record.status, interrupted };
    }),
    bindOperation(verbs.meetingNotes, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      return { id: ref.id, project: ref.project.name, ...(await draftNotes(ctx, ref, input.again)) };
    }),
    bindOperation(verbs.meetingClose, async (_, input) =>
      closeMeeting(ctx, (await resolveMeeting(ctx, input)).ref, input),
    ),
    bindOperation(verbs.meetingDismiss, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      const { id, project, status, branch } = await ctx.locks.with(closingLock(ref), () => dismissConflict(ctx, ref));
      return { id, project, status, branch };
    }),
  ];
}

function bindRequests(ctx: MeetingsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.meetingRequest, async (caller, input) => {
      const project = chooseProject(ctx, input.project);
      if (caller.kind === 'person') await requireMeant(input, { agenda: input.agenda, reason: input.reason });
      return { project: project.name, ...(await requestFor(ctx, project, caller, input)) };
    }),
    bindOperation(verbs.meetingAccept, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      await requireMeant(input, { message: input.message });
      return acceptMeeting(ctx, ref, input.message ?? '', input.messageId);
    }),
    bindOperation(verbs.meetingDecline, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      await requireMeant(input, { reason: input.reason });
      return declineMeeting(ctx, ref, input.reason ?? 'Declined by the person');
    }),
    bindOperation(verbs.meetingDefer, async (_, input) =>
      deferMeeting(ctx, (await resolveMeeting(ctx, input)).ref, input.until ?? ''),
    ),
    bindOperation(verbs.meetingRename, async (_, input) => {
      const { ref } = await resolveMeeting(ctx, input);
      await requireMeant(input, { title: input.title });
      return renameMeeting(ctx, ref, input.title);
    }),
  ];
}

function bindReading(ctx: MeetingsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.meetingList, async (_, input) => {
      const projects = input.project === undefined ? listProjects(ctx) : [chooseProject(ctx, input.project)];
      return listMeetings(projects, input.status);
    }),
    bindOperation(verbs.meetingArtifact, async (_, input) =>
      readMeetingArtifact(ctx, (await resolveMeeting(ctx, input)).ref, input.path),
    ),
    bindOperation(verbs.meetingDiff, async (_, input) => diffMeeting(ctx, (await resolveMeeting(ctx, input)).ref)),
    bindOperation(verbs.meetingShow, async (_, input) => showMeeting(ctx, (await resolveMeeting(ctx, input)).ref)),
  ];
}
