/**
 * Memory: plain Markdown files in the home, in three scopes. The person may read and change them with any editor;
 * workers change them by tool. A change is made under a lock that holds between processes, on what the file says then.
 */
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { resolveInside } from '../artifacts/paths.ts';
import { appendDurably, hasErrorCode, writeAtomically } from '../artifacts/write.ts';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import type { LocksContext } from '../locks/locks.ts';
import { withFileLock } from '../processes/filelock.ts';
import type { HomePaths } from '../projects/home.ts';
import { fail } from '../pure/errors.ts';
import { type ProjectName, slugOf, type WorkerName } from '../pure/ids.ts';

export const memoryScopes = ['global', 'project', 'worker'] as const;
export type MemoryScope = (typeof memoryScopes)[number];

/** Whose memory: everybody's, everybody's in the project, and the worker's own that no other worker is given. */
export interface MemoryOwner {
  readonly project: ProjectName;
  readonly worker: WorkerName;
}

export interface MemoryFile {
  readonly scope: MemoryScope;
  /** Without `.md`. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Within the home, for people and prompts: `memory/projects/shop/notes.md`. */
  readonly place: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

export type MemoryContext = ClockContext &
  IdContext &
  LocksContext & { readonly home: Pick<HomePaths, 'memory' | 'locks'> };

/** What a memory file may grow to by tool, in bytes. */
export const maxMemoryBytes = 1_000_000;
/** What is read of a file that grew by hand, in bytes. */
const maxReadBytes = 8_000_000;
const lockWaitMs = 10_000;

export function memoryFolder(ctx: Pick<MemoryContext, 'home'>, owner: MemoryOwner, scope: MemoryScope): string {
  if (scope === 'global') return join(ctx.home.memory, 'global');
  return scope === 'project'
    ? join(ctx.home.memory, 'projects', owner.project)
    : join(ctx.home.memory, 'workers', owner.worker);
}

/** The Markdown files of one scope, by name. Folders, other files and hidden ones are passed over. */
export async function listMemory(
  ctx: Pick<MemoryContext, 'home'>,
  owner: MemoryOwner,
  scope: MemoryScope,
): Promise<MemoryFile[]> {
  const folder = memoryFolder(ctx, owner, scope);
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  const named = names.filter((name) => name.endsWith('.md') && namePattern.test(name.slice(0, -3))).toSorted();
  const files = await Promise.all(named.map((name) => describeFile(ctx, scope, join(folder, name))));
  return files.filter((file) => file !== undefined);
}

async function describeFile(
  ctx: Pick<MemoryContext, 'home'>,
  scope: MemoryScope,
  path: string,
): Promise<MemoryFile | undefined> {
  try {
    const facts = await stat(path);
    if (!facts.isFile()) return undefined;
    const place = relative(dirname(ctx.home.memory), path);
    return { scope, name: basename(path, '.md'), path, place, bytes: facts.size, modifiedMs: facts.mtimeMs };
  } catch (error) {
    // Removed since the folder was read, or a link to nothing: not there for a reader.
    if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  }
}

/** @throws `invalid` for a name that is none; `not_found`; `too_large`; `conflict` for what is no text */
export async function readMemory(
  ctx: Pick<MemoryContext, 'home'>,
  owner: MemoryOwner,
  scope: MemoryScope,
  name: string,
): Promise<string> {
  const path = await resolveMemory(ctx, owner, scope, name);
  const text = path === undefined ? undefined : await readWhole(path);
  if (text !== undefined) return text;
  const names = (await listMemory(ctx, owner, scope)).map((file) => file.name);
  throw fail(
    'not_found',
    `There is no ${scope} memory "${name}". There are: ${names.join(', ') || 'none yet'}.`,
    'See list_memory, or write it with write_memory.',
  );
}

/** Adds a paragraph at the end. What the file holds stays as it is, byte for byte. @returns the file's path */
export async function appendMemory(
  ctx: MemoryContext,
  owner: MemoryOwner,
  scope: MemoryScope,
  name: string,
  print: (before: string) => string,
): Promise<string> {
  return withMemoryLock(ctx, owner, scope, name, async (path) => {
    const before = (await readWhole(path)) ?? '';
    const added = print(before);
    requireSize(before, added);
    await appendDurably(path, added, { mode: 0o600 });
  });
}

/**
 * Replaces the text by what `change` makes of the text that is there at that moment (undefined where there is none).
 * A throw of `change` leaves the file as it was. @returns the file's path
 */
export async function changeMemory(
  ctx: MemoryContext,
  owner: MemoryOwner,
  scope: MemoryScope,
  name: string,
  change: (before: string | undefined) => string,
): Promise<string> {
  return withMemoryLock(ctx, owner, scope, name, async (path) => {
    const before = await readWhole(path);
    const after = change(before);
    requireSize(after);
    if (after !== before) await writeAtomically(path, after, before === undefined ? { mode: 0o600 } : {});
  });
}

async function withMemoryLock(
  ctx: MemoryContext,
  owner: MemoryOwner,
  scope: MemoryScope,
  name: string,
  work: (path: string) => Promise<void>,
): Promise<string> {
  requireName(name);
  const folder = memoryFolder(ctx, owner, scope);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(ctx.home.locks, { recursive: true, mode: 0o700 });
  const path = await resolveInside(folder, fileNameOf(name));
  const place = scope === 'global' ? scope : `${scope}-${scope === 'project' ? owner.project : owner.worker}`;
  // Two names may share a lock, and names that differ in case only must.
  const lock = join(ctx.home.locks, `memory-${place}-${slugOf(name, 80)}.lock`);
  await ctx.locks.with(lock, () => withFileLock(ctx, lock, () => work(path), { waitMs: lockWaitMs }));
  return path;
}

const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,78}$/u;

function fileNameOf(name: string): string {
  return `${name.replace(/\.md$/, '')}.md`;
}

function requireName(name: string): void {
  const bare = name.replace(/\.md$/, '');
  if (namePattern.test(bare) && !bare.includes('..') && !/[. ]$/.test(bare)) return;
  throw fail(
    'invalid',
    `${JSON.stringify(name.slice(0, 100))} is no name for a memory; expected a plain name without folders, at most 79 characters.`,
    'Choose a name such as build-notes.',
  );
}

async function resolveMemory(
  ctx: Pick<MemoryContext, 'home'>,
  owner: MemoryOwner,
  scope: MemoryScope,
  name: string,
): Promise<string | undefined> {
  requireName(name);
  try {
    return await resolveInside(memoryFolder(ctx, owner, scope), fileNameOf(name));
  } catch (error) {
    // The scope's folder appears with the first memory in it.
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function readWhole(path: string): Promise<string | undefined> {
  const bytes = await readEnd(path, maxReadBytes + 1);
  if (bytes === undefined) return undefined;
  if (bytes.length > maxReadBytes) {
    throw fail(
      'too_large',
      `${path} is larger than ${maxReadBytes} bytes.`,
      'Ask the person to split it into several files.',
    );
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw fail(
      'conflict',
      `${path} is not UTF-8 text; it is left as it is.`,
      'Ask the person to look at it.',
      { path },
      error,
    );
  }
}

/** The last `maxBytes` of a file; undefined where there is none. */
export async function readEnd(path: string, maxBytes: number): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, maxBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, Math.max(0, size - maxBytes));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function requireSize(...texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= maxMemoryBytes) return;
  throw fail(
    'too_large',
    `The memory would have ${bytes} bytes; at most ${maxMemoryBytes} are kept in one file.`,
    'Read it and replace it by a shorter text, or begin another one under a new name.',
  );
}
