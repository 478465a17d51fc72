/** The tools of a worker in a meeting, beside the base toolbox. None of them opens, closes or merges anything. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../kernel/agents/tools.ts';
import type { MeetingsContext } from './context.ts';
import type { MeetingRecord } from './contract.ts';
import { linkArtifact, recordProgress } from './operations/changes.ts';
import { requestMeeting } from './operations/requests.ts';
import type { MeetingRef } from './store/place.ts';

const pathField = z.string().min(1).max(500).describe('Path relative to the project, like .lore/notes/parser.md');

export function createMeetingToolbox(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): readonly Tool[] {
  return [linkTool(ctx, ref), followupTool(ctx, ref, record), progressTool(ctx, ref)];
}

function linkTool(ctx: MeetingsContext, ref: MeetingRef): Tool {
  return defineTool({
    name: 'link_artifact',
    description:
      'Tie an artifact to this meeting: one that you discuss, review or produce. Linking twice changes nothing.',
    input: { path: pathField },
    run: async ({ path }) => {
      const linked = await linkArtifact(ctx, ref, path, { mustExist: true });
      return { text: linked.added ? `Linked ${linked.path}.` : `${linked.path} is linked already.` };
    },
  });
}

function followupTool(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): Tool {
  return defineTool({
    name: 'propose_followup',
    description:
      'Ask the person for another meeting with you, when this topic needs more than this sitting. This meeting goes on as before.',
    input: {
      agenda: z.string().max(20_000).optional().describe("What to go on with; this meeting's agenda when left out"),
      reason: z.string().max(5000).optional().describe('Why another meeting is needed'),
      artifacts: z.array(pathField).max(50).optional().describe('Artifacts that it is about'),
    },
    run: async ({ agenda, reason, artifacts }) => {
      const request = await requestMeeting(ctx, ref.project, {
        worker: record.worker,
        agenda: agenda ?? `Go on from the meeting "${record.title}" (${ref.id}): ${record.agenda}`,
        artifacts: artifacts ?? [],
        from: ref,
        requestedBy: record.worker,
        requestReason: reason ?? `Follow-up of the meeting ${ref.id}`,
      });
      return { text: `Requested: ${request.id}. The person sees it among the requests and decides.` };
    },
  });
}

function progressTool(ctx: MeetingsContext, ref: MeetingRef): Tool {
  return defineTool({
    name: 'summarize_progress',
    description:
      'Keep where this meeting stands, for a conversation over several sittings. Kept in its log and its notes.',
    input: { summary: z.string().min(1).max(20_000).describe('Where it stands: found, decided, still open') },
    run: async ({ summary }) => {
      await recordProgress(ctx, ref, await ctx.scrub(summary));
      return { text: 'Kept.' };
    },
  });
}
