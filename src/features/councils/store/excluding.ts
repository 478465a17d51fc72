/** Session files are kept out of commits: a line in the repository's own list of what is left out, which nobody else gets. */
import { join } from 'node:path';
import { appendDurably, readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { commonDirOf } from '../../../kernel/git/marker.ts';
import { integrationLock } from '../../../kernel/projects/projects.ts';
import type { CouncilsContext } from '../context.ts';
import { type CouncilRef, sessionsFolder } from './place.ts';

const line = `/${sessionsFolder}/`;

/** Once for a repository. Where it cannot be written the council goes on: its file would only be seen by `git status`. */
export async function keepOutOfCommits(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  try {
    await ctx.locks.with(integrationLock(ref.project.name), async () => {
      const path = join(await commonDirOf(ctx, ref.root), 'info', 'exclude');
      const text = (await readTextIfExists(path)) ?? '';
      if (text.split('\n').includes(line)) return;
      await appendDurably(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
    });
  } catch (error) {
    ctx.log.warn({ err: error, root: ref.root }, 'session files of councils could not be kept out of commits');
  }
}
