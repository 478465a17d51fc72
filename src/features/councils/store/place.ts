/** Where things of a council are, and the names under which they are held. */
import { join } from 'node:path';
import type { HomePaths } from '../../../kernel/projects/home.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import type { ActivityRef } from '../../../kernel/pure/ids.ts';
import { councilKind } from '../contract/kind.ts';
import type { CouncilId } from '../contract.ts';

export interface CouncilRef {
  readonly project: Project;
  readonly id: CouncilId;
  /** Where its agents read and its files are written: the integration worktree, or the checkout it was started in. Absolute. */
  readonly root: string;
}

interface HomeContext {
  readonly home: Pick<HomePaths, 'state' | 'worktrees'>;
}

/** Relative to the root. */
export const sessionsFolder = '.gaia/memory/meeting-sessions';

/** Ids are unique within a root; a council of the branch and one in place may have the same. */
export function keyOf(ref: Pick<CouncilRef, 'project' | 'id'>): string {
  return `${ref.project.name}/${ref.id}`;
}

export function activityOf(ref: Pick<CouncilRef, 'project' | 'id'>): ActivityRef {
  return { project: ref.project.name, kind: councilKind, id: ref.id };
}

/** Relative to the root. */
export function sessionPath(id: string): string {
  return `${sessionsFolder}/${id}.yaml`;
}

/** Absolute. */
export function sessionFile(ref: Pick<CouncilRef, 'root' | 'id'>): string {
  return join(ref.root, sessionPath(ref.id));
}

/** Folder of the machine-local part of all councils. A project's name has no dot, so the two parts of a name stay apart. */
export function ownersFolder(ctx: HomeContext): string {
  return join(ctx.home.state, 'councils');
}

/** The machine-local part of one: its secret, its root, how it was called. */
export function ownerFile(ctx: HomeContext, ref: Pick<CouncilRef, 'project' | 'id'>): string {
  return join(ownersFolder(ctx), `${ref.project.name}.${ref.id}.json`);
}

/** The agent programs' own files of this council. */
export function agentFolder(ctx: HomeContext, ref: Pick<CouncilRef, 'project' | 'id'>): string {
  return join(ctx.home.state, 'agents', `${ref.project.name}.${councilKind}-${ref.id}`);
}

/** One at a time: whatever reads and changes a council's session. */
export function councilLock(ref: Pick<CouncilRef, 'project' | 'id'>): string {
  return `council:${keyOf(ref)}`;
}

/** One at a time: whatever chooses an id for a council of a project. */
export function councilIdsLock(project: string): string {
  return `council-ids:${project}`;
}
