/** Forgetting a project: what the hall put into its repository is taken out again; branches are listed, not deleted. */
import { isMap, isSeq, type Document } from 'yaml';
import { removeIntegration } from '../../kernel/git/integration.ts';
import { exists } from '../../kernel/git/paths.ts';
import { git } from '../../kernel/git/run.ts';
import { undoSparseConfig } from '../../kernel/git/sparse.ts';
import { integrationLock, type Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { announce, type ProjectsContext, registryLock } from './context.ts';
import type { ProjectRemoved } from './contract.ts';
import { keepHandEdits } from './keeping.ts';
import { foldedInFile } from './syncing.ts';

/**
 * Artifacts that were edited by hand in the checkout are committed first.
 * @throws HallError `conflict` while something runs in it, or while other files of its checkout are changed;
 *   `not_found`
 */
export async function removeProject(ctx: ProjectsContext, name: string): Promise<ProjectRemoved> {
  return await ctx.locks.with(registryLock, async () => {
    const project = chooseProject(ctx, name);
    await requireNothingRunning(ctx, name);
    const isThere = await exists(project.path);
    const found = isThere ? await cleanRepository(ctx, project) : { branches: [], notes: await notesOfGone(project) };
    await ctx.changeConfig((document) => dropProject(document, name));
    await foldedInFile(ctx, name).remove();
    const { path } = project;
    announce(ctx, 'project.removed', { name, path });
    return { name: project.name, path, ...found };
  });
}

async function notesOfGone({ path, integrationWorktree }: Project): Promise<string[]> {
  const notes = [`${path} is not there any more; nothing was to be cleaned in it.`];
  if (await exists(integrationWorktree)) notes.push(`Its checkout ${integrationWorktree} was left as it is.`);
  return notes;
}

async function requireNothingRunning(ctx: ProjectsContext, name: string): Promise<void> {
  const running = await ctx.runningIn(name);
  if (running.length === 0) return;
  const shown = running.slice(0, 5).join(', ');
  const [first = ''] = running;
  const [kind = '', id = ''] = first.split(' ');
  throw fail(
    'conflict',
    `${running.length} thing${running.length === 1 ? ' is' : 's are'} still open in "${name}": ${shown}.`,
    `Close them first: ${ctx.endCommand?.(kind, id) ?? `guild-hall ${kind} close ${id}`}`,
    { running: [...running] },
  );
}

async function cleanRepository(
  ctx: ProjectsContext,
  project: Project,
): Promise<{ branches: string[]; notes: string[] }> {
  const { path: repo, integrationBranch: branch, integrationWorktree: worktree } = project;
  const notes: string[] = [];
  await ctx.locks.with(integrationLock(project.name), async () => {
    const kept = await keepHandEdits(ctx, project);
    if (kept.length > 0) notes.push(`Edits by hand were committed to ${branch} first: ${kept.join(', ')}.`);
    await removeIntegration(ctx, { name: project.name, repo, branch, worktree });
  });
  const entry = ctx.config().projects.find((each) => each.name === project.name);
  if (entry?.sparseWasSet !== true && (await undoSparseConfig(ctx, repo))) {
    notes.push('extensions.worktreeConfig was taken out of .git/config again.');
  }
  const branches = await hallBranches(ctx, repo, branch);
  if (branches.length > 0) {
    notes.push(`Nothing on the branches was deleted; to delete one: git -C '${repo}' branch -D <branch>`);
  }
  return { branches, notes };
}

async function hallBranches(ctx: ProjectsContext, repo: string, integrationBranch: string): Promise<string[]> {
  const patterns = [`refs/heads/${integrationBranch}`, 'refs/heads/claude/'];
  const output = await git(ctx, repo, ['for-each-ref', '--format=%(refname:lstrip=2)', ...patterns]);
  return [...new Set(output.split('\n').filter((line) => line !== ''))].toSorted();
}

function dropProject(document: Document, name: string): void {
  const projects = document.get('projects');
  if (!isSeq(projects)) return;
  const place = projects.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (place >= 0) projects.delete(place);
}
