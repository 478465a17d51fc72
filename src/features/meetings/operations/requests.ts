/** Meeting requests: made by workers, answered by the person. */
import { localDayOf } from '../../../kernel/clock/local-day.ts';
import { rm } from 'node:fs/promises';
import { printArtifact } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { createExclusively } from '../../../kernel/artifacts/write.ts';
import { integrationLock, type Project } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { composeId, slugOf } from '../../../kernel/pure/ids.ts';
import { requireWorker } from '../../../kernel/workers/catalogue.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, type MeetingId, type MeetingRecord, meetingsFolder } from '../contract.ts';
import { announce, announceRequest } from '../reactions/live.ts';
import { commitRecord, meetingLock, type MeetingRef } from '../store/place.ts';
import { decideMove } from '../rules.ts';
import { artifactFile, editMeeting, requireMeeting } from '../store/files.ts';
import { bodyOfNew, frontmatterOfNew, meetingPath, requestText } from '../store/record.ts';
import { firstSentence } from '../summary.ts';
import { requireLink } from './changes.ts';

export interface MeetingRequest {
  readonly worker: string;
  readonly agenda: string;
  readonly artifacts: readonly string[];
  /** The meeting it came out of. */
  readonly from?: MeetingRef;
  readonly requestedBy: string;
  readonly requestReason: string;
}

/** Makes a requested meeting: its file is committed on the integration branch before it is announced. */
export async function requestMeeting(
  ctx: MeetingsContext,
  project: Project,
  request: MeetingRequest,
): Promise<{ id: MeetingId; path: string }> {
  const worker = requireWorker(await ctx.catalogue(), request.worker);
  const now = ctx.clock.nowIso();
  const [agenda, requestReason] = await Promise.all([ctx.scrub(request.agenda), ctx.scrub(request.requestReason)]);
  const meeting = {
    title: firstSentence(agenda, 100),
    status: 'requested' as const,
    worker: worker.name,
    workerDisplayTitle: worker.identity.displayTitle,
    agenda,
    artifacts: [...new Set(request.artifacts.map(requireLink))],
    related: request.from === undefined ? [] : [meetingPath(request.from.id)],
    requestedBy: request.requestedBy,
    requestReason,
    branch: null,
    now,
    log: [{ timestamp: now, event: 'requested', reason: requestReason || `Requested by ${request.requestedBy}` }],
  };
  const stem = `request-${slugOf(agenda, 30) || worker.name}`;
  return placeRequest(
    ctx,
    project,
    composeId(stem, now, ctx.ids.random(4)),
    printArtifact(frontmatterOfNew(meeting), bodyOfNew(meeting)),
  );
}

async function placeRequest(
  ctx: MeetingsContext,
  project: Project,
  wanted: string,
  content: string,
): Promise<{ id: MeetingId; path: string }> {
  const id = meetingIdSchema.parse(wanted);
  const ref: MeetingRef = { project, id };
  const file = await artifactFile(project, id);
  if (!(await createExclusively(file, content))) {
    throw fail(
      'conflict',
      `There is a meeting file ${meetingPath(id)} already.`,
      'Choose another file name; the hall alone changes a meeting that exists.',
    );
  }
  try {
    await ctx.locks.with(integrationLock(project.name), () => commitRecord(ctx, ref, `Request meeting ${id}`));
  } catch (error) {
    // What was refused is not there: the same request can be made again.
    await rm(file, { force: true });
    throw error;
  }
  announceRequest(ctx, ref, await requireMeeting(project, id));
  return { id, path: meetingPath(id) };
}

/**
 * Takes a request that a worker wrote as a file with its artifact tool. The name is made safe where it is not; what
 * only the hall may say (who asked, the log, everything that comes later) is made fresh.
 * @throws HallError `invalid` when the frontmatter cannot be read, `not_found` for an unknown worker
 */
