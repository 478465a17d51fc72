/** Reading what a project has written down. */
import { createHash } from 'node:crypto';
import { type ArtifactSummary, listArtifacts, readArtifact } from '../../kernel/artifacts/read.ts';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { didYouMean } from '../../kernel/pure/nearest.ts';
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
  const note = artifacts.length > 0 ? undefined : whyNone(wanted, all);
  return { project: project.name, artifacts, ...(note !== undefined && { note }) };
}

/** A status or tag that no artifact has is most often a slip of the pen. */
function whyNone({ under, status, tag }: Wanted, all: readonly ArtifactSummary[]): string | undefined {
  const statuses = namesOf(all.map((each) => each.status));
  if (status !== undefined && !matches(status, statuses)) return noneHas('status', status, statuses, under);
  const tags = namesOf(all.flatMap((each) => each.tags));
  if (tag !== undefined && !matches(tag, tags)) return noneHas('tag', tag, tags, under);
  if (status !== undefined && tag !== undefined) return `No artifact below ${under} has both that status and that tag.`;
  return all.length === 0 && under !== '.lore' ? `There is no artifact below ${under}.` : undefined;
}

function noneHas(what: string, wanted: string, found: readonly string[], under: string): string {
  const known = found.length === 0 ? `none there has a ${what}` : `there are: ${found.slice(0, 20).join(', ')}`;
  return `No artifact below ${under} has the ${what} "${wanted}"; ${known}. ${didYouMean(wanted, found)}`.trim();
}

function namesOf(values: readonly (string | null)[]): string[] {
  const names = values.filter((value): value is string => value !== null && value !== '');
  return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
}

async function showOne(
  ctx: ArtifactsContext,
  wanted: { project?: string | undefined; path: string },
): Promise<ArtifactShown> {
  const project = ctx.chooseProject(wanted.project);
  requireLore(wanted.path);
  const { frontmatter, body, problems, source } = await readArtifact(project.integrationWorktree, wanted.path);
  const produced_by = [...(await ctx.producersOf(project.name, wanted.path))];
  return {
    project: project.name,
    path: wanted.path,
    title: typeof frontmatter['title'] === 'string' ? frontmatter['title'] : wanted.path,
    frontmatter,
    body,
    problems: [...problems],
    produced_by,
    raw: source,
    revision: createHash('sha1').update(source).digest('hex'),
    locked: null,
    history: [],
    linksTo: [],
    linkedFrom: [],
  };
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
