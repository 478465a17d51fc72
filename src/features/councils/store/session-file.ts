/** Session files: `.gaia/memory/meeting-sessions/<id>.yaml` below a root. The truth of a council. */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { councilIdSchema, councilSessionSchema, type CouncilId, type CouncilSession } from '../contract.ts';
import { sessionPath, sessionsFolder } from './place.ts';
import {
  lineOfField,
  parseFields,
  printFields,
  seedFields,
  snakeOf,
  toFileNames,
  toOwnNames,
  unreadable,
} from './session-text.ts';
import { writeCouncilFile } from './writer.ts';

/** Larger is no session of ours. */
const mostBytes = 64 * 1024 * 1024;

/** In the order of the file. */
export function printSession(session: CouncilSession): string {
  const fields = toFileNames(session) as Readonly<Record<string, unknown>>;
  const rest = Object.entries(fields).filter(([key]) => !(seedFields as readonly string[]).includes(key));
  return printFields(Object.fromEntries([...seedFields.map((key) => [key, fields[key]] as const), ...rest]));
}

/** @throws `conflict` that names file and line */
export async function parseSession(text: string, file: string): Promise<CouncilSession> {
  const fields = await parseFields(text, file);
  const parsed = councilSessionSchema.safeParse(ownNamesOf(fields, file));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const key = snakeOf(String(issue.path[0] ?? ''));
  throw unreadable(file, lineOfField(text, key), `${[key, ...issue.path.slice(1)].join('.')}: ${issue.message}`);
}

function ownNamesOf(fields: unknown, file: string): unknown {
  try {
    return toOwnNames(fields);
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(file, 1, 'it is nested too deeply');
    throw error;
  }
}

/**
 * Undefined where there is none.
 * @throws `conflict` that names file and line
 */
export async function readSession(root: string, id: string): Promise<CouncilSession | undefined> {
  const path = sessionPath(id);
  const text = await readPlainFile(root, path);
  if (text === undefined) return undefined;
  const session = await parseSession(text, join(root, path));
  if (session.sessionId === id) return session;
  throw unreadable(join(root, path), lineOfField(text, 'session_id'), `session_id is ${session.sessionId}`);
}

/** The caller has read what stood there before, or knows that nothing did. */
export async function writeSession(ctx: LogContext, root: string, session: CouncilSession): Promise<void> {
  await writeCouncilFile(ctx, root, sessionPath(session.sessionId), printSession(session));
}

/** @returns false where another one of that name stands there, of another hall on the same checkout perhaps */
export async function createSession(ctx: LogContext, root: string, session: CouncilSession): Promise<boolean> {
  const path = sessionPath(session.sessionId);
  return (await writeCouncilFile(ctx, root, path, printSession(session), { isNew: true })) !== undefined;
}

export interface FoundSessions {
  readonly sessions: readonly CouncilSession[];
  /** Of files that cannot be read; they are left as they are. */
  readonly problems: readonly HallError[];
}

/** All of a root, oldest first by id. */
export async function readSessions(root: string): Promise<FoundSessions> {
  const sessions: CouncilSession[] = [];
  const problems: HallError[] = [];
  for (const id of await listSessionIds(root)) {
    try {
      const session = await readSession(root, id);
      if (session !== undefined) sessions.push(session);
    } catch (error) {
      if (!(error instanceof HallError)) throw error;
      problems.push(error);
    }
  }
  return { sessions, problems };
}

export async function listSessionIds(root: string): Promise<CouncilId[]> {
  const names = await readdir(join(root, sessionsFolder)).catch((error: unknown) => {
    // A link that leads nowhere, or a folder that nobody may look into, holds none.
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG')) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => councilIdSchema.safeParse(name.slice(0, -'.yaml'.length)).data ?? [])
    .toSorted();
}

/** No link is followed out of the root, and nothing but a plain file is read. */
async function readPlainFile(root: string, path: string): Promise<string | undefined> {
  let handle;
  try {
    handle = await open(await resolveInside(root, path), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    // A socket, or a file that was taken from us.
    if (hasErrorCode(error, 'ENXIO', 'EACCES', 'EPERM', 'ELOOP'))
      throw unreadable(join(root, path), 1, 'it cannot be opened');
    throw error;
  }
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw unreadable(join(root, path), 1, 'it is no plain file');
    if (facts.size > mostBytes) throw unreadable(join(root, path), 1, `it is larger than ${mostBytes} bytes`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
