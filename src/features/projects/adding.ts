/** Registering a repository. */
import { realpath } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { type Document, isMap, isSeq } from 'yaml';
import { isInside } from '../../kernel/artifacts/paths.ts';
import { ensureIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { requireUsableRepository, type RepositoryFacts } from '../../kernel/git/repository.ts';
import { runGit } from '../../kernel/git/run.ts';
import { integrationLock } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { projectNameSchema, slugOf, type ProjectName } from '../../kernel/pure/ids.ts';
import { announce, type ProjectsContext, registryLock } from './context.ts';
import type { ProjectAdded } from './contract.ts';
import { findRegistered, type ProjectEntry } from './known.ts';
import { notesOfAdding } from './notes.ts';
import { isOfTheHall } from './syncing.ts';
import { orUndo } from './undoing.ts';

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
  const known = await findRegistered(ctx, repository);
  const name = known?.name ?? freeName(ctx, request.name, path);
  if (known && request.name !== undefined && request.name !== known.name) throw knownAs(path, known.name);
  const branch = known?.integrationBranch ?? request.integrationBranch ?? ctx.config().integrationBranch;
  const worktree = ctx.home.integrationWorktree(name);
  const sparseWasSet = await allowsWorktreeSettings(ctx, path);
  const personBranch = known?.personBranch ?? branchOfPerson(repository, branch);
  const integration = { name, repo: path, branch, worktree };
  const work = async (): Promise<boolean> => {
    const { created } = await ctx.locks.with(integrationLock(name), () => ensureIntegration(ctx, integration));
    const settings = { integrationBranch: branch, personBranch, sparseWasSet: sparseWasSet || undefined };
    if (known) await completeEntry(ctx, known, settings);
    else await ctx.changeConfig((document) => appendProject(document, { name, path, ...settings }));
    return created;
  };
  const created = known ? await work() : await orUndo(ctx, integration, work);
  if (!known) announce(ctx, 'project.added', { name, path });
  const hasLore = await exists(join(worktree, '.lore'));
  const facts = { repository, branch, worktree, isNewBranch: created, hasLore, sparseWasSet, personBranch };
  const notes = notesOfAdding(facts);
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

/** The branch that the person has checked out; none when it is one of the hall's, or no branch at all. */
function branchOfPerson({ headBranch }: RepositoryFacts, integrationBranch: string): string | undefined {
  return headBranch === null || isOfTheHall(headBranch, integrationBranch) ? undefined : headBranch;
}

/**
 * What a project's entry says of its repository. The integration branch always stands in it: a change of the hall's
 * default is for projects that come later.
 */
type EntrySettings = Partial<Record<'integrationBranch' | 'personBranch', string | undefined>> & {
  readonly sparseWasSet?: boolean | undefined;
};

function appendProject(document: Document, entry: { name: string; path: string } & EntrySettings): void {
  if (!document.hasIn(['projects'])) document.setIn(['projects'], document.createNode([]));
  const said = Object.entries(entry).filter(([, value]) => value !== undefined);
  document.addIn(['projects'], document.createNode(Object.fromEntries(said)));
}

/** For an entry that a person wrote: branches that it does not name are written into it. */
async function completeEntry(ctx: ProjectsContext, known: ProjectEntry, settings: EntrySettings): Promise<void> {
  const fields = (['integrationBranch', 'personBranch'] as const).filter(
    (field) => known[field] === undefined && settings[field] !== undefined,
  );
  if (fields.length === 0) return;
  await ctx.changeConfig((document) => {
    const projects = document.get('projects');
    const entries = isSeq(projects) ? projects.items : [];
    const entry = entries.find((item) => isMap(item) && item.get('name') === known.name);
    if (isMap(entry)) for (const field of fields) entry.set(field, settings[field]);
  });
}
