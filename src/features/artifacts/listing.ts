/** The artifacts of a project as a list. */
import { resolveInside } from '../../kernel/artifacts/paths.ts';
import { parseArtifact } from '../../kernel/artifacts/parse.ts';
import { type ArtifactSummary, summaryOf } from '../../kernel/artifacts/read.ts';
import { didYouMean } from '../../kernel/pure/nearest.ts';
import type { ArtifactsContext } from './context.ts';
import type { ArtifactList } from './contract.ts';
import { readLibrary } from './library.ts';
import { requireLore } from './paths.ts';

interface Wanted {
  readonly project?: string | undefined;
  readonly under: string;
  readonly status?: string | undefined;
  readonly tag?: string | undefined;
}

export async function listOf(ctx: ArtifactsContext, wanted: Wanted): Promise<ArtifactList> {
  const project = ctx.chooseProject(wanted.project);
  const all = await summariesBelow(ctx, project.integrationWorktree, requireLore(wanted.under));
  const artifacts = all
    .filter(({ status, tags }) => matches(wanted.status, [status]) && matches(wanted.tag, tags))
    .map((summary) => ({ ...summary, tags: [...summary.tags], problems: [...summary.problems] }))
    .toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? '') || a.path.localeCompare(b.path));
  const note = artifacts.length > 0 ? undefined : whyNone(wanted, all);
  return { project: project.name, artifacts, ...(note !== undefined && { note }) };
}

async function summariesBelow(ctx: ArtifactsContext, root: string, under: string): Promise<ArtifactSummary[]> {
  await resolveInside(root, under);
  const { entries, problems } = await readLibrary(ctx.library, root);
  const unreadable = problems.map((problem) => summaryOf(parseArtifact('', problem.file), problem.file, [problem]));
  const all = [...[...entries.values()].map(({ summary }) => summary), ...unreadable];
  return all.filter(({ path }) => path === under || path.startsWith(`${under}/`));
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

function matches(wanted: string | undefined, found: readonly (string | null)[]): boolean {
  return wanted === undefined || found.some((each) => each?.toLowerCase() === wanted.toLowerCase());
}
