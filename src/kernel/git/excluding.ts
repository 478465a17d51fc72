/** The repository's own list of what is left out of sight: a line in it is told to nobody else. */
import { join } from 'node:path';
import { appendDurably, readTextIfExists } from '../artifacts/write.ts';
import type { LocksContext } from '../locks/locks.ts';
import { commonDirOf } from './marker.ts';
import type { GitContext } from './run.ts';

/**
 * Where it cannot be written the caller goes on: its files would only be seen by `git status`.
 * @param line as it stands in a `.gitignore`
 */
export async function keepOutOfStatus(ctx: GitContext & LocksContext, repo: string, line: string): Promise<void> {
  try {
    const path = join(await commonDirOf(ctx, repo), 'info', 'exclude');
    await ctx.locks.with(`exclude:${path}`, async () => {
      const text = (await readTextIfExists(path)) ?? '';
      if (text.split('\n').includes(line)) return;
      await appendDurably(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
    });
  } catch (error) {
    ctx.log.warn({ err: error, repo, line }, 'files of the hall could not be kept out of sight of git');
  }
}
