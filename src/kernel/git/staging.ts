/** All that stands in a checkout, taken into an index: what git knows and what it does not know yet. */
import { type IndexEntry, setIndexEntries } from './checkout.ts';
import { listIndex } from './index-file.ts';
import { localKind } from './local.ts';
import { type GitContext, git, gitWord, longTimeoutMs, splitNul } from './run.ts';
import { stageTracked } from './tracked.ts';
import { filesAmong, holdsOtherArtifacts, listUntracked } from './untracked.ts';

/** `refused`: a file that cannot be read fails the whole; `left`: what is known to git stays as it was. */
type Odd = 'refused' | 'left';

const submodule = 0o160000;

/**
 * Takes all that stands in the checkout and is not ignored into that index.
 * @returns its tree
 */
export async function stageEverything(
  ctx: GitContext,
  cwd: string,
  indexFile: string,
  odd: Odd = 'refused',
): Promise<string> {
  const tracked = odd === 'refused' ? await listPlain(indexFile) : undefined;
  if (tracked === undefined) await stageWithCare(ctx, cwd, indexFile, odd);
  else await stagePlain(ctx, cwd, indexFile, tracked);
  return gitWord(ctx, cwd, ['write-tree'], { indexFile });
}

/** What git knows, where there is nothing among it that takes care: a submodule, of which an agent may have made anything. */
async function listPlain(indexFile: string): Promise<ReadonlySet<string> | undefined> {
  const listed = await listIndex(indexFile);
  if (listed === undefined || listed.some(({ mode }) => mode === submodule)) return undefined;
  return new Set(listed.map(({ name }) => Buffer.from(name, 'latin1').toString()));
}

async function stagePlain(
  ctx: GitContext,
  cwd: string,
  indexFile: string,
  tracked: ReadonlySet<string>,
): Promise<void> {
  const { changed, others } = await lookOver(ctx, cwd, indexFile);
  const taken: string[] = [];
  const gone: IndexEntry[] = [];
  for (const path of changed) {
    const kind = await localKind(cwd, path);
    if (kind === 'file' || kind === 'link') taken.push(path);
    // What is neither file nor link nor folder is left: its entry stays as it was.
    else if (kind !== 'other') gone.push({ mode: '0', oid: '', path });
  }
  await setIndexEntries(ctx, cwd, indexFile, gone);
  const untracked = (await holdsOtherArtifacts(cwd, new Set([...tracked, ...others])))
    ? await listUntracked(ctx, cwd, indexFile)
    : await filesAmong(ctx, cwd, others);
  const input = [...taken, ...untracked].map((path) => `${path}\0`).join('');
  if (input === '') return;
  const args = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
  await git(ctx, cwd, args, { indexFile, input, timeoutMs: longTimeoutMs });
}

interface Seen {
  /** Known to git; they may differ from the index, or are gone. */
  readonly changed: readonly string[];
  /** As git names them: a repository within with a slash at its end. */
  readonly others: readonly string[];
}

async function lookOver(ctx: GitContext, cwd: string, indexFile: string): Promise<Seen> {
  const args = ['ls-files', '-z', '-t', '--modified', '--deleted', '--others', '--exclude-standard'];
  const options = { indexFile, maxOutputBytes: 2 ** 29, timeoutMs: longTimeoutMs };
  const changed = new Set<string>();
  const others: string[] = [];
  for (const line of splitNul(await git(ctx, cwd, args, options))) {
    if (line.startsWith('? ')) others.push(line.slice(2));
    else changed.add(line.slice(2));
  }
  return { changed: [...changed], others };
}

async function stageWithCare(ctx: GitContext, cwd: string, indexFile: string, odd: Odd): Promise<void> {
  await stageTracked(ctx, cwd, indexFile, odd);
  const untracked = await listUntracked(ctx, cwd, indexFile);
  if (untracked.length === 0) return;
  const input = untracked.map((path) => `${path}\0`).join('');
  const args = ['update-index', '-z', '--add', '--replace', '--stdin'];
  await git(ctx, cwd, args, { indexFile, input, timeoutMs: longTimeoutMs });
}
