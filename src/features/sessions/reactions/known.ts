/**
 * All sessions as lists know them: kept in memory, made at the start from a copy (`index.json`) of what was known
 * before; only logs that are not as they were then are read.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasErrorCode, readTextIfExists, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import { someAtOnce } from '../../../kernel/pure/some-at-once.ts';
import type { KnownSession, SessionsContext } from '../context.ts';
import type { SessionId, SessionState } from '../contract.ts';
import type { SessionHead } from '../contract/birth.ts';
import { sessionFromSchema, sessionIdSchema } from '../contract/words.ts';
import { sessionInfoSchema } from '../descriptions/shapes.ts';
import { infoOf, isBusy } from '../fold/reading.ts';
import { emptySession, foldSession } from '../fold/session.ts';
import { readBeginning, readLog } from '../store/log.ts';
import { agentFolders, indexFile, logFile, sessionsFolder } from '../store/place.ts';
import { readRemoved } from '../store/removed.ts';
import { forgetOtherWords } from '../store/words.ts';

const headSchema = z.object({
  sessionId: sessionIdSchema,
  project: projectNameSchema,
  createdAt: z.string(),
  metaContext: z.object({ id: z.string(), name: z.string() }).nullable(),
  from: sessionFromSchema.nullable(),
});
const entrySchema = z.object({
  size: z.number(),
  changedMs: z.number(),
  head: headSchema,
  info: sessionInfoSchema,
  isUnfinished: z.boolean(),
});
const indexSchema = z.object({ version: z.literal(1), sessions: z.record(z.string(), entrySchema) });
type Index = z.infer<typeof indexSchema>['sessions'];

/** Files that are looked at or read at the same time. */
const atOnce = 8;

/** From then on `sessionDesk.known` is whole. Reads files only, and once. */
export async function readKnown(ctx: SessionsContext): Promise<void> {
  const { sessionDesk } = ctx;
  sessionDesk.reading ??= readAll(ctx).catch((error: unknown) => {
    // What could not be read this time may be read the next.
    sessionDesk.reading = undefined;
    throw error;
  });
  await sessionDesk.reading;
}

async function readAll(ctx: SessionsContext): Promise<void> {
  const index = await readIndex(ctx);
  const ids = await idsOfLogs(ctx);
  ctx.sessionDesk.removed.push(...(await readRemoved(ctx)));
  let readAnew = 0;
  await someAtOnce(ids, atOnce, async (id) => {
    // Why it cannot be looked at, reading it tells.
    const facts = await stat(logFile(ctx, id)).catch(() => undefined);
    const entry = index[id];
    const isSame = entry !== undefined && entry.size === facts?.size && entry.changedMs === facts.mtimeMs;
    if (!isSame) readAnew += 1;
    const known = isSame ? { ...entry, id, problem: null } : await readOne(ctx, id);
    if (known !== undefined) ctx.sessionDesk.known.set(id, known);
  });
  if (readAnew > 0 || Object.keys(index).length !== ids.length) await writeIndex(ctx);
}

async function idsOfLogs(ctx: SessionsContext): Promise<SessionId[]> {
  await mkdir(sessionsFolder(ctx), { recursive: true, mode: 0o700 });
  const names = await readdir(sessionsFolder(ctx));
  return names.flatMap((name) => {
    const id = sessionIdSchema.safeParse(/^(.+)\.jsonl$/.exec(name)?.[1]);
    return id.success ? [id.data] : [];
  });
}

/** One that cannot be read is known by its name alone, where at least its head tells whose it is. */
async function readOne(ctx: SessionsContext, id: SessionId): Promise<KnownSession | undefined> {
  try {
    const { events } = await readLog(logFile(ctx, id));
    const state = events.reduce(foldSession, emptySession());
    return { id, head: headOf(state), info: infoOf(state), problem: null, isUnfinished: isBusy(state) };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    ctx.log.error({ err: error, session: id }, 'the log of a session cannot be read; it is left as it is');
    return await unreadable(ctx, id, errorFactsOf(error).message);
  }
}

async function unreadable(ctx: SessionsContext, id: SessionId, problem: string): Promise<KnownSession> {
  const begun = (await readBeginning(logFile(ctx, id))).reduce(foldSession, emptySession());
  // Of a copy of another's log nothing counts but whose project it is.
  const own = begun.id === id ? begun : { ...emptySession(), project: begun.project, agent: begun.agent };
  const state = { ...own, id, title: own.title || id };
  return { id, head: headOf(state), info: { ...infoOf(state), state: 'unreadable' }, problem, isUnfinished: false };
}

function headOf({ id, project, createdAt, metaContext, from }: SessionState): SessionHead {
  return { sessionId: id, project, createdAt, metaContext, from };
}

/** Those of a project. */
export function someOf(ctx: SessionsContext, project: string): KnownSession[] {
  return [...ctx.sessionDesk.known.values()].filter(({ head }) => head.project === project);
}

/** The line of the list follows the state. */
export function knowSession(ctx: SessionsContext, state: SessionState): void {
  const { known } = ctx.sessionDesk;
  const there = known.get(state.id);
  const facts = { info: infoOf(state), isUnfinished: isBusy(state) };
  if (there === undefined) known.set(state.id, { id: state.id, head: headOf(state), problem: null, ...facts });
  else Object.assign(there, facts);
}

async function readIndex(ctx: SessionsContext): Promise<Index> {
  const text = await readTextIfExists(indexFile(ctx));
  if (text === undefined) return {};
  try {
    return indexSchema.parse(JSON.parse(text)).sessions;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the copy of what is known of sessions cannot be read; the logs are read instead');
    return {};
  }
}

/** For the next start. What is not as it is written down there is then read anew. */
export async function writeIndex(ctx: SessionsContext): Promise<void> {
  const sessions: Record<string, Index[string]> = {};
  const whole = [...ctx.sessionDesk.known.values()].filter(({ problem }) => problem === null);
  await someAtOnce(whole, atOnce, async ({ id, head, info, isUnfinished }) => {
    const before = JSON.stringify(info);
    // One that was removed meanwhile is left out.
    const facts = await stat(logFile(ctx, id)).catch(() => undefined);
    if (facts === undefined || JSON.stringify(ctx.sessionDesk.known.get(id)?.info) !== before) return;
    sessions[id] = { size: facts.size, changedMs: facts.mtimeMs, head, info, isUnfinished };
  });
  await writeAtomically(indexFile(ctx), JSON.stringify({ version: 1, sessions }), { mode: 0o600 });
}

/** What is left of sessions that came to nothing or were removed: folders without a log, of the agent's program, too. */
export async function removeLeftFolders(ctx: SessionsContext): Promise<void> {
  const entries = await readdir(sessionsFolder(ctx), { withFileTypes: true });
  for (const entry of entries) {
    const id = sessionIdSchema.safeParse(entry.name);
    if (!entry.isDirectory() || !id.success) continue;
    const known = ctx.sessionDesk.known.get(id.data);
    if (known === undefined) await rm(join(sessionsFolder(ctx), entry.name), { recursive: true, force: true });
    else if (known.problem === null && !known.isUnfinished) await forgetOtherWords(ctx, id.data, []);
  }
  for (const { path, id } of await agentFolders(ctx)) {
    if (!ctx.sessionDesk.known.has(id)) await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
