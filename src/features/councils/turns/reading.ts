/** Reads files of the checkout that an agent named: plain files below the root alone, no link out of it, none too large. */
import { readFile, stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { isInside, resolveInside } from '../../../kernel/artifacts/paths.ts';
import { sessionsFolder } from '../store/place.ts';

/** A larger file is there, but nothing is looked up in it. Bytes. */
const maxBytes = 2_000_000;

/** Absolute; undefined for what is no plain file below the root. Git's own files are none, and session files neither. */
export async function fileInside(root: string, path: string): Promise<string | undefined> {
  if (isKeptBack(path)) return undefined;
  try {
    const full = await resolveInside(root, path.replace(/^\.\//, ''));
    // A link of the repository may have led there.
    return !isKeptBack(relative(root, full)) && (await stat(full)).isFile() ? full : undefined;
  } catch {
    // Absent, leading out or no path at all: whatever it is, it cannot be cited.
    return undefined;
  }
}

/** @param path relative to the root, without `..` */
function isKeptBack(path: string): boolean {
  const lower = path.toLowerCase();
  return lower.split('/').includes('.git') || isInside(`/${sessionsFolder}`, `/${lower}`);
}

/** Undefined where there is none, and for what is too large or no text. */
export async function readInside(root: string, path: string, max = maxBytes): Promise<string | undefined> {
  const file = await fileInside(root, path);
  if (file === undefined) return undefined;
  try {
    if ((await stat(file)).size > max) return undefined;
    const bytes = await readFile(file);
    return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    // It went away, or may not be read: it cannot be looked into.
    return undefined;
  }
}
