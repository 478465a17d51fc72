/**
 * Opening a meeting, for the person's own and for an accepted request alike: cap, artifact, branch, worktree,
 * activation, first message. A step that fails undoes what the earlier ones made.
 */
import { rm } from 'node:fs/promises';
import { printArtifact } from '../../../kernel/artifacts/edit.ts';
import { createExclusively } from '../../../kernel/artifacts/write.ts';
import { branchTip, deleteBranch } from '../../../kernel/git/branches.ts';
import { addWorktree, removeWorktree } from '../../../kernel/git/worktrees.ts';
import { capOf } from '../../../kernel/projects/config.ts';
import { integrationLock, type Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf, fail, HallError } from '../../../kernel/pure/errors.ts';
import { printCursor } from '../../../kernel/pure/events.ts';
import { composeId } from '../../../kernel/pure/ids.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { WorkerPackage } from '../../../kernel/workers/contract.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, meetingKind, type MeetingOpened, type MeetingRecord } from '../contract.ts';
import { wellFormed } from '../../../kernel/pure/text.ts';
import { announce, releaseLive } from '../reactions/live.ts';
import { ensureSession, removeAgentFiles } from '../reactions/session.ts';
import { wakeMeeting } from '../reactions/turns.ts';
import { composeFirstPrompt, decideMove, decideRoom } from '../rules.ts';
import { firstSentence } from '../summary.ts';
import {
  artifactFile,
  changeState,
  editMeeting,
  listStates,
  type MeetingState,
  readMeeting,
  readMeetings,
  requireMeeting,
  stateOf,
} from '../store/files.ts';
import { branchOf, commitRecord, meetingLock, type MeetingRef, ownerOf, worktreeOf } from '../store/place.ts';
import { bodyOfNew, freshFields, frontmatterOfNew, meetingPath } from '../store/record.ts';
import { requireReferences } from './changes.ts';
import { acceptedBefore, freshMessageId, onceLock, openedBefore, openedFacts, tailOf } from './once.ts';

export interface OpenRequest {
  readonly worker: string;
  readonly agenda?: string | undefined;
  readonly artifacts: readonly string[];
  readonly message: string;
  /** The sender's id of the message. */
  readonly messageId?: string | undefined;
}

interface First {
  readonly message: string;
  readonly messageId: string;
  readonly fromRequest: boolean;
}

/** Opens the person's own meeting: `open` from its first written state. Sent again under its id, it is the same meeting. */
export async function openMeeting(
  ctx: MeetingsContext,
  project: Project,
  request: OpenRequest,
): Promise<MeetingOpened> {
  const { message, messageId = freshMessageId(ctx) } = request;
  return ctx.locks.with(onceLock(project, messageId), async () => {
    const known =
      request.messageId === undefined ? undefined : await openedBefore(ctx, project, { messageId, message });
    if (known !== undefined) return known;
    const ref = await reserve(ctx, project, async () => {
      const worker = requireWorker(await ctx.catalogue(), request.worker);
      const artifacts = await requireReferences(project.integrationWorktree, request.artifacts);
      return writeNew(ctx, project, worker, { ...request, artifacts }, { message, messageId, fromRequest: false });
    });
    return finishOpening(ctx, ref, { agenda: request.agenda ?? '', message, messageId, fromRequest: false });
  });
}

/** Accepts a request: the very same file becomes the open meeting. */
export async function acceptMeeting(
  ctx: MeetingsContext,
  ref: MeetingRef,
  message: string,
  given?: string,
): Promise<MeetingOpened> {
  const messageId = given ?? freshMessageId(ctx);
  const first = { message, messageId, fromRequest: true };
  return ctx.locks.with(onceLock(ref.project, messageId), async () => {
    const record = await requireMeeting(ref.project, ref.id);
    const known = await acceptedBefore(ctx, ref, record, first);
    if (known !== undefined) return known;
    await reserve(ctx, ref.project, () => ctx.locks.with(meetingLock(ref), () => markAccepted(ctx, ref, first)));
    return finishOpening(ctx, ref, { ...first, agenda: record.agenda });
  });
}

