/** From the words at a door to the commission that is meant. */
import { fail } from '../../../kernel/pure/errors.ts';
import { resolveShortId } from '../../../kernel/pure/short-ids.ts';
import { listProjects, requireProject } from '../../../kernel/projects/projects.ts';
import type { CommissionsContext } from '../context.ts';
import { type CommissionId, commissionIdSchema, commissionKind, type CommissionRecord } from '../contract.ts';
import { requireCommission } from '../store/files.ts';
import { readKnownCommissions } from '../store/known.ts';
import type { CommissionRef } from '../store/place.ts';

export interface Resolved {
  readonly ref: CommissionRef;
  readonly record: CommissionRecord;
}

/**
 * The one commission that `given` means: its id, or the beginning or the end of it where only one fits.
 * @throws HallError `not_found`, or `invalid` naming those that fit
 */
export async function resolveCommission(
  ctx: CommissionsContext,
  input: { readonly project?: string | undefined; readonly id: string },
): Promise<Resolved> {
  const given = commissionIdSchema.safeParse(input.id);
  if (!given.success) {
    throw fail(
      'invalid',
      `${JSON.stringify(shortened(input.id))} is no commission id; expected letters, digits, hyphens and underscores.`,
      'See the ids with: guild-hall commission list',
    );
  }
  const projects = input.project === undefined ? listProjects(ctx) : [requireProject(ctx, input.project)];
  const all: CommissionRef[] = [];
  for (const project of projects) {
    const { commissions } = await readKnownCommissions(ctx.engine.known, project);
    all.push(...commissions.map(({ id }) => ({ project, id })));
  }
  const ids = all.map((ref) => ref.id);
  const words = { noun: commissionKind, listCommand: 'guild-hall commission list' };
  const id = resolveShortId<CommissionId>(given.data, ids, words);
  const ref = requireOne(all.filter((candidate) => candidate.id === id));
  return { ref, record: await requireCommission(ref.project, ref.id) };
}

/** Hand-named commissions of two projects may share a name. */
function requireOne(found: readonly CommissionRef[]): CommissionRef {
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const names = found.map((ref) => ref.project.name).join(', ');
  throw fail(
    'invalid',
    `There is a commission ${only?.id ?? ''} in several projects: ${names}.`,
    'Add --project <name>.',
  );
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
