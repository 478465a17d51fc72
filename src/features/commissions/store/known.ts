/** Records, each read anew only when its file is another than it was: for what is asked again and again. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../../../kernel/projects/projects.ts';
import { someAtOnce } from '../../../kernel/pure/some-at-once.ts';
import { type CommissionsRead, findFolder, type NamedRead, readNamed, recordNames, toRead } from './files.ts';

export type KnownCommissions = Map<string, { readonly sign: string; readonly read: NamedRead }>;

/** Most of it is waiting for the disk. */
const readAtOnce = 16;

/** The same as `readCommissions`. The records are shared: nobody changes them. */
export async function readKnownCommissions(known: KnownCommissions, project: Project): Promise<CommissionsRead> {
  const folder = await findFolder(project);
  if (typeof folder !== 'string') return { commissions: [], problems: folder };
  const names = await recordNames(folder);
  const read = await someAtOnce(names, readAtOnce, async (name) => readOne(known, project, folder, name));
  const present = new Set(names.map((name) => keyOf(project, name)));
  for (const key of known.keys()) if (key.startsWith(keyOf(project, '')) && !present.has(key)) known.delete(key);
  return toRead(read);
}

function keyOf(project: Project, name: string): string {
  return `${project.name} ${project.integrationWorktree} ${name}`;
}

function readOne(
  known: KnownCommissions,
  project: Project,
  folder: string,
  name: string,
): NamedRead | Promise<NamedRead> {
  const key = keyOf(project, name);
  // One look costs some microseconds; asking for it in the background costs ten times that.
  const facts = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  // A link may lead to a file that changes while the link does not.
  if (facts === undefined || facts.isSymbolicLink()) return readNamed(project, name);
  const sign = `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
  const before = known.get(key);
  return before?.sign === sign ? before.read : readAnew(known, project, name, sign);
}

async function readAnew(known: KnownCommissions, project: Project, name: string, sign: string): Promise<NamedRead> {
  const read = await readNamed(project, name);
  known.set(keyOf(project, name), { sign, read });
  return read;
}
