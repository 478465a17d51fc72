/** Changes of files that git knows, taken into an index without a look into repositories that lie within. */
import { type IndexEntry, setIndexEntries } from './checkout.ts';
import { localKind } from './local.ts';
import { type GitContext, git, longTimeoutMs, splitNul } from './run.ts';

/**
 * `git add --update` would start git in a submodule that an agent has changed, with the settings, filters and programs
 * that the agent gave it. Here a submodule stays at the commit where it was.
 */
export async function stageTracked(
  ctx: GitContext,
  cwd: string,
  indexFile: string,
  odd: 'refused' | 'left',
): Promise<void> {
  await withoutSubmodules(ctx, cwd, indexFile, async () => {
    const options = { indexFile, timeoutMs: longTimeoutMs };
    const args = ['diff-files', '-z', '--name-only', '--ignore-submodules=all'];
    const changed = [...new Set(splitNul(await git(ctx, cwd, args, options)))];
    const kept: string[] = [];
    const gone: IndexEntry[] = [];
    for (const path of changed) {
      const kind = await localKind(cwd, path);
      if (kind === 'file' || kind === 'link') kept.push(`${path}\0`);
      // What is neither file nor link nor folder is left: its entry stays as it was.
      else if (kind !== 'other') gone.push({ mode: '0', oid: '', path });
    }
    await setIndexEntries(ctx, cwd, indexFile, gone);
    if (kept.length === 0) return;
    const take = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
    await git(ctx, cwd, take, {
      ...options,
      input: kept.join(''),
      ...(odd === 'left' && { okExitCodes: [0, 128] }),
    });
  });
}

/** Meanwhile git takes them for unchanged, so that it does not look whether they are. */
async function withoutSubmodules(
  ctx: GitContext,
  cwd: string,
  indexFile: string,
  work: () => Promise<void>,
): Promise<void> {
  const staged = splitNul(await git(ctx, cwd, ['ls-files', '-z', '--stage'], { indexFile, maxOutputBytes: 2 ** 29 }));
  const input = staged
    .filter((line) => line.startsWith('160000 '))
    .map((line) => `${line.slice(line.indexOf('\t') + 1)}\0`);
  const mark = async (how: string): Promise<void> => {
    if (input.length === 0) return;
    await git(ctx, cwd, ['update-index', how, '-z', '--stdin'], { indexFile, input: input.join('') });
  };
  await mark('--assume-unchanged');
  await work();
  await mark('--no-assume-unchanged');
}
