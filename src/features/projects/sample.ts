/** The ready sample project: a real repository of the person's own, made from files that ship with the program. */
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { git, runGit } from '../../kernel/git/run.ts';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { ProjectName } from '../../kernel/pure/ids.ts';
import { addProject } from './adding.ts';
import type { ProjectsContext } from './context.ts';
import type { ProjectAdded } from './contract.ts';

const firstMessage = 'A small library that keeps working time in plain text';

/** @param request.path a folder that is missing or empty; `<home>/sample` when left out */
export async function makeSample(
  ctx: ProjectsContext,
  request: { readonly path?: string | undefined; readonly name?: ProjectName | undefined },
): Promise<ProjectAdded> {
  const path = request.path ?? join(ctx.home.root, 'sample');
  if (!isAbsolute(path))
    throw fail('invalid', `"${path.slice(0, 200)}" is not an absolute path.`, 'Name the folder from the root.');
  const isMade = request.path === undefined && (await isRepository(ctx, path));
  if (!isMade) await makeRepository(ctx, path);
  return await addProject(ctx, { path, name: request.name });
}

/** Made aside and moved into its place whole, so that a crash leaves no half of it there. */
async function makeRepository(ctx: ProjectsContext, path: string): Promise<void> {
  await requireEmpty(path);
  const aside = join(dirname(path), `.${basename(path)}.${ctx.ids.random(8)}`);
  await mkdir(dirname(path), { recursive: true });
  try {
    await cp(ctx.sampleSource, aside, { recursive: true, filter: (source) => basename(source) !== 'node_modules' });
    await git(ctx, aside, ['init', '--quiet', '--initial-branch=main']);
    await ensureIdentity(ctx, aside);
    await git(ctx, aside, ['add', '--all']);
    await git(ctx, aside, ['commit', '--quiet', '-m', firstMessage]);
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

/** Somebody who never told git their name can still try the sample; the setting is the sample's alone. */
async function ensureIdentity(ctx: ProjectsContext, repo: string): Promise<void> {
  const usual = [
    ['user.name', 'Sample Person'],
    ['user.email', 'person@sample.invalid'],
  ] as const;
  for (const [name, value] of usual) {
    const { exitCode } = await runGit(ctx, { cwd: repo, args: ['config', '--get', name], okExitCodes: [0, 1] });
    if (exitCode !== 0) await git(ctx, repo, ['config', name, value]);
  }
}

async function requireEmpty(path: string): Promise<void> {
  try {
    if ((await readdir(path)).length === 0) return;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return;
    if (!hasErrorCode(error, 'ENOTDIR')) throw error;
  }
  throw fail(
    'conflict',
    `${path} is there already and is not an empty folder.`,
    'Name a folder that is not there yet: guild-hall project sample ./daybook',
  );
}

async function isRepository(ctx: ProjectsContext, path: string): Promise<boolean> {
  try {
    return (await readdir(join(path, '.git'))).length > 0;
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) ctx.log.warn({ err: error, path }, 'the sample cannot be looked at');
    return false;
  }
}
