/** Forgetting a project: what the hall put into its repository is taken out again; branches are listed, not deleted. */
import { isMap, isSeq, type Document } from 'yaml';
import { exists } from '../../kernel/git/paths.ts';
import { git } from '../../kernel/git/run.ts';
import { undoSparseConfig } from '../../kernel/git/sparse.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { removeIntegration } from './adding.ts';
import { announce, integrationLock, type ProjectsContext, registryLock } from './context.ts';
import type { ProjectRemoved } from './contract.ts';
import { foldedInFile } from './syncing.ts';

/** @throws HallError `conflict` while something runs in it; `not_found` */
export async function removeProject(ctx: ProjectsContext, name: string): Promise<ProjectRemoved> {
  return await ctx.locks.with(registryLock, async () => {
    const project = chooseProject(ctx, name);
    await requireNothingRunning(ctx, name);
    const isThere = await exists(project.path);
    const found = isThere ? await cleanRepository(ctx, project) : { branches: [], notes: [] };
    const gone = isThere ? [] : [`${project.path} is not there any more; nothing was to be cleaned in it.`];
    await ctx.changeConfig((document) => dropProject(document, name));
    await foldedInFile(ctx, name).remove();
    const { path } = project;
    announce(ctx, 'project.removed', { name, path });
    return { name: project.name, path, branches: found.branches, notes: [...gone, ...found.notes] };
  });
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
    `Close them first: guild-hall ${kind} close ${id}`,
    { running: [...running] },
  );
}

async function cleanRepository(
  ctx: ProjectsContext,
  project: ReturnType<typeof chooseProject>,
): Promise<{ branches: string[]; notes: string[] }> {
  const { path, integrationBranch: branch, integrationWorktree: worktree } = project;
  const notes: string[] = [];
  await ctx.locks.with(integrationLock(project.name), () => removeIntegration(ctx, { path, branch, worktree }));
  const entry = ctx.config().projects.find((each) => each.name === project.name);
  if (entry?.sparseWasSet !== true && (await undoSparseConfig(ctx, path))) {
    notes.push('extensions.worktreeConfig was taken out of .git/config again.');
  }
  const branches = await hallBranches(ctx, path, branch);
  if (branches.length > 0) {
    notes.push(`Nothing on the branches was deleted; to delete one: git -C '${path}' branch -D <branch>`);
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
