/** What of the meetings waits for the person: requests, conflicts, records that cannot be read. */
import { localDayOf } from '../../../kernel/clock/local-day.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import { type InboxAction, problemItem, type WaitingItem } from '../../inbox/contract.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingKind, type MeetingRecord } from '../contract.ts';
import { isPutOff } from '../rules.ts';
import { type KnownMeetings, readKnownMeetings } from '../store/known.ts';
import { branchOf } from '../store/place.ts';

export type KnowingContext = MeetingsContext & { readonly knownMeetings: KnownMeetings };

export async function waitingMeetings(ctx: KnowingContext): Promise<WaitingItem[]> {
  const today = localDayOf(ctx.clock.nowMs());
  const items = await Promise.all(listProjects(ctx).map(async (project) => await waitingIn(ctx, project, today)));
  return items.flat();
}

async function waitingIn(ctx: KnowingContext, project: Project, today: string): Promise<WaitingItem[]> {
  const { meetings, problems } = await readKnownMeetings(ctx.knownMeetings, project);
  return [
    ...meetings.flatMap((meeting) => {
      if (meeting.status === 'requested' && !isPutOff(meeting, today)) return [requestItem(meeting)];
      if (meeting.merge.state === 'merge_conflict') return [conflictItem(project, meeting)];
      return [];
    }),
    ...[...meetings.flatMap((meeting) => meeting.problems), ...problems].map((problem) =>
      problemItem({
        project: project.name,
        subject: { kind: 'artifact', id: problem.file, title: problem.file },
        title: `${problem.file} cannot be read as a meeting`,
        detail: `Line ${problem.line}: ${problem.message}`,
        actions: [action('show', 'Open the file', 'artifact.show', { project: project.name, path: problem.file })],
      }),
    ),
  ];
}

function action(
  verb: string,
  label: string,
  operation: string,
  input: Record<string, unknown>,
  asks: Partial<InboxAction> = {},
): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null, ...asks };
}

function requestItem(meeting: MeetingRecord): WaitingItem {
  const { id, project, title, worker, requestedBy, agenda, requestReason, referencedArtifacts } = meeting;
  const who = requestedBy === null || requestedBy === worker ? worker : requestedBy;
  const detail = [
    agenda.trim() === title ? '' : agenda.trim(),
    requestReason === null ? '' : `Why: ${requestReason.trim()}`,
    referencedArtifacts.map((path) => `- \`${path.replaceAll('`', '')}\``).join('\n'),
  ];
  const input = { project, id };
  return {
    id: `request.${project}.${id}`,
    kind: 'request',
    project,
    subject: { kind: meetingKind, id, title },
    title: who === worker ? `${worker} asks for a meeting` : `${who} asks you to meet ${worker}`,
    detail: detail.filter((part) => part !== '').join('\n\n'),
    since: meeting.log[0]?.timestamp ?? null,
    actions: [
      action('approve', 'Accept and meet', 'meeting.accept', input, { asks: 'text', field: 'message' }),
      action('deny', 'Decline', 'meeting.decline', input, { asks: 'text', field: 'reason' }),
      action('defer', 'Leave for later', 'meeting.defer', input, { asks: 'date', field: 'until', required: true }),
    ],
  };
}

function conflictItem(project: Project, meeting: MeetingRecord): WaitingItem {
  const { id, title, merge, log } = meeting;
  const branch = meeting.branch ?? branchOf({ project, id });
  const input = { project: project.name, id };
  const files = merge.files.map((file) => `- \`${file.replaceAll('`', '')}\``).join('\n');
  return {
    id: `conflict.${project.name}.${id}`,
    kind: 'conflict',
    project: project.name,
    subject: { kind: meetingKind, id, title },
    title: 'The work of a closed meeting does not merge',
    detail: `Both sides changed:\n\n${files}\n\nNothing is lost: it is on \`${branch}\`. Merge ${project.integrationBranch} into it and resolve, then try again.`,
    since: log.findLast(({ event }) => event === 'merge_conflict')?.timestamp ?? null,
    actions: [
      action('retry', 'Try to merge again', 'meeting.close', input),
      action('dismiss', 'Give the merge up', 'meeting.dismiss', input, {
        asks: 'confirm',
        warning: `The transcript is removed. The work stays on ${branch}, and the hall does not ask again.`,
      }),
    ],
  };
}
