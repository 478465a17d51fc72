/** Records that the hall alone writes, as a branch on which a worker changed them is merged. */
import { objectSizes } from './objects.ts';
import { changesSince, readBytesAt } from './read.ts';
import type { GitContext } from './run.ts';

/** A folder whose files only the hall writes. */
export interface RecordFolder {
  /** Repository path, like `.lore/records`. */
  readonly folder: string;
  /**
   * What of a new file there may come along when a worker wrote it on its branch: its text, masked. Undefined leaves it
   * behind. Without it nothing comes along.
   */
  readonly admit?: (file: NewRecord) => Promise<string | undefined>;
}

export interface NewRecord {
  readonly project: string;
  /** Repository path. */
  readonly path: string;
  readonly content: string;
  /** Name of the worker. */
  readonly author: string;
}

export interface RecordChanges {
  /** Path to text: what comes along, as it is to be written. */
  readonly admitted: Readonly<Record<string, string>>;
  /** Records that the branch changed and that stay as they are on the integration branch. */
  readonly leftBehind: readonly string[];
  /** Other files below `.lore/` that the branch changed. */
  readonly artifacts: readonly string[];
  /** Those of them that are there on the branch. */
  readonly made: readonly string[];
}

export interface RecordsRequest {
  readonly project: { readonly name: string; readonly path: string; readonly integrationBranch: string };
  readonly tip: string;
  readonly author: string;
  readonly folders: readonly RecordFolder[];
  /** The activity's own record: the merge writes it anyway. */
  readonly own: string;
}

/** True for what stands below that folder of the repository. */
export function isBelow(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** A larger file comes not along as a record. Bytes. */
const maxRecordBytes = 4 * 1024 * 1024;

/** What a branch did to records, and to the artifacts beside them. */
export async function recordChangesOnBranch(ctx: GitContext, request: RecordsRequest): Promise<RecordChanges> {
  const { project, tip, folders, own } = request;
  const { changes } = await changesSince(ctx, project.path, project.integrationBranch, tip);
  const admitted: Record<string, string> = {};
  const leftBehind: string[] = [];
  // A link or a file in the place of the folder would lead the hall's next record elsewhere.
  const holderOf = (path: string): RecordFolder | undefined =>
    folders.find(({ folder }) => path === folder || isBelow(folder, path));
  const isRecord = (path: string): boolean => holderOf(path) !== undefined;
  const artifacts = changes.filter(({ path }) => isBelow('.lore', path) && !isRecord(path));
  for (const { path } of changes) {
    const holder = holderOf(path);
    if (path === own || holder === undefined) continue;
    const text = path === holder.folder ? undefined : await readAdmitted(ctx, request, holder, path);
    if (text === undefined) leftBehind.push(path);
    else admitted[path] = text;
  }
  return {
    admitted,
    leftBehind,
    artifacts: artifacts.map(({ path }) => path),
    made: artifacts.filter(({ status }) => status !== 'D').map(({ path }) => path),
  };
}

async function readAdmitted(
  ctx: GitContext,
  { project, tip, author }: RecordsRequest,
  { admit }: RecordFolder,
  path: string,
): Promise<string | undefined> {
  if (admit === undefined) return undefined;
  const { path: repo, integrationBranch } = project;
  const names = [`${integrationBranch}:${path}`, `${tip}:${path}`];
  const [present, size] = await objectSizes(ctx, repo, names);
  if (present !== undefined || size === undefined || size > maxRecordBytes) return undefined;
  const bytes = await readBytesAt(ctx, repo, tip, path);
  if (bytes === undefined) return undefined;
  return await admit({ project: project.name, path, content: bytes.toString('utf8'), author });
}
