/** What a person sees of meetings. Nothing here changes a file. */
import { access } from 'node:fs/promises';
import { branchTip } from '../../../kernel/git/branches.ts';
import { changedFiles, mergeBase } from '../../../kernel/git/read.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { MeetingsContext } from '../context.ts';
import type { MeetingRecord, MeetingStatus, MeetingView } from '../contract.ts';
import { branchOf, type MeetingRef, worktreeOf } from '../store/place.ts';
import { readMeetings, readTranscript, requireMeeting, stateOf } from '../store/files.ts';

/** Meetings of the given projects, newest first within each. A file with problems is listed with them. */
export async function listMeetings(
  projects: readonly Project[],
  status: MeetingStatus | undefined,
): Promise<MeetingRecord[]> {
  const read = await Promise.all(projects.map((project) => readMeetings(project)));
  return read.flatMap(({ meetings }) =>
    meetings.filter((meeting) => status === undefined || meeting.status === status),
  );
}

export async function showMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingView> {
  const cursor = printCursor(ctx.events.cursor());
  const meeting = await requireMeeting(ref.project, ref.id);
  const state = await stateOf(ctx, ref.id).read();
  const { entries } = await readTranscript(ctx, ref.id);
  const worktree = worktreeOf(ctx, ref);
  return {
    meeting,
    worktree: (await isThere(worktree)) ? worktree : null,
    turns: [...entries],
    running: state?.running ? { turn: state.running.turn, since: state.running.at } : null,
    queue: state?.queue ?? [],
    changedFiles: await changesOnBranch(ctx, ref),
    cursor,
  };
}

async function changesOnBranch(ctx: MeetingsContext, ref: MeetingRef): Promise<{ path: string; status: string }[]> {
  const { path: repo, integrationBranch } = ref.project;
  const tip = await branchTip(ctx, repo, branchOf(ref));
  const base = tip === undefined ? undefined : await mergeBase(ctx, repo, integrationBranch, tip);
  if (tip === undefined || base === undefined) return [];
  return (await changedFiles(ctx, repo, base, tip)).map(({ path, status }) => ({ path, status }));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    // Gone, or never made: a meeting that is not open has no worktree.
    return false;
  }
}

/** The meetings that an artifact came out of, or that link it: the way back from a result to its conversation. */
export async function meetingsLinking(project: Project, artifact: string): Promise<readonly MeetingRecord[]> {
  const { meetings } = await readMeetings(project);
  return meetings.filter((meeting) => meeting.linkedArtifacts.includes(artifact));
}
