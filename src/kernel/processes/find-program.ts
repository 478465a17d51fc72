/** Where a program is. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/**
 * The whole path of a program by its name on `PATH`, or by its path relative to `cwd`; undefined where there is none
 * that may be run. Folders of `PATH` that are not absolute do not count.
 */
export async function findProgram(
  file: string,
  where: { readonly cwd: string; readonly path: string | undefined },
): Promise<string | undefined> {
  if (file.includes('/')) return (await isProgram(resolve(where.cwd, file))) ? resolve(where.cwd, file) : undefined;
  for (const folder of (where.path ?? '').split(delimiter)) {
    if (isAbsolute(folder) && (await isProgram(join(folder, file)))) return join(folder, file);
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not to be run: either way it is none.
    return false;
  }
}
