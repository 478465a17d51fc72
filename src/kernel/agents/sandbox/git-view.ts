/**
 * What of a repository is shown to an agent beside its worktree: the git folder, read-only, so that `git log`, `diff`,
 * `status` and `blame` work and nothing can be committed, hooked or set. All paths come from the person's repository;
 * the `.git` file of the worktree, which an agent could have written, is never followed.
 */
import { readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { hasErrorCode, readTextIfExists, writeAtomically } from '../../artifacts/write.ts';
import { type GitContext, runGit } from '../../git/run.ts';
import type { Mount } from './contract.ts';
import { isBelow } from './bubblewrap.ts';

/**
 * @param repository the person's, absolute
 * @param root the worktree of the activity, or the repository itself
 * @param folder of the hall alone, for what is shown in place of the repository's own files
 * @returns none where there is no repository, or `root` is no checkout of it
 */
export async function gitMounts(ctx: GitContext, repository: string, root: string, folder: string): Promise<Mount[]> {
  const common = await commonFolder(ctx, repository);
  if (common === undefined) return [];
  const own = await findAdminFolder(common, root);
  if (own === undefined && root !== repository && !isBelow(root, common)) return [];
  // Each its own small reading and writing, of which none waits for another: a turn waits for all.
  const parts = await Promise.all([
    settingsFile(ctx, common, folder),
    ownSettings(common, folder),
    modulesOf(common),
    alternatesOf(common),
    own === undefined ? [] : worktreeFile(own, root, folder),
  ]);
  return [{ how: 'read', path: common }, ...parts.flat()];
}

/** Addresses of remotes and helpers for credentials may hold passwords. */
async function settingsFile(ctx: GitContext, common: string, folder: string): Promise<Mount[]> {
  const source = join(folder, 'config');
  await writeAtomically(source, await readSafeSettings(ctx, common), { mode: 0o600 });
  return [{ how: 'read', path: join(common, 'config'), source }];
}

/** Those of the person's own checkout, which are none of the worktree's. */
async function ownSettings(common: string, folder: string): Promise<Mount[]> {
  const path = join(common, 'config.worktree');
  if ((await readTextIfExists(path)) === undefined) return [];
  const source = join(folder, 'nothing');
  await writeAtomically(source, '', { mode: 0o600 });
  return [{ how: 'read', path, source }];
}

/** Repositories within, each with settings of its own. */
async function modulesOf(common: string): Promise<Mount[]> {
  const path = join(common, 'modules');
  return (await namesIn(path)).length === 0 ? [] : [{ how: 'hide', path }];
}

async function commonFolder(ctx: GitContext, repository: string): Promise<string | undefined> {
  const usual = join(repository, '.git');
  if ((await namesIn(usual)).includes('objects')) return usual;
  const answer = await runGit(ctx, {
    cwd: repository,
    args: ['rev-parse', '--path-format=absolute', '--git-common-dir'],
    okExitCodes: [0, 128],
  });
  return answer.exitCode === 0 ? answer.stdout.trimEnd() : undefined;
}

/** The folder that git keeps for the worktree at `root`: the one that says so itself. */
async function findAdminFolder(common: string, root: string): Promise<string | undefined> {
  const names = [root, await realpath(root)].map((path) => join(path, '.git'));
  for (const name of await namesIn(join(common, 'worktrees'))) {
    const admin = join(common, 'worktrees', name);
    const leadsTo = await readTextIfExists(join(admin, 'gitdir'));
    if (leadsTo !== undefined && names.includes(resolve(admin, leadsTo.trimEnd()))) return admin;
  }
  return undefined;
}

/** Cannot be changed either: it tells the hall's own git where the worktree belongs. */
async function worktreeFile(admin: string, root: string, folder: string): Promise<Mount[]> {
  const file = join(folder, 'gitfile');
  await writeAtomically(file, `gitdir: ${admin}\n`, { mode: 0o600 });
  return [{ how: 'read', path: join(root, '.git'), source: file }];
}

/** A repository that was cloned with `--reference` has objects elsewhere. */
async function alternatesOf(common: string): Promise<Mount[]> {
  const objects = join(common, 'objects');
  const text = (await readTextIfExists(join(objects, 'info', 'alternates'))) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): Mount => ({ how: 'read', path: isAbsolute(line) ? line : resolve(objects, line), optional: true }));
}

export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || hasErrorCode(error, 'ENOTDIR')) return [];
    throw error;
  }
}

async function readSafeSettings(ctx: GitContext, common: string): Promise<string> {
  const file = join(common, 'config');
  const listed = await runGit(ctx, {
    cwd: common,
    args: ['config', '--no-includes', '--list', '-z', '--file', file],
    okExitCodes: [0, 1, 128],
  });
  return keepSafeSettings(listed.exitCode === 0 ? listed.stdout : '');
}

const safeSettings =
  /^(core\.(repositoryformatversion|filemode|bare|ignorecase|precomposeunicode|symlinks|logallrefupdates|sparsecheckout|sparsecheckoutcone|autocrlf|eol|quotepath|abbrev)|extensions\.[a-z]+|user\.(name|email))$/;

/**
 * What git has to know to read the repository, and nothing that it would run, or that may hold a password.
 * @param listed as `git config --list -z` prints it: `<section>.<name>\n<value>\0`
 */
export function keepSafeSettings(listed: string): string {
  const lines = listed.split('\0').flatMap((entry) => {
    const [key = '', ...rest] = entry.split('\n');
    if (!safeSettings.test(key)) return [];
    const [section, name] = key.split('.');
    const value = rest.length === 0 ? 'true' : rest.join('\n');
    return [`[${section}]\n\t${name} = ${quoted(value)}\n`];
  });
  return lines.join('');
}

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}
