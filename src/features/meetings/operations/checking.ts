/**
 * Secrets in files that a worker wrote with its own hands: looked for on its branch before that is merged. In artifacts
 * they are masked as they are merged; in other files a mask might break what it stands in, so the person decides.
 */
import type { ReplacedFile } from '../../../kernel/git/merge.ts';
import type { GitContext } from '../../../kernel/git/run.ts';
import { changesSince, linkMode, objectSizes, readObjects, type TreeChange } from '../../../kernel/git/read.ts';
import { fail, type HallError } from '../../../kernel/pure/errors.ts';
import { locateInFile, maskFile, type SearchedFile } from '../../../kernel/secrets/files.ts';
import type { FileSecret } from '../../../kernel/secrets/locate.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingsFolder } from '../contract.ts';
import { announce, releaseLive } from '../reactions/live.ts';
import { changeState, closingOf, requireMeeting } from '../store/files.ts';
import { branchOf, type MeetingRef, worktreeOf } from '../store/place.ts';

export interface LookedThrough {
  /** Artifacts as they are to be merged. */
  readonly masked: readonly ReplacedFile[];
  /** What stands in other files. */
  readonly secrets: readonly FileSecret[];
}

/** A larger file is not looked through, which the person is told. Bytes. */
const maxFileBytes = 16 * 1024 * 1024;
/** So much is held in memory at once, and so many files. */
const batchLimits = { bytes: 4 * 1024 * 1024, files: 200 };

interface Changed extends TreeChange {
  readonly size: number;
}

/** @param tip of the branch; the same tip gives the same answer */
export async function lookThroughBranch(
  ctx: GitContext,
  { project }: Pick<MeetingRef, 'project'>,
  tip: string,
): Promise<LookedThrough> {
  const { path: repo, integrationBranch } = project;
  const { base, changes } = await changesSince(ctx, repo, integrationBranch, tip);
  const mine = changes.filter(({ path, status, newMode }) => status !== 'D' && isFile(newMode) && !isRecord(path));
  const sizes = await objectSizes(
    ctx,
    repo,
    mine.map(({ newOid }) => newOid),
  );
  const files = mine.map((change, index): Changed => ({ ...change, size: sizes[index] ?? 0 }));
  const masked: ReplacedFile[] = [];
  const secrets = files.filter(({ size }) => size > maxFileBytes).map(notLookedThrough);
  for (const batch of batchesOf(files.filter(({ size }) => size <= maxFileBytes))) {
    for (const { change, file } of await readBatch(ctx, repo, base, batch)) {
      if (isArtifact(change)) {
        const bytes = await maskFile(file);
        if (bytes !== undefined) masked.push({ path: file.path, mode: change.newMode, bytes });
      } else secrets.push(...(await locateInFile(file)).map((place) => ({ path: file.path, ...place })));
    }
  }
  return { masked, secrets };
}

function isFile(mode: string): boolean {
  return mode.startsWith('100') || mode === linkMode;
}

/** The hall's own records, and requests for meetings, are masked where they are written. */
function isRecord(path: string): boolean {
  return path.startsWith(`${meetingsFolder}/`);
}

function isArtifact({ path, newMode }: TreeChange): boolean {
  return path.startsWith('.lore/') && newMode !== linkMode;
}

function notLookedThrough({ path, size }: Changed): FileSecret {
  return { path, line: 1, kind: `${Math.round(size / 1024 / 1024)} MiB, too large to be looked through` };
}

function* batchesOf(files: readonly Changed[]): Generator<readonly Changed[]> {
  let batch: Changed[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (bytes + file.size > batchLimits.bytes || batch.length >= batchLimits.files)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}

async function readBatch(
  ctx: GitContext,
  repo: string,
  base: string,
  batch: readonly Changed[],
): Promise<{ readonly change: Changed; readonly file: SearchedFile }[]> {
  const after = await readObjects(
    ctx,
    repo,
    batch.map(({ newOid }) => newOid),
  );
  const before = await readObjects(
    ctx,
    repo,
    batch.map(({ path }) => `${base}:${path}`),
  );
  return batch.flatMap((change, index) => {
    const bytes = after[index];
    return bytes === undefined ? [] : [{ change, file: { path: change.path, bytes, before: before[index] } }];
  });
}

const maxNamed = 5;

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
  const named = secrets.slice(0, maxNamed).map(({ path, line, kind }) => `${path}:${line} (${kind})`);
  const more = secrets.length > maxNamed ? ` and ${secrets.length - maxNamed} more` : '';
  const mend =
    status === 'open'
      ? `The meeting is open again: have it taken out, or take it out in ${worktreeOf(ctx, ref)}.`
      : `Take it out on the branch ${branchOf(ref)}.`;
  return fail(
    'conflict',
    `Meeting ${ref.id} was not merged: it looks as if there is a secret in ${named.join(', ')}${more}.`,
    `${mend} Or keep it for good: guild-hall meeting close ${ref.id} --allow-secrets`,
    { kind: 'secrets', secrets },
  );
}
