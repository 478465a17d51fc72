/**
 * Secrets in files that a worker wrote with its own hands: looked for on its branch before that is merged. In artifacts
 * they are masked as they are merged; in other files a mask might break what it stands in, so the person decides.
 */
import { locateInFile, maskFile, type SearchedFile } from '../secrets/files.ts';
import type { FileSecret } from '../secrets/locate.ts';
import { type Ahead, begin, takeBegun } from './ahead.ts';
import { batchesOf } from './batches.ts';
import type { ReplacedFile } from './merge.ts';
import { objectSizes, readObjects } from './objects.ts';
import { changesSince, linkMode, type TreeChange } from './read.ts';
import { isBelow } from './records.ts';
import type { GitContext } from './run.ts';

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
  /** As the branch has it. */
  readonly newSize: number;
  /** Of both sides, as far as they are read. */
  readonly size: number;
  /** What it was before; nothing to compare with where that is too large. */
  readonly before: string;
}

/** No object has this name. */
const nothing = '0'.repeat(40);

export interface LookRequest {
  readonly repo: string;
  readonly integrationBranch: string;
  /** Of the branch; the same tip gives the same answer. */
  readonly tip: string;
  /** Folders of records that the hall writes and masks itself: what stands below them is passed over. */
  readonly recordFolders: readonly string[];
}

export async function lookThroughBranch(ctx: GitContext, request: LookRequest): Promise<LookedThrough> {
  return (await takeBegun(ctx, looks, keyOf(request))) ?? look(ctx, request);
}

const looks: Ahead<LookedThrough> = { begun: new Map() };

/** Begins a look that will be asked for in a moment. Resolves when it is done. */
export async function beginLook(ctx: GitContext, request: LookRequest): Promise<void> {
  await begin(ctx, looks, keyOf(request), () => look(ctx, request));
}

function keyOf({ repo, integrationBranch, tip, recordFolders }: LookRequest): string {
  return [repo, integrationBranch, tip, ...recordFolders].join('\0');
}

async function look(ctx: GitContext, request: LookRequest): Promise<LookedThrough> {
  const { repo, integrationBranch, tip, recordFolders } = request;
  const { changes } = await changesSince(ctx, repo, integrationBranch, tip);
  const isRecord = (path: string): boolean => recordFolders.some((folder) => isBelow(folder, path));
  const mine = changes.filter(({ path, status, newMode }) => status !== 'D' && isFile(newMode) && !isRecord(path));
  const files = await withSizes(ctx, repo, mine);
  const masked: ReplacedFile[] = [];
  const secrets = files.filter(({ newSize }) => newSize > maxFileBytes).map(notLookedThrough);
  for (const batch of batchesOf(
    files.filter(({ newSize }) => newSize <= maxFileBytes),
    batchLimits,
  )) {
    for (const { change, file } of await readBatch(ctx, repo, batch)) {
      if (isArtifact(change)) {
        const bytes = await maskFile(file);
        if (bytes !== undefined) masked.push({ path: file.path, mode: change.newMode, bytes });
      } else secrets.push(...(await locateInFile(file)).map((place) => ({ path: file.path, ...place })));
    }
  }
  return { masked, secrets };
}

async function withSizes(ctx: GitContext, repo: string, changes: readonly TreeChange[]): Promise<Changed[]> {
  const [after, before] = [
    await objectSizes(
      ctx,
      repo,
      changes.map(({ newOid }) => newOid),
    ),
    await objectSizes(
      ctx,
      repo,
      changes.map(({ oldOid }) => oldOid),
    ),
  ];
  return changes.map((change, index) => {
    const [newSize, oldSize] = [after[index] ?? 0, before[index] ?? 0];
    const isTooLarge = oldSize > maxFileBytes;
    const size = newSize + (isTooLarge ? 0 : oldSize);
    return { ...change, newSize, size, before: isTooLarge ? nothing : change.oldOid };
  });
}

function isFile(mode: string): boolean {
  return mode.startsWith('100') || mode === linkMode;
}

function isArtifact({ path, newMode }: TreeChange): boolean {
  return path.startsWith('.lore/') && newMode !== linkMode;
}

function notLookedThrough({ path, newSize }: Changed): FileSecret {
  return { path, line: 1, kind: `${Math.round(newSize / 1024 / 1024)} MiB, too large to be looked through` };
}

async function readBatch(
  ctx: GitContext,
  repo: string,
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
    batch.map(({ before: oid }) => oid),
  );
  return batch.flatMap((change, index) => {
    const bytes = after[index];
    return bytes === undefined ? [] : [{ change, file: { path: change.path, bytes, before: before[index] } }];
  });
}

const maxNamed = 5;

/** `src/a.ts:3 (AWS key), src/b.ts:1 (password) and 4 more`: never the secret itself. */
export function nameSecrets(secrets: readonly FileSecret[]): string {
  const named = secrets.slice(0, maxNamed).map(({ path, line, kind }) => `${path}:${line} (${kind})`);
  const more = secrets.length > maxNamed ? ` and ${secrets.length - maxNamed} more` : '';
  return `${named.join(', ')}${more}`;
}
