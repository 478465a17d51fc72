/** What a meeting hands over when its worker is activated: its context, its tools, its artifacts. */
import { parseArtifact } from '../../kernel/artifacts/parse.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { ActivityFace, ArtifactAccess } from '../../kernel/workers/contract.ts';
import { createWorktreeArtifacts } from '../../kernel/workers/worktree-artifacts.ts';
import type { MeetingsContext } from './context.ts';
import { type MeetingRecord, meetingKind, meetingsFolder } from './contract.ts';
import { linkArtifact, recordDecision } from './operations/changes.ts';
import { acceptRequestFile } from './operations/requests.ts';
import { activityOf } from './reactions/live.ts';
import { type MeetingRef, worktreeOf } from './store/place.ts';
import { normaliseLink } from './rules.ts';
import { createMeetingToolbox } from './toolbox.ts';

export function createMeetingFace(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  contextText: string,
): ActivityFace {
  return {
    ref: activityOf(ref),
    kindLabel: meetingKind,
    contextText,
    about: `${record.title}\n${record.agenda}`,
    context: {
      activity: meetingKind,
      meetingId: ref.id,
      agenda: record.agenda,
      referencedArtifacts: record.referencedArtifacts,
    },
    toolbox: createMeetingToolbox(ctx, ref, record),
    artifacts: createMeetingArtifacts(ctx, ref, record),
    decisions: { record: (decision) => recordDecision(ctx, ref, decision) },
  };
}

/** The worktree's artifacts; a write links itself to the meeting, and a meeting request goes to the person at once. */
function createMeetingArtifacts(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): ArtifactAccess {
  const inWorktree = createWorktreeArtifacts(worktreeOf(ctx, ref));
  return {
    list: (under) => inWorktree.list(under),
    read: (path) => inWorktree.read(path),
    write: async (path, content) => {
      if (normaliseLink(path)?.startsWith(`${meetingsFolder}/`)) return writeRequest(ctx, ref, record, path, content);
      const written = await inWorktree.write(path, content);
      await linkArtifact(ctx, ref, written.path, { mustExist: false });
      return {
        ...written,
        note: written.note ?? 'It is linked to this meeting, and reaches the project when the meeting is closed.',
      };
    },
  };
}

/** The hall alone writes meeting records; what a worker may put there is a request. */
async function writeRequest(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  path: string,
  content: string,
) {
  const parsed = parseArtifact(content, path);
  if (parsed.frontmatter['status'] !== 'requested') {
    throw fail(
      'forbidden',
      `${path} would be a meeting's record; those are written by the hall. Expected a request, with \`status: requested\`.`,
      'To ask for a meeting use propose_followup, or write a file there with `status: requested`, `worker` and `agenda`. Other artifacts go to another folder of .lore/.',
    );
  }
  const request = await acceptRequestFile(ctx, ref.project, path, content, record.worker);
  return { path: request.path, note: `It is a meeting request, and the person sees it now as ${request.id}.` };
}
