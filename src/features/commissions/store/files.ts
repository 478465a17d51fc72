/** The artifacts of commissions, in the integration worktree of their project. */
import { readdir } from 'node:fs/promises';
import { editArtifact, printArtifact, type ArtifactEdit } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact, splitArtifact } from '../../../kernel/artifacts/parse.ts';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { createExclusively, hasErrorCode, readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf, fail } from '../../../kernel/pure/errors.ts';
import {
  type CommissionId,
  commissionIdSchema,
  type CommissionRecord,
  commissionsFolder,
  type TimelineEntry,
} from '../contract.ts';
import { entriesToAdd } from '../rules/growth.ts';
import { commissionPath } from './place.ts';
import {
  bodyOfCommission,
  type CommissionChanges,
  editOfChanges,
  frontmatterOfNew,
  type NewCommission,
  recordOfDocument,
} from './record.ts';

/** The record's file. @throws HallError `forbidden` when a link of the repository leads it out of the project */
export async function artifactFile(project: Project, id: CommissionId): Promise<string> {
  return resolveInside(project.integrationWorktree, commissionPath(id));
}

/** Undefined where there is no file. */
export async function readCommission(project: Project, id: CommissionId): Promise<CommissionRecord | undefined> {
  const source = await readTextIfExists(await artifactFile(project, id));
  return source === undefined ? undefined : recordOf(project, id, source);
}

/** @throws HallError `not_found` */
export async function requireCommission(project: Project, id: CommissionId): Promise<CommissionRecord> {
  const record = await readCommission(project, id);
  if (record === undefined) throw missing(project, id);
  return record;
}

export interface CommissionsRead {
  /** Newest first. */
  readonly commissions: readonly CommissionRecord[];
  /** Files that are no commissions, and a folder that cannot be read: the others are listed all the same. */
  readonly problems: CommissionRecord['problems'];
}

/** Every commission of a project. */
export async function readCommissions(project: Project): Promise<CommissionsRead> {
  const folder = await findFolder(project);
  if (typeof folder !== 'string') return { commissions: [], problems: folder };
  const names = await recordNames(folder);
  return toRead(await Promise.all(names.map((name) => readNamed(project, name))));
}

/** The folder of records; a problem where it cannot be looked into, none where there is no checkout. */
export async function findFolder(project: Project): Promise<string | CommissionRecord['problems']> {
  try {
    return await resolveInside(project.integrationWorktree, commissionsFolder);
  } catch (error) {
    // That the checkout is gone is told of the project.
    if (hasErrorCode(error, 'ENOENT')) return [];
    return [{ file: commissionsFolder, line: 1, column: 1, message: errorFactsOf(error).message }];
  }
}

/** Names of the files that should be records. */
export async function recordNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  return names.filter((name) => name.endsWith('.md') && !name.startsWith('.'));
}

export type NamedRead = CommissionRecord | CommissionRecord['problems'][number];

export function toRead(read: readonly NamedRead[]): CommissionsRead {
  return {
    commissions: read
      .flatMap((one) => ('id' in one ? [one] : []))
      .toSorted((x, y) => y.createdAt.localeCompare(x.createdAt) || y.id.localeCompare(x.id)),
    problems: read.flatMap((one) => ('id' in one ? [] : [one])),
  };
}

/** One file of the folder; what is wrong with it where it is no record. */
export async function readNamed(project: Project, name: string): Promise<NamedRead> {
  const at = { file: `${commissionsFolder}/${name}`, line: 1, column: 1 };
  const id = commissionIdSchema.safeParse(name.slice(0, -'.md'.length));
  if (!id.success) {
    return { ...at, message: 'The name is no commission id: rename the file to letters, digits and hyphens.' };
  }
  try {
    return (await readCommission(project, id.data)) ?? { ...at, message: 'The file went away while it was read.' };
  } catch (error) {
    return { ...at, message: errorFactsOf(error).message };
  }
}

/** Makes the artifact; committing is another step. @throws HallError `conflict` where there is one of this id */
export async function createCommissionFile(
  project: Project,
  id: CommissionId,
  commission: NewCommission,
): Promise<CommissionRecord> {
  const source = printArtifact(frontmatterOfNew(commission), bodyOfCommission(commission));
  if (await createExclusively(await artifactFile(project, id), source)) return recordOf(project, id, source);
  throw fail(
    'conflict',
    `There is a commission ${id} in project ${project.name} already.`,
    `See it: guild-hall commission show ${id}`,
    { id },
  );
}

/** Edits the artifact in place. The caller holds the commission's lock; committing is another step. */
export async function editCommission(
  project: Project,
  id: CommissionId,
  edit: ArtifactEdit,
): Promise<CommissionRecord> {
  return (await rewrite(project, id, (source) => editArtifact(source, edit))).record;
}

export interface Changed {
  readonly record: CommissionRecord;
  /** Entries that were added to the timeline: to be announced. */
  readonly added: readonly TimelineEntry[];
}

/**
 * Makes the changes, and adds what of `entries` the timeline does not have yet, in one write. The caller holds the
 * commission's lock; committing is another step.
 */
export async function changeCommission(
  project: Project,
  id: CommissionId,
  changes: CommissionChanges,
  entries: readonly TimelineEntry[] = [],
): Promise<Changed> {
  let added: readonly TimelineEntry[] = [];
  const { record } = await rewrite(project, id, (source) => {
    const changed = changedText(project, id, source, changes, entries);
    added = changed.added;
    return changed.text;
  });
  return { record, added };
}

/** As `changeCommission`, without other changes. Offered again, entries of a journal's lines add nothing. */
export async function appendTimeline(
  project: Project,
  id: CommissionId,
  entries: readonly TimelineEntry[],
  changes: CommissionChanges = {},
): Promise<Changed> {
  return changeCommission(project, id, changes, entries);
}

/** The text of the record with the changes and entries: what a merge writes as the final artifact. Writes nothing. */
export function changedText(
  project: Pick<Project, 'name'>,
  id: CommissionId,
  source: string,
  changes: CommissionChanges,
  entries: readonly TimelineEntry[],
): { readonly text: string; readonly added: readonly TimelineEntry[] } {
  const document = parseArtifact(source, commissionPath(id));
  const { title, prompt, timeline } = recordOfDocument(project.name, id, document);
  const parts = splitArtifact(source);
  const added = entriesToAdd(timeline, entries, parts.kind === 'frontmatter' ? parts.yaml.length : 0);
  const edit = editOfChanges(changes, { title, prompt, body: document.body });
  const append = added.length === 0 ? {} : { append: { activity_timeline: added } };
  return { text: editArtifact(source, { ...edit, ...append }), added };
}

async function rewrite(
  project: Project,
  id: CommissionId,
  change: (source: string) => string,
): Promise<{ record: CommissionRecord }> {
  const file = await artifactFile(project, id);
  const source = await readTextIfExists(file);
  if (source === undefined) throw missing(project, id);
  const text = change(source);
  if (text !== source) await writeAtomically(file, text);
  return { record: recordOf(project, id, text) };
}

function recordOf(project: Project, id: CommissionId, source: string): CommissionRecord {
  return recordOfDocument(project.name, id, parseArtifact(source, commissionPath(id)));
}

export function missing(project: Pick<Project, 'name'>, id: string): Error {
  return fail(
    'not_found',
    `There is no commission ${id} in project ${project.name}.`,
    `See: guild-hall commission list --project ${project.name}`,
  );
}
