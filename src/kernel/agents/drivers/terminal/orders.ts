/** Programs that do what a repository's own files tell them, outside of a sandbox: not unless the person says so. */
import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail } from '../../../pure/errors.ts';
import type { TerminalEntry } from './shapes.ts';

/** @throws HallError `conflict` where such a file stands in `cwd`, or above it in the same repository */
export async function requireNoOrders({ name, obeys = [] }: TerminalEntry, cwd: string): Promise<void> {
  if (obeys.length === 0) return;
  for (const folder of await foldersUp(cwd)) {
    for (const file of obeys) {
      if (!(await isThere(join(folder, file)))) continue;
      throw fail(
        'conflict',
        `There is no sandbox here, and ${name} would run what this file tells it: ${join(folder, file)}`,
        'Read the file; then start it all the same with --no-sandbox, or install bubblewrap.',
      );
    }
  }
}

/** From `cwd` to the top of its repository; `cwd` alone where it is in none. */
async function foldersUp(cwd: string): Promise<string[]> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await isThere(join(folder, '.git'))) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    // Not there, or not to be seen: then the program cannot read it either.
    return false;
  }
}