/** Check and reservation are one step: of two openings at the last free place one wins. */
async function reserve<T>(ctx: MeetingsContext, project: Project, write: () => Promise<T>): Promise<T> {
  return ctx.locks.with(`meeting-room:${project.name}`, async () => {
    const { meetings } = await readMeetings(project);
    const open = meetings.filter((meeting) => meeting.status === 'open').map((meeting) => meeting.id);
    const room = decideRoom(project.name, capOf(ctx, project, meetingKind), open);
    if (!room.ok) throw new HallError(room.refusal);
    return write();
  });
}

function freshState(ref: MeetingRef, { fromRequest, message, messageId }: First): MeetingState {
  return {
    project: ref.project.name,
    id: ref.id,
    phase: 'opening',
    fromRequest,
    firstMessage: message,
    firstMessageId: messageId,
    base: null,
    turn: 0,
    queue: [],
    said: [],
    running: null,
    draft: null,
    drafting: null,
    closing: null,
  };
}

async function writeNew(
  ctx: MeetingsContext,
  project: Project,
  worker: WorkerPackage,
  request: OpenRequest,
  first: First,
): Promise<MeetingRef> {
  const now = ctx.clock.nowIso();
  // An agenda that the person gave is their own; what is taken from the message is a copy, which goes into the history.
  const agenda = request.agenda ?? (await ctx.scrub(request.message));
  const title = firstSentence(agenda, 100) || `Meeting with ${worker.name}`;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const fresh = ctx.ids.random(4);
    // An opening that is sent again is known by the end of the id.
    const sent = request.messageId === undefined ? fresh : tailOf(request.messageId);
    const tail = attempt === 0 || sent === fresh ? sent : `${fresh}-${sent}`;
    const ref: MeetingRef = { project, id: meetingIdSchema.parse(composeId(worker.name, now, tail)) };
    const meeting = {
      title,
      status: 'open' as const,
      worker: worker.name,
      workerDisplayTitle: worker.identity.displayTitle,
      agenda,
      artifacts: request.artifacts,
      requestedBy: null,
      requestReason: null,
      branch: branchOf(ref),
      now,
      log: [{ timestamp: now, event: 'opened', reason: 'Opened by the person' }],
    };
    if ((await stateOf(ctx, ref).read()) !== undefined) continue;
    await stateOf(ctx, ref).write(freshState(ref, first));
    if (
      await createExclusively(
        await artifactFile(project, ref.id),
        printArtifact(frontmatterOfNew(meeting), bodyOfNew(meeting)),
      )
    )
      return ref;
    await stateOf(ctx, ref).remove();
  }
  throw fail('internal', 'No free meeting id was found in five tries.', 'Try again.');
}

async function markAccepted(ctx: MeetingsContext, ref: MeetingRef, first: First): Promise<void> {
  const record = await requireMeeting(ref.project, ref.id);
  const move = decideMove(record, 'accept', 'Accepted by the person', ctx.clock.nowIso());
  if (!move.ok) throw new HallError(move.refusal);
  requireWorker(await ctx.catalogue(), record.worker);
  await requireFreeId(ctx, ref);
  await stateOf(ctx, ref).write(freshState(ref, first));
  await editMeeting(ref.project, ref.id, {
    set: { ...freshFields, status: move.next.status, branch: branchOf(ref), deferred_until: '' },
    append: { meeting_log: [move.next.entry] },
  });
}

/** Transcripts of all projects share one folder, so the id of a hand-named request may be taken by another project. */
async function requireFreeId(ctx: MeetingsContext, ref: MeetingRef): Promise<void> {
  const other = (await listStates(ctx)).find(({ project, id }) => id === ref.id && project !== ref.project.name);
  if (other === undefined) return;
  throw fail(
    'conflict',
    `A meeting named ${ref.id} is open in project ${other.project}.`,
    `Close that one first, or rename the file ${meetingPath(ref.id)}.`,
  );
}

