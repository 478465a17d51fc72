/** Requests for meetings that a worker wrote in its own worktree, as its branch is merged. */
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import type { NewRecord, RecordFolder } from '../../../kernel/git/records.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, meetingsFolder } from '../contract.ts';
import { meetingPath, requestText } from '../store/record.ts';

/**
 * New files that ask for a meeting come along, with only what a request may say. Every other change below the folder
 * is left behind: the hall alone writes records.
 */
export function meetingRecordFolder(ctx: Pick<MeetingsContext, 'clock' | 'scrub'>): RecordFolder {
  return { folder: meetingsFolder, admit: async (file) => await admitRequest(ctx, file) };
}

async function admitRequest(
  ctx: Pick<MeetingsContext, 'clock' | 'scrub'>,
  { path, content, author }: NewRecord,
): Promise<string | undefined> {
  const id = meetingIdSchema.safeParse(path.slice(meetingsFolder.length + 1).replace(/\.md$/, ''));
  if (!id.success || path !== meetingPath(id.data)) return undefined;
  const document = parseArtifact(await ctx.scrub(content), path);
  if (document.problems.length > 0 || document.frontmatter['status'] !== 'requested') return undefined;
  return requestText(document, { author, now: ctx.clock.nowIso() });
}
