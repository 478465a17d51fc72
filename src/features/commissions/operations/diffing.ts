/** What the work of a commission changes in the project: from its worktree, its branch, or the commit of its merge. */
import { fileHistory } from '../../../kernel/git/history.ts';
import type { ChangedFile } from '../../../kernel/git/read.ts';
import { changesOfWork, diffOfWork, findWork, type Work, type WorkPlace } from '../../../kernel/git/work.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionDiff, CommissionRecord } from '../contract.ts';
import { requireCommission } from '../store/files.ts';
import { branchOf, commissionPath, type CommissionRef, ownerOf, worktreeOf } from '../store/place.ts';
import { runOf } from '../store/run.ts';

/** Where an attempt works. */
export async function placeOfWork(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<WorkPlace> {
  const { path: repo, integrationBranch } = ref.project;
  const run = await runOf(ctx, ref).read();
  const madeAt = run?.attempt === attempt ? run.base : null;
  const branch = branchOf(ref, attempt);
  const worktree = worktreeOf(ctx, ref, attempt);
  return { repo, integrationBranch, branch, worktree, owner: ownerOf(ref, attempt), madeAt };
}

/** Undefined for what has not begun, and where nothing of it is left. */
async function workOf(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<Work | undefined> {
  if (attempt === 0) return undefined;
  return (await findWork(ctx, await placeOfWork(ctx, ref, attempt))) ?? (await findMerge(ctx, ref, attempt));
}

/** The newest commits that touched the record, of which one can be the merge. */
const maxCommits = 50;

/** The merge's own commit, where the branch went with it. */
async function findMerge(ctx: CommissionsContext, ref: CommissionRef, attempt: number): Promise<Work | undefined> {
  const { path: repo, integrationBranch: branch } = ref.project;
  const record = await requireCommission(ref.project, ref.id);
  if (record.merge.state !== 'merged' || record.attempt !== attempt) return undefined;
  const commits = await fileHistory(ctx, repo, { branch, path: commissionPath(ref.id), max: maxCommits });
  const message = `Commission ${ref.id}: ${record.title.replaceAll(/\s+/g, ' ')}`;
  const merge = commits.find(({ subject }) => subject === message);
  return merge === undefined ? undefined : { repo, base: `${merge.commit}^`, tip: merge.commit, worktree: undefined };
}

/** What its page says of its work. What cannot be compared is left out, so that the rest is shown all the same. */
export async function changesOfAttempt(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
): Promise<readonly ChangedFile[]> {
  try {
    const work = await workOf(ctx, ref, attempt);
    const changes = work === undefined ? [] : await changesOfWork(ctx, work);
    return changes.filter(({ path }) => path !== commissionPath(ref.id));
  } catch (error) {
    ctx.log.warn({ err: error, commission: ref.id }, 'the work of a commission cannot be compared');
    return [];
  }
}

/** The whole work as text, bounded; what is uncommitted comes as it would be committed. */
export async function diffCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  wanted?: number,
): Promise<CommissionDiff> {
  const attempt = requireAttempt(await requireCommission(ref.project, ref.id), wanted);
  const known = { id: ref.id, project: ref.project.name, attempt };
  const work = await workOf(ctx, ref, attempt);
  if (work === undefined) return { ...known, base: null, files: [], more: 0 };
  const { files, more } = await diffOfWork(ctx, work, (path) => path === commissionPath(ref.id));
  return { ...known, base: work.base, files: files.map((file) => ({ ...file })), more };
}

/** The last one where none is named. @throws HallError `not_found` for one that there was not */
export function requireAttempt({ id, attempt }: CommissionRecord, wanted: number | undefined): number {
  if (wanted === undefined || wanted <= attempt) return wanted ?? attempt;
  const had = attempt === 0 ? 'no attempt' : `${attempt} attempt${attempt === 1 ? '' : 's'}`;
  throw fail(
    'not_found',
    `Commission ${id} has had ${had}; there is no number ${wanted}.`,
    `See: guild-hall commission show ${id}`,
    { id, attempt },
  );
}