async function finishOpening(
  ctx: MeetingsContext,
  ref: MeetingRef,
  first: First & { readonly agenda: string },
): Promise<MeetingOpened> {
  try {
    announce(ctx, ref, 'meeting.opening', { id: ref.id });
    const record = await makePlace(ctx, ref);
    await ensureSession(ctx, ref, record);
    const cursor = printCursor(ctx.events.cursor());
    const text = composeFirstPrompt({ ...first, artifacts: record.referencedArtifacts, title: record.title });
    const { messageId } = first;
    const message = { messageId, text: wellFormed(text), at: ctx.clock.nowIso() };
    const said = [{ messageId, turn: 1, position: 0, cursor }];
    const firstMessage = await ctx.scrub(first.message);
    await ctx.locks.with(meetingLock(ref), async () => {
      await changeState(ctx, ref, (state) => ({ ...state, phase: 'open', firstMessage, queue: [message], said }));
      announce(ctx, ref, 'meeting.opened', { id: ref.id, worker: record.worker, branch: branchOf(ref) });
      announce(ctx, ref, 'meeting.message_queued', { id: ref.id, turn: 1, ...message });
    });
    wakeMeeting(ctx, ref);
    return await openedFacts(ctx, ref, await requireMeeting(ref.project, ref.id));
  } catch (error) {
    await rollBackOpening(ctx, ref, errorFactsOf(error).message, first.message).catch((failed: unknown) => {
      // What made the opening fail is what the person should read; the next start of the hall rolls back what is left.
      ctx.log.error({ err: failed, meeting: ref.id }, 'an opening that failed could not be rolled back');
    });
    throw error;
  }
}

/** Commits the artifact on the integration branch, then makes the branch from there, then the worktree. */
async function makePlace(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingRecord> {
  const { project } = ref;
  const record = await requireMeeting(ref.project, ref.id);
  const worker = requireWorker(await ctx.catalogue(), record.worker);
  const base = await ctx.locks.with(integrationLock(project.name), async () => {
    await commitRecord(ctx, ref, `Open meeting ${ref.id}: ${record.title}`);
    return branchTip(ctx, project.path, project.integrationBranch);
  });
  if (base === undefined) throw noIntegration(project);
  await ctx.locks.with(meetingLock(ref), () => changeState(ctx, ref, (state) => ({ ...state, base })));
  await ctx.locks.with(`worktrees:${project.name}`, () =>
    addWorktree(ctx, {
      repo: project.path,
      path: worktreeOf(ctx, ref),
      branch: branchOf(ref),
      startPoint: base,
      scope: worker.checkoutScope,
      owner: ownerOf(ref),
    }),
  );
  return record;
}

function noIntegration(project: Project): HallError {
  return fail(
    'conflict',
    `Project ${project.name} has no branch ${project.integrationBranch}; the hall's work starts from its tip.`,
    `Make it again: guild-hall project add ${project.path}`,
  );
}

/**
 * Undoes an opening that did not come to its end. A person's own meeting leaves nothing behind; a request is
 * `requested` again and says why. A branch that has commits of its own is kept.
 */
export async function rollBackOpening(
  ctx: MeetingsContext,
  ref: MeetingRef,
  reason: string,
  firstMessage: string,
): Promise<void> {
  const { project } = ref;
  const state = await stateOf(ctx, ref).read();
  // Only an opening is rolled back: whatever else the meeting is in by now is not undone from here.
  if (state?.phase !== 'opening') return;
  await releaseLive(ctx, ref);
  await removeWorktree(ctx, { repo: project.path, path: worktreeOf(ctx, ref), owner: ownerOf(ref) });
  const tip = await branchTip(ctx, project.path, branchOf(ref));
  if (tip !== undefined && tip === state.base) await deleteBranch(ctx, project.path, branchOf(ref), tip);
  await ctx.locks.with(meetingLock(ref), async () => {
    if (state.fromRequest) await markRolledBack(ctx, ref, reason);
    else await rm(await artifactFile(project, ref.id), { force: true });
    await ctx.locks.with(integrationLock(project.name), () =>
      commitRecord(ctx, ref, `Roll back the opening of meeting ${ref.id}`),
    );
  });
  await removeAgentFiles(ctx, ref);
  await stateOf(ctx, ref).remove();
  const status = state.fromRequest ? 'requested' : 'gone';
  announce(ctx, ref, 'meeting.opening_rolled_back', { id: ref.id, reason, firstMessage, status });
}

async function markRolledBack(ctx: MeetingsContext, ref: MeetingRef, reason: string): Promise<void> {
  const record = await readMeeting(ref.project, ref.id);
  if (record?.status !== 'open') return;
  const move = decideMove(record, 'rollback', reason, ctx.clock.nowIso());
  if (!move.ok) throw new HallError(move.refusal);
  await editMeeting(ref.project, ref.id, {
    set: { status: move.next.status, branch: '', session_id: '' },
    append: { meeting_log: [move.next.entry] },
  });
}
