/** Looks ahead: what open activities of a project would conflict in. */
import { forecastConflicts } from '../../kernel/git/forecast.ts';
import { isBelow } from '../../kernel/git/records.ts';
import { listProjects, type Project, requireProject } from '../../kernel/projects/projects.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import type { ForecastContext } from './context.ts';
import type { ActivityBranch, ConflictPair, Conflicts, Foreseen } from './contract.ts';

/** So old an answer may be: whoever shows several activities asks for each. Milliseconds. */
const keepMs = 3000;

export async function conflictsIn(ctx: ForecastContext, name?: string): Promise<Conflicts> {
  const projects = name === undefined ? listProjects(ctx) : [requireProject(ctx, name)];
  const found: Conflicts[] = [];
  for (const project of projects) found.push(await conflictsOfProject(ctx, project));
  const pairs = found.flatMap((each) => each.pairs);
  return {
    pairs: pairs.toSorted((x, y) => Number(y.isConflict) - Number(x.isConflict)),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** One look at a time; whoever asks meanwhile gets the same. */
async function conflictsOfProject(ctx: ForecastContext, project: Project): Promise<Conflicts> {
  return ctx.locks.with(`forecast:${project.name}`, async () => {
    const { last } = ctx.forecast;
    const before = last.get(project.name);
    if (before !== undefined && ctx.clock.monotonicMs() - before.atMs < keepMs) return before.found;
    const found = await look(ctx, project);
    last.set(project.name, { atMs: ctx.clock.monotonicMs(), found });
    return found;
  });
}

async function look(ctx: ForecastContext, project: Project): Promise<Conflicts> {
  try {
    return { pairs: await lookAt(ctx, project), problems: [] };
  } catch (error) {
    ctx.log.warn({ err: error, project: project.name }, 'the works of a project cannot be compared');
    return { pairs: [], problems: [`The works of ${project.name} cannot be compared: ${errorFactsOf(error).message}`] };
  }
}

async function lookAt(ctx: ForecastContext, project: Project): Promise<ConflictPair[]> {
  const branches = await ctx.branches(project.name);
  if (branches.length === 0) return [];
  const known = new Map(branches.map((each) => [each.branch, each]));
  const folders = ctx.recordFolders();
  const found = await forecastConflicts(ctx, ctx.forecast.outcomes, {
    repo: project.path,
    integrationBranch: project.integrationBranch,
    integrationWorktree: project.integrationWorktree,
    places: branches.map(({ branch, worktree, owner }) => ({ key: branch, branch, worktree, owner })),
    leaveOut: (path) => folders.some((folder) => isBelow(folder, path)),
  });
  const name = (key: string): Pick<ActivityBranch, 'kind' | 'id' | 'title'> => {
    const { kind, id, title } = known.get(key)!;
    return { kind, id, title };
  };
  return found.map(({ a, b, files, isConflict }) => ({
    project: project.name,
    a: name(a),
    b: b === null ? null : name(b),
    files: [...files],
    isConflict,
  }));
}

/** Who works on the same files as one activity, and what it would conflict with; conflicts first. */
export async function conflictsOfActivity(
  ctx: ForecastContext,
  { project, kind, id }: { readonly project: string; readonly kind: string; readonly id: string },
): Promise<Foreseen[]> {
  const { pairs } = await conflictsIn(ctx, project);
  const isIt = (one: { kind: string; id: string } | null): boolean => one?.kind === kind && one.id === id;
  const { integrationBranch } = requireProject(ctx, project);
  return pairs
    .filter(({ a, b }) => isIt(a) || isIt(b))
    .map(({ a, b, files, isConflict }) => {
      const other = isIt(a) ? b : a;
      return { ...(other ?? { kind: 'branch', id: integrationBranch, title: integrationBranch }), files, isConflict };
    });
}
