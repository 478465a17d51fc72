/** All sessions of a root, each read again only when its file has changed: asked whenever somebody looks. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext, KnownSession } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import { sessionPath, sessionsFolder } from './place.ts';
import { listSessionIds, readSession } from './session-file.ts';

export interface KnownSessions {
  readonly sessions: readonly CouncilSession[];
  /** Of files that cannot be read; they are left as they are. */
  readonly problems: readonly { readonly file: string; readonly message: string }[];
}

/** Oldest first by id. */
export async function readKnownSessions(
  ctx: Pick<CouncilsContext, 'knownSessions'>,
  root: string,
): Promise<KnownSessions> {
  const sessions: CouncilSession[] = [];
  const problems: { file: string; message: string }[] = [];
  const ids = await listSessionIds(root);
  forgetOthers(ctx, root, ids);
  for (const id of ids) {
    const file = join(root, sessionPath(id));
    const { session, problem } = await readKnown(ctx, root, id, file);
    if (session !== undefined) sessions.push(session);
    if (problem !== undefined) problems.push({ file, message: problem.message });
  }
  return { sessions, problems };
}

/** What is gone from the folder is not held in memory. */
function forgetOthers(
  { knownSessions }: Pick<CouncilsContext, 'knownSessions'>,
  root: string,
  ids: readonly string[],
): void {
  const folder = `${join(root, sessionsFolder)}/`;
  const present = new Set(ids.map((id) => join(root, sessionPath(id))));
  for (const file of knownSessions.keys())
    if (file.startsWith(folder) && !present.has(file)) knownSessions.delete(file);
}

async function readKnown(
  { knownSessions }: Pick<CouncilsContext, 'knownSessions'>,
  root: string,
  id: string,
  file: string,
): Promise<Omit<KnownSession, 'sign'>> {
  const sign = await signOf(file);
  const known = knownSessions.get(file);
  if (known !== undefined && known.sign === sign) return known;
  const read = await readOne(root, id);
  knownSessions.set(file, { sign, ...read });
  return read;
}

async function readOne(root: string, id: string): Promise<Omit<KnownSession, 'sign'>> {
  try {
    return { session: await readSession(root, id), problem: undefined };
  } catch (error) {
    if (error instanceof HallError) return { session: undefined, problem: error };
    throw error;
  }
}

/** Every write makes another file. */
async function signOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await lstat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES')) return '';
    throw error;
  }
}
