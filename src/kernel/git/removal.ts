/** Deleting a folder with everything in it, also where an agent made folders read-only. Links are never followed. */
import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faultPoint } from '../clock/fault.ts';
import { fail } from '../pure/errors.ts';

/** @throws forbidden when something in it cannot be deleted even so */
export async function removeTree(path: string): Promise<void> {
  faultPoint('git:before:remove-tree');
  const options = { recursive: true, force: true, maxRetries: 3 };
  try {
    await rm(path, options);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    await makeWritable(path);
    try {
      await rm(path, options);
    } catch (again) {
      throw fail(
        'forbidden',
        `Something in ${path} cannot be deleted: ${(again as Error).message}`,
        `Look who owns it: ls -lR '${path}'; then delete it and repeat.`,
        { path },
        again,
      );
    }
  }
  faultPoint('git:after:remove-tree');
}

async function makeWritable(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) return;
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
