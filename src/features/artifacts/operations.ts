/** Reading what a project has written down. */
import { listArtifacts, readArtifact } from '../../kernel/artifacts/read.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { artifactList, artifactShow, type ArtifactList, type ArtifactShown, type ProducersOf } from './contract.ts';

export interface ArtifactsContext {
  /** The project that was named, or the only one. @throws HallError */
  readonly chooseProject: (name: string | undefined) => Project;
  /** Asks every feature whose activities make artifacts. */
  readonly producersOf: ProducersOf;
}

export function bindArtifacts(ctx: ArtifactsContext): BoundOperation[] {
  return [
    bindOperation(artifactList, (_caller, input) => listOf(ctx, input)),
    bindOperation(artifactShow, (_caller, input) => showOne(ctx, input)),
  ];
}

interface Wanted {
  readonly project?: string | undefined;
  readonly under: string;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
}

async function listOf(ctx: ArtifactsContext, wanted: Wanted): Promise<ArtifactList> {
  const project = ctx.chooseProject(wanted.project);
  requireLore(wanted.under);
  const all = await listArtifacts(project.integrationWorktree, wanted.under.replace(/\/+$/, ''));
  const artifacts = all
    .filter(({ status, tags }) => matches(wanted.status, [status]) && matches(wanted.tag, tags))
    .map((summary) => ({ ...summary, tags: [...summary.tags], problems: [...summary.problems] }))
    .toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? '') || a.path.localeCompare(b.path));
  return { project: project.name, artifacts };
}

async function showOne(
  ctx: ArtifactsContext,
  wanted: { project?: string | undefined; path: string },
): Promise<ArtifactShown> {
  const project = ctx.chooseProject(wanted.project);
  requireLore(wanted.path);
  const { frontmatter, body, problems } = await readArtifact(project.integrationWorktree, wanted.path);
  const produced_by = [...(await ctx.producersOf(project.name, wanted.path))];
  return { project: project.name, path: wanted.path, frontmatter, body, problems: [...problems], produced_by };
}

function requireLore(path: string): void {
  if (path === '.lore' || path.startsWith('.lore/')) return;
  throw fail(
    'invalid',
    `"${path.slice(0, 100)}" is not below .lore/, where artifacts live.`,
    'See: guild-hall artifact list',
  );
}

function matches(wanted: string | undefined, found: readonly (string | null)[]): boolean {
  return wanted === undefined || found.some((each) => each?.toLowerCase() === wanted.toLowerCase());
}
