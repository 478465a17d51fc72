/** Registered repositories. */
import { isInside } from '../artifacts/paths.ts';
import { fail } from '../pure/errors.ts';
import type { ProjectName } from '../pure/ids.ts';
import { didYouMean } from '../pure/nearest.ts';
import type { ConfigContext } from './config.ts';
import type { ProjectSettings } from './settings.ts';

export interface Project {
  readonly name: ProjectName;
  /** The person's repository. Absolute. */
  readonly path: string;
  readonly integrationBranch: string;
  /** Where the integration branch is checked out, and artifacts are written. Absolute. */
  readonly integrationWorktree: string;
}

/** In the order of `config.yaml`. */
export function listProjects(ctx: ConfigContext): Project[] {
  return ctx.config().projects.map((settings) => projectOf(ctx, settings));
}

/** @throws `not_found` */
export function requireProject(ctx: ConfigContext, name: string): Project {
  const { projects } = ctx.config();
  const settings = projects.find((project) => project.name === name);
  if (settings !== undefined) return projectOf(ctx, settings);
  const names = projects.map((project) => project.name);
  throw fail(
    'not_found',
    `There is no project ${JSON.stringify(name.slice(0, 100))}.`,
    names.length === 0
      ? 'Register a repository first: guild-hall project add <path>'
      : `${didYouMean(name, names)}See: guild-hall project list`,
    { known: names },
  );
}

/** The project whose repository holds `path`; the innermost one where repositories lie within each other. */
export function findProjectAt(ctx: ConfigContext, path: string): Project | undefined {
  const holders = listProjects(ctx).filter((project) => isInside(project.path, path));
  return holders.toSorted((a, b) => b.path.length - a.path.length)[0];
}

function projectOf(ctx: ConfigContext, settings: ProjectSettings): Project {
  return {
    name: settings.name,
    path: settings.path,
    integrationBranch: settings.integrationBranch ?? ctx.config().integrationBranch,
    integrationWorktree: ctx.home.integrationWorktree(settings.name),
  };
}

/** Key of the lock under which whatever moves a project's integration branch is done, one at a time. */
export function integrationLock(project: string): string {
  return `integration:${project}`;
}
