/** From the words at a door to the meeting that is meant. */
import { fail } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import { listProjects, requireProject } from '../../../kernel/projects/projects.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingId, meetingIdSchema, meetingKind, type MeetingRecord } from '../contract.ts';
import type { MeetingRef } from '../store/place.ts';
import { readMeetings, requireMeeting } from '../store/files.ts';

/**
 * The one meeting that `given` means: its id, or the beginning or the end of it where only one fits.
 * @throws HallError `not_found`, or `invalid` naming those that fit
 */
export async function resolveMeeting(
  ctx: MeetingsContext,
  input: { readonly project?: string | undefined; readonly id: string },
): Promise<{ readonly ref: MeetingRef; readonly record: MeetingRecord }> {
  const given = meetingIdSchema.safeParse(input.id);
  if (!given.success) {
    throw fail(
      'invalid',
      `${JSON.stringify(shortened(input.id))} is no meeting id; expected letters, digits, hyphens and underscores.`,
      'See the ids with: guild-hall meeting list',
    );
  }
  const projects = input.project === undefined ? listProjects(ctx) : [requireProject(ctx, input.project)];
  const all: MeetingRef[] = [];
  for (const project of projects) {
    const { meetings } = await readMeetings(project);
    all.push(...meetings.map((meeting) => ({ project, id: meeting.id })));
  }
  const ids = all.map((ref) => ref.id);
  const id = resolveShortId<MeetingId>(given.data, ids, { noun: meetingKind, listCommand: 'guild-hall meeting list' });
  const ref = requireOne(all.filter((candidate) => candidate.id === id));
  return { ref, record: await requireMeeting(ref.project, ref.id) };
}

/** Hand-named requests of two projects may share a name. */
function requireOne(found: readonly MeetingRef[]): MeetingRef {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const names = found.map((ref) => ref.project.name).join(', ');
  throw fail('invalid', `There is a meeting ${only?.id ?? ''} in several projects: ${names}.`, 'Add --project <name>.');
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
