/** Where things of a meeting are: branch, worktree, folders, and the names under which they are held. */
import { join } from 'node:path';
import { commitFiles } from '../../../kernel/git/commit.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import type { MeetingsContext } from '../context.ts';
import { type MeetingId, meetingKind } from '../contract.ts';
import { meetingPath } from './record.ts';

export interface MeetingRef {
  readonly project: Project;
  readonly id: MeetingId;
}

/** Ids are unique within a project; two projects may have a request of the same hand-given name. */
export function keyOf(ref: MeetingRef): string {
  return `${ref.project.name}/${ref.id}`;
}

export function branchOf(ref: MeetingRef): string {
  return `claude/${meetingKind}/${ref.id}`;
}

export function worktreeOf(ctx: Pick<MeetingsContext, 'home'>, ref: MeetingRef): string {
  return join(ctx.home.worktrees, ref.project.name, `${meetingKind}-${ref.id}`);
}

/** Names the one activity that a worktree belongs to. */
export function ownerOf(ref: MeetingRef): string {
  return `${ref.project.name}/${meetingKind}/${ref.id}`;
}

/** The agent program's own files of this meeting. */
export function agentFolder(ctx: Pick<MeetingsContext, 'home'>, ref: MeetingRef): string {
  return join(ctx.home.state, 'agents', `${ref.project.name}.${meetingKind}-${ref.id}`);
}

/** One at a time: whatever reads and changes a meeting's record or state. */
export function meetingLock(ref: MeetingRef): string {
  return `meeting:${keyOf(ref)}`;
}

/** Commits the meeting's artifact alone, as it stands in the integration worktree. The caller holds the integration lock. */
export async function commitRecord(ctx: MeetingsContext, ref: MeetingRef, message: string): Promise<void> {
  const { project } = ref;
  await commitFiles(ctx, {
    worktree: project.integrationWorktree,
    paths: [meetingPath(ref.id)],
    message,
    trailer: `${meetingKind} ${ref.id}`,
  });
}