export async function acceptRequestFile(
  ctx: MeetingsContext,
  project: Project,
  path: string,
  content: string,
  author: string,
): Promise<{ id: MeetingId; path: string }> {
  const document = parseArtifact(await ctx.scrub(content), path);
  const [problem] = document.problems;
  if (problem !== undefined) {
    throw fail(
      'invalid',
      `The frontmatter of ${path} cannot be read: ${problem.message} (line ${problem.line}).`,
      'Mend it and write the file again.',
    );
  }
  const given = document.frontmatter['worker'];
  const worker = requireWorker(await ctx.catalogue(), typeof given === 'string' && given !== '' ? given : author);
  const now = ctx.clock.nowIso();
  const { name: workerName, identity } = worker;
  const filled = requestText(document, { author, now, worker: workerName, workerDisplayTitle: identity.displayTitle });
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/, '');
  const id = meetingIdSchema.safeParse(name);
  const wanted = id.success ? id.data : composeId(`request-${slugOf(name, 30)}`, now, ctx.ids.random(4));
  if (path.replace(/^\.\//, '').split('/').length !== meetingsFolder.split('/').length + 1) {
    throw fail(
      'invalid',
      `${path} lies in a folder of ${meetingsFolder}; requests stand directly in it.`,
      `Write it as ${meetingPath(meetingIdSchema.parse(wanted))}.`,
    );
  }
  return placeRequest(ctx, project, wanted, filled);
}

/** `requested` → `declined`. What the request refers to is not touched; there was never a branch. */
export async function declineMeeting(ctx: MeetingsContext, ref: MeetingRef, reason: string): Promise<MeetingRecord> {
  const record = await changeRequest(ctx, ref, 'Decline', (now, read) => {
    const move = decideMove(read, 'decline', reason, now);
    if (!move.ok) throw new HallError(move.refusal);
    return { set: { status: move.next.status, deferred_until: '' }, append: { meeting_log: [move.next.entry] } };
  });
  announce(ctx, ref, 'meeting.declined', { id: ref.id, reason });
  return record;
}

/** Leaves a request for later: no transition, a line in its log. */
export async function deferMeeting(ctx: MeetingsContext, ref: MeetingRef, until: string): Promise<MeetingRecord> {
  if (until !== '' && until < localDayOf(ctx.clock.nowMs())) {
    throw fail('invalid', `${until} is over; a request can be left until a day to come.`, 'Name a later day.');
  }
  const record = await changeRequest(ctx, ref, 'Defer', (now, read) => {
    if (read.status !== 'requested') {
      throw fail(
        'conflict',
        `Meeting ${ref.id} is ${read.status ?? 'unreadable'}; only a request can be deferred.`,
        `See: guild-hall meeting show ${ref.id}`,
      );
    }
    const reason = until === '' ? 'Left for later by the person' : `Left for later by the person, until ${until}`;
    return { set: { deferred_until: until }, append: { meeting_log: [{ timestamp: now, event: 'deferred', reason }] } };
  });
  announce(ctx, ref, 'meeting.deferred', { id: ref.id, until });
  return record;
}

/** Another title; id, branch and file stay as they are. */
export async function renameMeeting(ctx: MeetingsContext, ref: MeetingRef, title: string): Promise<MeetingRecord> {
  const record = await changeRequest(ctx, ref, 'Rename', (now, read) => ({
    set: { title },
    append: { meeting_log: [{ timestamp: now, event: 'renamed', reason: `From "${read.title}" to "${title}"` }] },
  }));
  announce(ctx, ref, 'meeting.renamed', { id: ref.id, title });
  return record;
}

async function changeRequest(
  ctx: MeetingsContext,
  ref: MeetingRef,
  verb: string,
  change: (now: string, record: MeetingRecord) => Parameters<typeof editMeeting>[2],
): Promise<MeetingRecord> {
  return ctx.locks.with(meetingLock(ref), async () => {
    const before = await requireMeeting(ref.project, ref.id);
    const after = await editMeeting(ref.project, ref.id, change(ctx.clock.nowIso(), before));
    await ctx.locks.with(integrationLock(ref.project.name), () => commitRecord(ctx, ref, `${verb} meeting ${ref.id}`));
    return after;
  });
}
