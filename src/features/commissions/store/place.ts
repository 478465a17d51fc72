/** Where things of a commission are: branch, worktree, folders, and the names under which they are held. */
import { join } from 'node:path';
import type { HomePaths } from '../../../kernel/projects/home.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import type { ActivityRef } from '../../../kernel/pure/ids.ts';
import { type CommissionId, commissionKind, commissionsFolder } from '../contract.ts';

export interface CommissionRef {
  readonly project: Project;
  readonly id: CommissionId;
}

interface HomeContext {
  readonly home: Pick<HomePaths, 'state' | 'worktrees'>;
}

/** Ids are unique within a project; two projects may have a file of the same hand-given name. */
export function keyOf(ref: CommissionRef): string {
  return `${ref.project.name}/${ref.id}`;
}

export function activityOf(ref: CommissionRef): ActivityRef {
  return { project: ref.project.name, kind: commissionKind, id: ref.id };
}

/** `.lore/commissions/<id>.md`. */
export function commissionPath(id: CommissionId): string {
  return `${commissionsFolder}/${id}.md`;
}

/** Nothing for the first attempt, `-2`, `-3` for later ones. */
export function attemptSuffix(attempt: number): string {
  return attempt <= 1 ? '' : `-${attempt}`;
}

export function branchOf(ref: Pick<CommissionRef, 'id'>, attempt: number): string {
  return `claude/${commissionKind}/${ref.id}${attemptSuffix(attempt)}`;
}

export function worktreeOf(ctx: HomeContext, ref: CommissionRef, attempt: number): string {
  return join(ctx.home.worktrees, ref.project.name, `${commissionKind}-${ref.id}${attemptSuffix(attempt)}`);
}

/** Names the one attempt that a worktree belongs to. */
export function ownerOf(ref: CommissionRef, attempt: number): string {
  return `${ref.project.name}/${commissionKind}/${ref.id}/${attempt}`;
}

/** Everything machine-local of a commission. A project's name has no dot, so the two parts stay apart. */
export function stateFolder(ctx: HomeContext, ref: CommissionRef): string {
  return join(ctx.home.state, 'commissions', `${ref.project.name}.${ref.id}`);
}

/** What the hall and the process of one attempt tell each other; see `contract/journal.ts`. */
export function attemptFolder(ctx: HomeContext, ref: CommissionRef, attempt: number): string {
  return join(stateFolder(ctx, ref), String(attempt));
}

/** One at a time: whatever reads and changes a commission's record or state. */
export function commissionLock(ref: CommissionRef): string {
  return `commission:${keyOf(ref)}`;
}

/** One at a time over all projects: what looks whether there is room and takes it. */
export const queueLock = 'commission-queue';
