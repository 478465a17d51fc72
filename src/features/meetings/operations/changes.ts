/** Small changes of an open meeting's record, made by its worker's tools. */
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { Decision } from '../../../kernel/workers/contract.ts';
import type { MeetingsContext } from '../context.ts';
import { announce } from '../reactions/live.ts';
import { meetingLock, type MeetingRef, worktreeOf } from '../store/place.ts';
import { normaliseLink } from '../rules.ts';
import { editMeeting, requireMeeting } from '../store/files.ts';

/**
 * Adds a path to the meeting's linked artifacts, once.
 * @throws HallError `invalid` for a path that leaves the project; `not_found` when it must exist and does not
 */
export async function linkArtifact(
  ctx: MeetingsContext,
  ref: MeetingRef,
  given: string,
  options: { readonly mustExist: boolean },
): Promise<{ readonly path: string; readonly added: boolean }> {
  const path = requireLink(given);
  if (options.mustExist) await requireInProject(ctx, ref, path);
  const added = await ctx.locks.with(meetingLock(ref), async () => {
    const record = await requireMeeting(ref.project, ref.id);
    if (record.linkedArtifacts.some((linked) => normaliseLink(linked) === path)) return false;
    await editMeeting(ref.project, ref.id, { append: { linked_artifacts: [path] } });
    return true;
  });
  if (added) announce(ctx, ref, 'meeting.record_changed', { id: ref.id, what: `linked ${path}` });
  return { path, added };
}

/** The path in its one form. @throws HallError `invalid` for what is empty, absolute or climbs out of the project */
export function requireLink(given: string): string {
  const path = normaliseLink(given);
  if (path !== undefined) return path;
  throw fail(
    'invalid',
    `${JSON.stringify(given.slice(0, 120))} is no path inside the project.`,
    'Give a path relative to the project, like .lore/notes/parser.md, without "..".',
  );
}

async function requireInProject(ctx: MeetingsContext, ref: MeetingRef, path: string): Promise<void> {
  for (const root of [worktreeOf(ctx, ref), ref.project.integrationWorktree]) {
    if (await exists(await resolveInside(root, path))) return;
  }
  throw fail(
    'not_found',
    `There is no ${path} in the project.`,
    'Write it first, or see list_artifacts for what there is.',
  );
}

/** Refuses a referenced artifact that is not in the project, before anything is changed for it. */
export async function requireReferences(
  integrationWorktree: string,
  given: readonly string[],
): Promise<readonly string[]> {
  const paths = [...new Set(given.map(requireLink))];
  for (const path of paths) {
    if (await exists(await resolveInside(integrationWorktree, path))) continue;
    throw fail(
      'not_found',
      `The referenced artifact ${path} is not on the project's integration branch.`,
      'See: guild-hall artifact list. A file on your own branch comes in with: guild-hall project sync',
    );
  }
  return paths;
}

export async function recordProgress(ctx: MeetingsContext, ref: MeetingRef, summary: string): Promise<void> {
  await appendToRecord(ctx, ref, 'meeting_log', {
    timestamp: ctx.clock.nowIso(),
    event: 'progress_summary',
    reason: summary,
  });
  announce(ctx, ref, 'meeting.record_changed', { id: ref.id, what: 'progress' });
}

export async function recordDecision(ctx: MeetingsContext, ref: MeetingRef, made: Decision): Promise<void> {
  const [question, decision, reasoning] = await Promise.all(
    [made.question, made.decision, made.reasoning].map((words) => ctx.scrub(words)),
  );
  await appendToRecord(ctx, ref, 'decisions', { timestamp: ctx.clock.nowIso(), question, decision, reasoning });
  announce(ctx, ref, 'meeting.record_changed', { id: ref.id, what: 'decision' });
}

async function appendToRecord(ctx: MeetingsContext, ref: MeetingRef, field: string, item: unknown): Promise<void> {
  await ctx.locks.with(meetingLock(ref), async () => {
    await editMeeting(ref.project, ref.id, { append: { [field]: [item] } });
  });
}
