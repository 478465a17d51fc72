/** A close that stops at secrets on the branch: it is taken back, and the person is told where they stand. */
import { type LookRequest, nameSecrets } from '../../../kernel/git/look-through.ts';
import { fail, type HallError } from '../../../kernel/pure/errors.ts';
import type { FileSecret } from '../../../kernel/secrets/locate.ts';
import type { MeetingsContext } from '../context.ts';
import { announce, releaseLive } from '../reactions/live.ts';
import { changeState, closingOf, requireMeeting } from '../store/files.ts';
import { branchOf, type MeetingRef, worktreeOf } from '../store/place.ts';

/** What is looked through before the branch is merged. */
export function lookRequest(ctx: MeetingsContext, { project }: MeetingRef, tip: string): LookRequest {
  const recordFolders = ctx.recordFolders().map(({ folder }) => folder);
  return { repo: project.path, integrationBranch: project.integrationBranch, tip, recordFolders };
}

/**
 * Undoes the beginning of a close. The meeting is open again, and goes on; one whose merge is tried again after a
 * conflict stays closed, as it was. The caller holds the meeting's lock.
 * @returns what to throw
 */
export async function stepBack(
  ctx: MeetingsContext,
  ref: MeetingRef,
  secrets: readonly FileSecret[],
): Promise<HallError> {
  const record = await requireMeeting(ref.project, ref.id);
  const status = record.status === 'closed' ? 'closed' : 'open';
  // Its agent was ended for the close: the next words begin with a fresh one, which takes up the session.
  await releaseLive(ctx, ref);
  await changeState(ctx, ref, (state) =>
    status === 'open'
      ? { ...state, phase: 'open', closing: null }
      : { ...state, phase: 'conflict', closing: { ...closingOf(state), final: null } },
  );
  announce(ctx, ref, 'meeting.close_stopped', { id: ref.id, status, secrets: secrets.length });
  return secretsOnBranch(ctx, ref, secrets, status);
}

/** What is where, and how to go on. */
function secretsOnBranch(
  ctx: MeetingsContext,
  ref: MeetingRef,
  secrets: readonly FileSecret[],
  status: 'open' | 'closed',
): HallError {
  const mend =
    status === 'open'
      ? `The meeting is open again: have it taken out, or take it out in ${worktreeOf(ctx, ref)}.`
      : `Take it out on the branch ${branchOf(ref)}.`;
  return fail(
    'conflict',
    `Meeting ${ref.id} was not merged: it looks as if there is a secret in ${nameSecrets(secrets)}.`,
    `${mend} Or keep it for good: guild-hall meeting close ${ref.id} --allow-secrets`,
    { kind: 'secrets', secrets },
  );
}
