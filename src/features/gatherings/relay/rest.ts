/** The rest of words that are too long for a terminal: a file where its program may read. */
import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import type { LogContext } from '../../../kernel/log/log.ts';

/**
 * The program may write in that folder: what it put in the place of the folder is not followed.
 * @param name safe as a file name
 * @returns where it lies; undefined where there is no rest, or where it cannot be written
 */
export async function putRest(
  ctx: LogContext,
  folder: string,
  name: string,
  rest: string,
): Promise<string | undefined> {
  if (rest === '' || !isAbsolute(folder)) return undefined;
  const path = join(folder, `${name}.md`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!(await lstat(folder)).isDirectory()) return undefined;
    await writeAtomically(path, rest, { mode: 0o600 });
    return path;
  } catch (error) {
    ctx.log.warn({ err: error, path }, 'the rest of long words could not be put into a file');
    return undefined;
  }
}
