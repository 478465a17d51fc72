/** Registering a repository. */
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import type { Document } from 'yaml';
import { isInside } from '../../kernel/artifacts/paths.ts';
import { deleteBranch, branchTip } from '../../kernel/git/branches.ts';
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { requireUsableRepository, type RepositoryFacts } from '../../kernel/git/repository.ts';
import { removeWorktree } from '../../kernel/git/worktrees.ts';
import { runGit } from '../../kernel/git/run.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { projectNameSchema, slugOf, type ProjectName } from '../../kernel/pure/ids.ts';
import { announce, integrationLock, type ProjectsContext, registryLock } from './context.ts';
import type { ProjectAdded } from './contract.ts';
import { notesOfAdding } from './notes.ts';

export interface AddRequest {
  /** Absolute, any folder of the repository. */
  readonly path: string;
  readonly name?: ProjectName | undefined;
  readonly integrationBranch?: string | undefined;
}

/** @throws HallError that names what stands in the way; then nothing is changed */
export async function addProject(ctx: ProjectsContext, request: AddRequest): Promise<ProjectAdded> {
  return await ctx.locks.with(registryLock, () => addUnderLock(ctx, request));
}

async function addUnderLock(ctx: ProjectsContext, request: AddRequest): Promise<ProjectAdded> {
  const repository = await requireRepository(ctx, request.path);
  const path = repository.topLevel;
  const known = ctx.config().projects.find((project) => project.path === path);
  const name = known?.name ?? freeName(ctx, request.name, path);
  if (known && request.name !== undefined && request.name !== known.name) throw knownAs(path, known.name);
  const branch = known?.integrationBranch ?? request.integrationBranch ?? ctx.config().integrationBranch;
  const worktree = ctx.home.integrationWorktree(name);
  const sparseWasSet = await allowsWorktreeSettings(ctx, path);
  const integration = { repo: path, branch, worktree };
  const { created } = await ctx.locks.with(integrationLock(name), () => ensureIntegration(ctx, integration));
  if (!known) {
    const entry = entryOf({ name, path, branch, sparseWasSet }, ctx.config().integrationBranch);
    await registerOrUndo(ctx, { entry, path, branch, worktree, created });
    announce(ctx, 'project.added', { name, path });
  }
  const hasLore = await exists(join(worktree, '.lore'));
  const notes = notesOfAdding({ repository, branch, worktree, isNewBranch: created, hasLore, sparseWasSet });
  return { name, path, integrationBranch: branch, worktree, problems: [], added: !known, notes };
}

async function requireRepository(ctx: ProjectsContext, path: string): Promise<RepositoryFacts> {
  if (!isAbsolute(path)) {
    throw fail(
      'invalid',
      `"${path.slice(0, 200)}" is not an absolute path.`,
      'Name the folder from the root, like /home/you/code/shop.',
    );
  }
  if (!(await exists(path))) throw fail('not_found', `There is no folder ${path}.`, 'Check the path: ls');
  const real = await realpath(path);
  if (isInside(await realpath(ctx.home.root), real) && !isInside(join(ctx.home.root, 'sample'), real)) {
    throw fail(
      'invalid',
      `${path} belongs to the hall itself.`,
      'Register your own repository, not one of its checkouts.',
    );
  }
  return await requireUsableRepository(ctx, real);
}

/** The wanted name, or one made of the folder's name that nobody has. */
function freeName(ctx: ProjectsContext, wanted: ProjectName | undefined, path: string): ProjectName {
  const taken = new Map(ctx.config().projects.map((project) => [String(project.name), project.path]));
  if (wanted !== undefined) {
    const other = taken.get(wanted);
    if (other === undefined) return wanted;
    throw fail(
      'conflict',
      `The name "${wanted}" is taken by ${other}.`,
      `Take another: guild-hall project add '${path}' --name ${wanted}-2`,
    );
  }
  const stem = slugOf(basename(path)) || 'project';
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(name)) return projectNameSchema.parse(name);
  }
}

function knownAs(path: string, name: string) {
  return fail(
    'conflict',
    `${path} is registered already, as "${name}".`,
    `Use that name, or first: guild-hall project remove ${name}`,
  );
}

async function allowsWorktreeSettings(ctx: ProjectsContext, repo: string): Promise<boolean> {
  const args = ['config', '--local', '--type=bool', '--get', 'extensions.worktreeConfig'];
  const { exitCode, stdout } = await runGit(ctx, { cwd: repo, args, okExitCodes: [0, 1] });
  return exitCode === 0 && stdout.trim() === 'true';
}

interface NewEntry {
  readonly name: string;
  readonly path: string;
  readonly integrationBranch?: string;
  readonly sparseWasSet?: boolean;
}

function entryOf(
  facts: { name: string; path: string; branch: string; sparseWasSet: boolean },
  usualBranch: string,
): NewEntry {
  const { name, path, branch, sparseWasSet } = facts;
  return {
    name,
    path,
    ...(branch === usualBranch ? {} : { integrationBranch: branch }),
    ...(sparseWasSet ? { sparseWasSet } : {}),
  };
}

interface Registration {
  readonly entry: NewEntry;
  readonly path: string;
  readonly branch: string;
  readonly worktree: string;
  readonly created: boolean;
}

/** A config.yaml that cannot be written leaves the repository as it was found. */
async function registerOrUndo(ctx: ProjectsContext, registration: Registration): Promise<void> {
  try {
    await ctx.changeConfig((document) => appendProject(document, registration.entry));
  } catch (error) {
    await removeIntegration(ctx, registration);
    const { path, branch, created } = registration;
    const tip = created ? await branchTip(ctx, path, branch) : undefined;
    if (tip !== undefined) await deleteBranch(ctx, path, branch, tip);
    throw error;
  }
}

function appendProject(document: Document, entry: NewEntry): void {
  if (!document.hasIn(['projects'])) document.setIn(['projects'], document.createNode([]));
  document.addIn(['projects'], document.createNode(entry));
}

/** Removes the checkout of the integration branch; the branch stays. */
export async function removeIntegration(
  ctx: ProjectsContext,
  place: { readonly path: string; readonly branch: string; readonly worktree: string },
): Promise<void> {
  await removeWorktree(ctx, { repo: place.path, path: place.worktree, owner: `integration:${place.branch}` });
}
