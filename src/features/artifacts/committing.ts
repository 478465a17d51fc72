/**
 * The commit of an edit, and what was cut off before it: an edit is written down before its file is, so that the next
 * start of the hall commits what stands there, and nothing else.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { stateFile, type StateFile } from '../../kernel/artifacts/state-file.ts';
import { readLocalFile } from '../../kernel/git/local.ts';
import { commitFiles } from '../../kernel/git/commit.ts';
import { integrationLock, type Project } from '../../kernel/projects/projects.ts';
import type { ArtifactsContext } from './context.ts';
import type { ArtifactEvents } from './contract.ts';
import { isArtifactPath } from './rules.ts';
import { revisionOf } from './paths.ts';

interface Underway {
  /** As it was named. */
  readonly path: string;
  /** The file itself, relative to the project. */
  readonly stored: string;
  /** Of the text that the edit puts there. */
  readonly revision: string;
}

const underwaySchema = z.object({ path: z.string(), stored: z.string(), revision: z.string() });

/** The edit that is being written in the project: one at a time, under its integration lock. */
export function underwayFile(ctx: Pick<ArtifactsContext, 'home'>, project: Project): StateFile<Underway> {
  const path = join(ctx.home.state, 'edits', `${project.name}.json`);
  return stateFile<Underway>({ path, version: 1, schema: underwaySchema });
}

/** Null where nothing was to be committed. */
export async function commitEdit(
  ctx: ArtifactsContext,
  project: Project,
  { path, stored }: { readonly path: string; readonly stored: string },
): Promise<string | null> {
  const text = { message: `Edit ${path}`, trailer: 'artifact edit' };
  return (await commitFiles(ctx, { worktree: project.integrationWorktree, paths: [stored], ...text })) ?? null;
}

export function tellEdited(ctx: ArtifactsContext, project: Project, data: ArtifactEvents['artifact.edited']): void {
  ctx.events.publish({ type: 'artifact.edited', project: project.name, subject: `artifact:${data.path}`, data });
}

/**
 * Commits the edit that was cut off, where its text stands in the file. Another text there is either the one from
 * before, or somebody's since: it is left alone. The caller holds the project's lock.
 */
export async function finishEdit(ctx: ArtifactsContext, project: Project): Promise<void> {
  const file = underwayFile(ctx, project);
  const underway = await file.read();
  if (underway === undefined) return;
  const { path, stored, revision } = underway;
  const local = isArtifactPath(stored) ? await readLocalFile(project.integrationWorktree, stored) : undefined;
  if (local?.kind === 'file' && revisionOf(local.bytes) === revision) {
    const commit = await commitEdit(ctx, project, underway);
    if (commit !== null) tellEdited(ctx, project, { path, revision, commit });
  }
  await file.remove();
}

/** At the start. A project whose edit cannot be finished is logged, keeps it, and does not keep the others. */
export async function finishEdits(ctx: ArtifactsContext, projects: readonly Project[]): Promise<void> {
  for (const project of projects) {
    try {
      await ctx.locks.with(integrationLock(project.name), () => finishEdit(ctx, project));
    } catch (error) {
      ctx.log.warn({ err: error, project: project.name }, 'an edit that was cut off cannot be committed yet');
    }
  }
}
