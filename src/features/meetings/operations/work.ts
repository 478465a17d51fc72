/** What a meeting made and is not merged: read from its worktree, or from its branch where the worktree is gone. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { documentOfBytes, isUtf8, summaryOf } from '../../../kernel/artifacts/read.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { type ChangedFile, changedFiles, readBytesAt } from '../../../kernel/git/read.ts';
import { changesOfWork, diffOfWork, findWork, type Work, type WorkPlace } from '../../../kernel/git/work.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import {
  type MeetingArtifact,
  type MeetingArtifactShown,
  type MeetingDiff,
  type MeetingRecord,
  meetingsFolder,
} from '../contract.ts';
import { normaliseLink } from '../rules.ts';
import { stateOf } from '../store/files.ts';
import { branchOf, type MeetingRef, ownerOf, worktreeOf } from '../store/place.ts';
import { meetingPath } from '../store/record.ts';

const artifactsFolder = '.lore/';
/** A longer artifact is not shown. Bytes. */
const maxArtifactBytes = 1024 * 1024;
/** So many artifacts are named with their titles. */
const maxArtifacts = 200;
/** Where a meeting works. */
export async function placeOfWork(ctx: MeetingsContext, ref: MeetingRef): Promise<WorkPlace> {
  const { path: repo, integrationBranch } = ref.project;
  const madeAt = (await stateOf(ctx, ref).read())?.base;
  const place = { branch: branchOf(ref), worktree: worktreeOf(ctx, ref), owner: ownerOf(ref) };
  return { repo, integrationBranch, ...place, madeAt };
}

/** Undefined for a meeting that has no branch: not open yet, or merged. */
async function workOf(ctx: MeetingsContext, ref: MeetingRef): Promise<Work | undefined> {
  return findWork(ctx, await placeOfWork(ctx, ref));
}

export interface ShownWork {
  readonly changedFiles: readonly ChangedFile[];
  readonly artifacts: readonly MeetingArtifact[];
}

/** What a meeting's page says of its work. What cannot be read is left out, so that the talk is shown all the same. */
export async function showWork(ctx: MeetingsContext, ref: MeetingRef, record: MeetingRecord): Promise<ShownWork> {
  const work = await workOf(ctx, ref);
  if (work === undefined) return { changedFiles: [], artifacts: [] };
  const all = await changesOfWork(ctx, work).catch(async (error: unknown) => {
    ctx.log.warn({ err: error, meeting: ref.id }, 'the worktree of a meeting cannot be compared; its branch is shown');
    return changedFiles(ctx, ref.project.path, work.base, work.tip);
  });
  const changes = all.filter(({ path }) => path !== meetingPath(ref.id));
  return { changedFiles: changes, artifacts: await artifactsOf(ctx, ref, work, changes, record) };
}

async function artifactsOf(
  ctx: MeetingsContext,
  ref: MeetingRef,
  work: Work,
  changes: readonly ChangedFile[],
  record: MeetingRecord,
): Promise<MeetingArtifact[]> {
  const changed = new Map(changes.map(({ path, status }) => [path, status]));
  const linked = record.linkedArtifacts.flatMap((path) => normaliseLink(path) ?? []);
  const paths = [...new Set([...changed.keys(), ...linked])]
    .filter((path) => path.startsWith(artifactsFolder) && !path.startsWith(`${meetingsFolder}/`))
    .slice(0, maxArtifacts);
  const read = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readWork(ctx, ref, work, path).catch(leaveOut);
      const status = statusOf(changed.get(path));
      return bytes === undefined ? [] : [{ path, status, title: titleOf(bytes, path) }];
    }),
  );
  return read.flat();
}

/** What is refused when it is asked for by name (a link that leads out, a huge file) is not in the list. */
function leaveOut(): undefined {
  return undefined;
}

function statusOf(letter: string | undefined): MeetingArtifact['status'] {
  if (letter === undefined) return 'same';
  return letter === 'A' ? 'new' : 'changed';
}

