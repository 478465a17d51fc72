/**
 * Exactly once. Whoever sends a message may give it an id; when the acknowledgement was lost it is sent again under that
 * id, and is acknowledged as it was at first. What was taken is known from the files alone.
 */
import { fail } from '../../../kernel/pure/errors.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import type { MeetingsContext } from '../context.ts';
import type { MeetingOpened, MeetingRecord } from '../contract.ts';
import { type MeetingState, readMeetings, readTranscript, stateOf } from '../store/files.ts';
import { branchOf, type MeetingRef, worktreeOf } from '../store/place.ts';

/** How a message is acknowledged. */
export interface Said {
  readonly messageId: string;
  readonly turn: number;
  /** How many messages were answered before it, or are to be. */
  readonly position: number;
  /** Its turn follows as events after this. */
  readonly cursor: string;
}

export function freshMessageId(ctx: Pick<MeetingsContext, 'ids'>): string {
  return `m-${ctx.ids.random(8)}`;
}

/**
 * How a message of this id was acknowledged; undefined when none was taken. The caller holds the meeting's lock.
 * @throws HallError `conflict` when other words were sent under the id
 */
export async function saidBefore(
  ctx: MeetingsContext,
  ref: MeetingRef,
  message: { readonly messageId: string; readonly text: string; readonly cursor: string },
): Promise<Said | undefined> {
  const { messageId, text, cursor } = message;
  const state = await stateOf(ctx, ref).read();
  const waiting = [...(state?.queue ?? []), ...(state?.running ? [state.running] : [])];
  const { entries } = await readTranscript(ctx, ref.id);
  const asked = entries.find((entry) => entry.speaker === 'user' && entry.mark === messageId);
  const taken = waiting.find((one) => one.messageId === messageId) ?? asked;
  if (taken === undefined) return undefined;
  if (!(await isSame(ctx, taken.text, text))) throw otherWords(messageId);
  const known = state?.said.find((one) => one.messageId === messageId);
  // Of a message that was said long ago only its turn is known.
  return known ?? { messageId, turn: asked?.turn ?? turnOf(state, messageId), position: 0, cursor };
}

/** What is kept of words is masked once they were taken. */
async function isSame(ctx: Pick<MeetingsContext, 'scrub'>, kept: string, sent: string): Promise<boolean> {
  return kept === sent || kept === (await ctx.scrub(sent));
}

/** The turn of a message that runs or waits. */
function turnOf(state: MeetingState | undefined, messageId: string): number {
  const last = state?.turn ?? 0;
  return last + 1 + (state?.queue.findIndex((one) => one.messageId === messageId) ?? -1);
}

function otherWords(messageId: string): Error {
  return fail(
    'conflict',
    `Other words were sent under the message id ${messageId}.`,
    'Give a new message a new id; leave the id out on the command line.',
  );
}

/** One opening or acceptance at a time for each id: a second one waits, and then finds what the first one made. */
export function onceLock(project: Project, messageId: string): string {
  return `once:${project.name}/${messageId}`;
}

/** What a meeting's own id ends with when its opening was sent under a message id. */
export function tailOf(messageId: string): string {
  return messageId.slice('m-'.length);
}

export interface SentOpening {
  readonly messageId: string;
  readonly message: string;
}

/**
 * The meeting that was opened under this id, whatever became of it since: the id is part of its name.
 * @throws HallError `conflict` when other words were sent under the id
 */
export async function openedBefore(
  ctx: MeetingsContext,
  project: Project,
  sent: SentOpening,
): Promise<MeetingOpened | undefined> {
  const { meetings } = await readMeetings(project);
  for (const record of meetings.filter(({ id, log }) => id.endsWith(`-${tailOf(sent.messageId)}`) && wasOwn(log))) {
    const ref: MeetingRef = { project, id: record.id };
    const state = await stateOf(ctx, ref).read();
    // An opening that failed and could not be undone yet is no meeting.
    if (state?.phase === 'opening') continue;
    if (state !== undefined && !(await isSame(ctx, state.firstMessage, sent.message))) throw otherWords(sent.messageId);
    return openedFacts(ctx, ref, record);
  }
  return undefined;
}

function wasOwn(log: MeetingRecord['log']): boolean {
  return log[0]?.event === 'opened';
}

/** The acceptance of this very request that was sent under this id; undefined when there was none. */
export async function acceptedBefore(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
  sent: SentOpening,
): Promise<MeetingOpened | undefined> {
  const state = await stateOf(ctx, ref).read();
  if (state === undefined || state.phase === 'opening' || state.firstMessageId !== sent.messageId) return undefined;
  if (!(await isSame(ctx, state.firstMessage, sent.message))) throw otherWords(sent.messageId);
  return openedFacts(ctx, ref, record);
}

/** What opening answers. Its first turn follows as events after the cursor. */
export async function openedFacts(
  ctx: MeetingsContext,
  ref: MeetingRef,
  record: MeetingRecord,
): Promise<MeetingOpened> {
  const state = await stateOf(ctx, ref).read();
  return {
    id: ref.id,
    project: ref.project.name,
    status: record.status ?? 'open',
    worker: record.worker,
    branch: branchOf(ref),
    worktree: worktreeOf(ctx, ref),
    path: record.path,
    turn: 1,
    cursor: state?.said.find(({ turn }) => turn === 1)?.cursor ?? printCursor(ctx.events.cursor()),
  };
}
