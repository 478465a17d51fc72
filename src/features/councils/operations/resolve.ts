/** From the words at a door to the council that is meant. */
import { listProjects, type Project, requireProject } from '../../../kernel/projects/projects.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema, councilKind, type CouncilId, type CouncilSession } from '../contract.ts';
import { requireSession } from '../reactions/changing.ts';
import type { CouncilRef } from '../store/place.ts';
import { ownedAmong } from '../store/secret.ts';
import { listSessionIds } from '../store/session-file.ts';

export interface Resolved {
  readonly ref: CouncilRef;
  readonly session: CouncilSession;
}

/** Where a project's councils may lie: on the integration branch, or in the person's own checkout. */
export function rootsOf({ integrationWorktree, path }: Project): readonly string[] {
  return [...new Set([integrationWorktree, path])];
}

/**
 * The one council that `given` means: its id, or the beginning or the end of it where only one fits.
 * @param details of the refusal of what is no id
 * @throws HallError `not_found`, `invalid` naming those that fit, or `conflict` for a session file that cannot be read
 */
export async function resolveCouncil(
  ctx: CouncilsContext,
  input: { readonly project?: string | undefined; readonly id: string },
  details?: { readonly exit: number },
): Promise<Resolved> {
  const given = councilIdSchema.safeParse(input.id);
  if (!given.success) {
    throw fail(
      'invalid',
      `${JSON.stringify(shortened(input.id))} is no council id; expected letters, digits, hyphens and underscores.`,
      'See the ids with: guild-hall council list',
      details,
    );
  }
  const projects = input.project === undefined ? listProjects(ctx) : [requireProject(ctx, input.project)];
  const all: CouncilRef[] = [];
  for (const project of projects) {
    for (const root of rootsOf(project)) all.push(...(await listSessionIds(root)).map((id) => ({ project, id, root })));
  }
  const words = { noun: councilKind, listCommand: 'guild-hall council list' };
  const ids = all.map(({ id }) => id);
  const id = byTitle(given.data, ids) ?? resolveShortId<CouncilId>(given.data, ids, words);
  const ref = await requireOne(
    ctx,
    all.filter((candidate) => candidate.id === id),
  );
  return { ref, session: await requireSession(ctx, ref) };
}

/** What stands behind the date is what people remember: the only id whose title begins so. */
function byTitle(given: string, ids: readonly CouncilId[]): CouncilId | undefined {
  const meant = [...new Set(ids.filter((id) => id.slice('2026-03-31-'.length).startsWith(given)))];
  return meant.length === 1 && !ids.some((id) => id === given) ? meant[0] : undefined;
}

/** Two projects may have councils of one name, and so may a branch and a checkout. */
async function requireOne(ctx: Pick<CouncilsContext, 'home'>, found: readonly CouncilRef[]): Promise<CouncilRef> {
  const names = [...new Set(found.map((ref) => ref.project.name))];
  // A file that came into another checkout: the hall's own goes first.
  const only = names.length === 1 ? await ownedAmong(ctx, found) : undefined;
  if (only !== undefined) return only;
  throw fail(
    'invalid',
    `There is a council ${found[0]?.id ?? ''} in several projects: ${names.join(', ')}.`,
    'Add --project <name>.',
  );
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
