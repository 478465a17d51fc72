/**
 * Whose worktree it is. The marker lies where git keeps what belongs to that worktree (not in the worktree, where an
 * agent may write) and is written when the worktree is complete. While one is being made, a note beside its folder
 * says so; a crash leaves the note, and the same owner may clear away what is half-made.
 */
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../artifacts/write.ts';
import { foldersOf } from './native.ts';
import { type GitContext, gitWord } from './run.ts';

const markerSchema = z.object({ version: z.literal(1), owner: z.string(), branch: z.string() });
export type Marker = z.infer<typeof markerSchema>;

const markerName = 'guild-hall.json';

/** @param gitDir the worktree's own folder below `.git/worktrees` */
export async function readMarker(gitDir: string): Promise<Marker | undefined> {
  return readMarkerFile(join(gitDir, markerName));
}

export async function writeMarker(gitDir: string, marker: Omit<Marker, 'version'>): Promise<void> {
  await writeAtomically(join(gitDir, markerName), `${JSON.stringify({ version: 1, ...marker })}\n`);
}

/** Where the note lies that the worktree `path` is being made. */
export function makingNotePath(path: string): string {
  return join(dirname(path), `.${basename(path)}.making.json`);
}

export async function readMakingNote(path: string): Promise<Marker | undefined> {
  return readMarkerFile(makingNotePath(path));
}

export async function writeMakingNote(path: string, marker: Omit<Marker, 'version'>): Promise<void> {
  await writeAtomically(makingNotePath(path), `${JSON.stringify({ version: 1, ...marker })}\n`);
}

export async function removeMakingNote(path: string): Promise<void> {
  await rm(makingNotePath(path), { force: true });
}

async function readMarkerFile(file: string): Promise<Marker | undefined> {
  try {
    return markerSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Missing, or not ours to understand: either way it names no owner, and nothing is removed on its word.
    return undefined;
  }
}

/** The folder that all checkouts of a repository share. */
export async function commonDirOf(ctx: GitContext, repo: string): Promise<string> {
  const folders = await foldersOf(repo);
  return folders?.commonDir ?? gitWord(ctx, repo, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
}

/** The folder below `.git/worktrees` that is registered for the worktree at `path`, or undefined. */
export async function findRegistration(commonDir: string, path: string): Promise<string | undefined> {
  const folder = join(commonDir, 'worktrees');
  for (const name of await namesIn(folder)) {
    const gitDir = join(folder, name);
    const pointer = await readPointer(join(gitDir, 'gitdir'));
    if (pointer === join(path, '.git')) return gitDir;
  }
  return undefined;
}

/** The same for a worktree that was moved here, by what it says itself; a copy, whose original is still there, is none. */
export async function findMoved(commonDir: string, path: string): Promise<string | undefined> {
  const gitDir = await readGitFile(path);
  if (gitDir === undefined || dirname(gitDir) !== join(commonDir, 'worktrees')) return undefined;
  const registered = await readPointer(join(gitDir, 'gitdir'));
  if (registered === undefined || (await readPointer(registered)) !== undefined) return undefined;
  return gitDir;
}

/** Where the `.git` file of a worktree points to, or undefined when there is none. */
export async function readGitFile(path: string): Promise<string | undefined> {
  return (await readPointer(join(path, '.git')))?.replace(/^gitdir: /, '');
}

async function readPointer(file: string): Promise<string | undefined> {
  try {
    return (await stat(file)).isFile() ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