function titleOf(bytes: Buffer, path: string): string {
  if (!/\.md$/i.test(path) || !isUtf8(bytes)) return path.slice(path.lastIndexOf('/') + 1);
  return summaryOf(documentOfBytes(bytes, path), path).title;
}

/** @throws HallError `forbidden` for what is not below `.lore/` or leads out of it, `too_large`, `not_found` */
export async function readMeetingArtifact(
  ctx: MeetingsContext,
  ref: MeetingRef,
  given: string,
): Promise<MeetingArtifactShown> {
  const path = normaliseLink(given);
  if (path === undefined || !path.startsWith(artifactsFolder)) throw noArtifact(given);
  const work = await workOf(ctx, ref);
  if (work === undefined) throw noWork(ref, path);
  const bytes = await readWork(ctx, ref, work, path);
  if (bytes === undefined) throw notThere(ref, path);
  const { source, frontmatter, body, problems } = documentOfBytes(bytes, path);
  const isText = isUtf8(bytes);
  const changes = await changesOfWork(ctx, work);
  return {
    id: ref.id,
    project: ref.project.name,
    path,
    status: statusOf(changes.find((change) => change.path === path)?.status),
    title: titleOf(bytes, path),
    content: isText ? source : '',
    isText,
    frontmatter,
    body: isText ? body : '',
    problems: [...problems],
  };
}

async function readWork(ctx: MeetingsContext, ref: MeetingRef, work: Work, path: string): Promise<Buffer | undefined> {
  if (work.worktree !== undefined) return readInside(work.worktree, path);
  const bytes = await readBytesAt(ctx, ref.project.path, work.tip, path);
  if (bytes !== undefined && bytes.length > maxArtifactBytes) throw tooLarge(path, bytes.length);
  return bytes;
}

/** A plain file below the worktree's `.lore/`: looked for from there, so that no link leads to another place. */
async function readInside(worktree: string, path: string): Promise<Buffer | undefined> {
  const folder = await resolveInside(worktree, artifactsFolder);
  try {
    const file = await resolveInside(folder, path.slice(artifactsFolder.length));
    // A pipe put in the file's place would hold whoever opens it; a link put there since would lead on.
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const facts = await handle.stat();
      if (!facts.isFile()) return undefined;
      if (facts.size > maxArtifactBytes) throw tooLarge(path, facts.size);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENXIO')) return undefined;
    throw error;
  }
}

function noArtifact(given: string): Error {
  return fail(
    'forbidden',
    `${JSON.stringify(given.slice(0, 200))} is no artifact of a meeting; those are the files below .lore/.`,
    'For other files see: guild-hall meeting diff <id>',
  );
}

function noWork({ id }: MeetingRef, path: string): Error {
  return fail(
    'not_found',
    `Meeting ${id} has no work that is not merged.`,
    `See the project's own: guild-hall artifact show ${path}`,
  );
}

function notThere({ id }: MeetingRef, path: string): Error {
  return fail('not_found', `There is no ${path} in the work of meeting ${id}.`, `See: guild-hall meeting diff ${id}`);
}

function tooLarge(path: string, size: number): Error {
  return fail(
    'too_large',
    `${path} has ${size} bytes; of a meeting's work artifacts of at most ${maxArtifactBytes} are shown.`,
    'Open the file in the worktree that `guild-hall meeting show <id>` names.',
  );
}

/** The whole work as text, bounded; what is uncommitted comes as it would be committed. */
export async function diffMeeting(ctx: MeetingsContext, ref: MeetingRef): Promise<MeetingDiff> {
  const known = { id: ref.id, project: ref.project.name };
  const work = await workOf(ctx, ref);
  if (work === undefined) return { ...known, base: null, files: [], more: 0 };
  const { files, more } = await diffOfWork(ctx, work, (path) => path === meetingPath(ref.id));
  return { ...known, base: work.base, files: files.map((file) => ({ ...file })), more };
}
