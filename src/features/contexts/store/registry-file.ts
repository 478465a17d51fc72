/**
 * The registry's file, `.conclave/state/meta-contexts.json` in the project's folder. An agent or a repository may have put
 * anything there: neither a link is followed, nor is what cannot be understood written over.
 */
import { lstat, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readAt, withPlainFile } from '../../../kernel/artifacts/search/plain-file.ts';
import { hasErrorCode, syncFolder, writeAtomically } from '../../../kernel/artifacts/write.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import { localKind } from '../../../kernel/git/local.ts';
import { fail, type HallError } from '../../../kernel/pure/errors.ts';
import { parseDocument, printDocument, type RegistryDocument } from '../rules/document.ts';
import { registryFile, registryName, stateFolder } from './place.ts';

type Place = { readonly path: string };

/** Nothing that a hall wrote is longer. Bytes. */
const longest = 8_000_000;

export type RegistryRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'read'; readonly document: RegistryDocument }
  | { readonly kind: 'corrupt'; readonly why: string }
  /** Not to be used at all, and not to be written. */
  | { readonly kind: 'refused'; readonly refusal: HallError };

/** What stands there, in one word that is another after any change. */
export async function markOf(project: Place): Promise<string> {
  const kind = await localKind(project.path, `${stateFolder}/${registryName}`);
  if (kind !== 'file') return kind;
  try {
    const { mtimeNs, ctimeNs, size, ino } = await lstat(registryFile(project), { bigint: true });
    return [mtimeNs, ctimeNs, size, ino].join(':');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return 'missing';
    throw error;
  }
}

export async function readRegistry(project: Place): Promise<RegistryRead> {
  if (!(await isFolder(project.path))) return { kind: 'refused', refusal: noFolder(project.path) };
  const kind = await localKind(project.path, `${stateFolder}/${registryName}`);
  if (kind === 'missing') return { kind };
  const path = registryFile(project);
  if (kind !== 'file') return { kind: 'refused', refusal: noPlainFile(path) };
  const text = withPlainFile(path, (fd, size) => (size > longest ? null : readAt(fd, 0, size).toString('utf8')));
  if (text === undefined) return { kind: 'refused', refusal: noPlainFile(path) };
  if (text === null) return { kind: 'corrupt', why: `it has more than ${longest} bytes` };
  const document = parseDocument(text);
  if (typeof document === 'string') return { kind: 'corrupt', why: document };
  const why = whyNotPrinted(document);
  return why === undefined ? { kind: 'read', document } : { kind: 'corrupt', why };
}

/**
 * What is carried along is written again with all the rest: a file with which that cannot be done is not used. Ten
 * kilobytes of brackets within each other become many megabytes by their indents, or are too deep for the stack.
 */
function whyNotPrinted(document: RegistryDocument): string | undefined {
  try {
    if (Buffer.byteLength(printDocument(document)) <= longest) return undefined;
    return `laid out in lines it would have more than ${longest} bytes`;
  } catch (error) {
    if (error instanceof RangeError) return 'its lists or objects stand too deep within each other';
    throw error;
  }
}

/** The caller has looked at what stands there. @throws HallError `conflict` where no plain file can stand */
export async function writeRegistry(project: Place, document: RegistryDocument): Promise<void> {
  // A disk that is not there now must not get a folder in its place.
  if (!(await isFolder(project.path))) throw noFolder(project.path);
  const kind = await localKind(project.path, `${stateFolder}/${registryName}`);
  if (kind !== 'missing' && kind !== 'file') throw noPlainFile(registryFile(project));
  await writeAtomically(registryFile(project), printDocument(document));
}

/** @returns its new path */
export async function keepAside(ctx: ClockContext, project: Place): Promise<string> {
  const stem = `${registryFile(project)}.corrupt-${ctx.clock.nowIso().replaceAll(/[-:.]/g, '')}`;
  const taken = new Set(await asideOf(project));
  let path = stem;
  for (let count = 2; taken.has(path); count += 1) path = `${stem}-${count}`;
  await rename(registryFile(project), path);
  await syncFolder(join(project.path, stateFolder));
  return path;
}

/** Copies of what could not be read. Absolute, the oldest first. */
export async function asideOf(project: Place): Promise<string[]> {
  if ((await localKind(project.path, stateFolder)) !== 'folder') return [];
  const names = await readdir(join(project.path, stateFolder));
  const kept = names.filter((name) => name.startsWith(`${registryName}.corrupt-`));
  return kept.toSorted().map((name) => join(project.path, stateFolder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(nothingAt))?.isDirectory() === true;
}

function nothingAt(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) throw error;
}

function noFolder(path: string): HallError {
  return fail(
    'not_found',
    `The folder ${path} is not there, so its registry of contexts is neither read nor written.`,
    'Put it back, or register the project where it is now: guild-hall project add <path>',
    { path },
  );
}

function noPlainFile(path: string): HallError {
  return fail(
    'conflict',
    `The registry of contexts ${path} is no plain file, or a folder on its way is none. The hall neither reads nor writes it.`,
    'Put a plain file or nothing in its place: links are not followed there.',
    { path },
  );
}
