/**
 * The records of meetings, each read anew only when its file is another than it was: for what is asked again and
 * again, like what waits for the person.
 */
import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { meetingsFolder } from '../contract.ts';
import { type MeetingsRead, newestFirst, readNamed } from './files.ts';

type NamedRead = Awaited<ReturnType<typeof readNamed>>;
export type KnownMeetings = Map<string, { readonly sign: string; readonly read: NamedRead }>;

/** The same as `readMeetings`. The records are shared: nobody changes them. */
export async function readKnownMeetings(known: KnownMeetings, project: Project): Promise<MeetingsRead> {
  let folder: string;
  try {
    folder = await resolveInside(project.integrationWorktree, meetingsFolder);
  } catch (error) {
    // Without its checkout a project has no meetings to show; that it is gone is told of the project.
    if (hasErrorCode(error, 'ENOENT')) return { meetings: [], problems: [] };
    const { message } = errorFactsOf(error);
    return { meetings: [], problems: [{ file: meetingsFolder, line: 1, column: 1, message }] };
  }
  const all = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  const names = all.filter((name) => name.endsWith('.md') && !name.startsWith('.'));
  const read = await Promise.all(names.map(async (name) => await readOne(known, project, folder, name)));
  const present = new Set(names.map((name) => keyOf(project, name)));
  for (const key of known.keys()) if (key.startsWith(keyOf(project, '')) && !present.has(key)) known.delete(key);
  return {
    meetings: newestFirst(read.flatMap((one) => ('id' in one ? [one] : []))),
    problems: read.flatMap((one) => ('id' in one ? [] : [one])),
  };
}

function keyOf(project: Project, name: string): string {
  return `${project.name} ${project.integrationWorktree} ${name}`;
}

async function readOne(known: KnownMeetings, project: Project, folder: string, name: string): Promise<NamedRead> {
  const key = keyOf(project, name);
  // One look costs some microseconds; asking for it in the background costs ten times that.
  const facts = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
  // A link may lead to a file that changes while the link does not.
  if (facts === undefined || facts.isSymbolicLink()) return await readNamed(project, name);
  const sign = `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
  const before = known.get(key);
  if (before?.sign === sign) return before.read;
  const read = await readNamed(project, name);
  known.set(key, { sign, read });
  return read;
}
