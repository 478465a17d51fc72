/** Bringing the person's new commits into the integration branch. */
import { join } from 'node:path';
import { z } from 'zod';
import { stateFile, type StateFile } from '../../kernel/artifacts/state-file.ts';
import { inspectRepository } from '../../kernel/git/repository.ts';
import { syncIntegration, type FoldedIn, type SyncOutcome } from '../../kernel/git/sync.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import { announce, integrationLock, type ProjectsContext } from './context.ts';
import type { ProjectSynced } from './contract.ts';

const foldedInSchema = z.object({ commit: z.string(), tree: z.string() });

/** The person's branch as it was when it was last brought in. */
export function foldedInFile(ctx: Pick<ConfigContext, 'home'>, name: string): StateFile<FoldedIn> {
  const path = join(ctx.home.state, 'sync', `${name}.json`);
  return stateFile({ path, schema: foldedInSchema, version: 1 });
}

/** @throws HallError; on a conflict nothing is changed, and the files are named in the answer */
export async function syncProject(ctx: ProjectsContext, wanted: string | undefined): Promise<ProjectSynced> {
  const project = chooseProject(ctx, wanted);
  return await ctx.locks.with(integrationLock(project.name), async () => {
    const { path, name, integrationBranch, integrationWorktree } = project;
    const personBranch = (await inspectRepository(ctx, path)).headBranch;
    if (personBranch === null) {
      throw fail('conflict', `No branch is checked out in ${path}.`, `Check one out: git -C '${path}' switch main`);
    }
    const file = foldedInFile(ctx, name);
    const remembered = await file.read();
    const request = { repo: path, integrationBranch, integrationWorktree, personBranch, remembered };
    const outcome = await syncIntegration(ctx, request);
    if (outcome.kind !== 'conflict') await file.write(outcome.remembered);
    const answer = { name, ...answerOf(outcome, personBranch, integrationBranch) };
    announce(ctx, 'project.synced', { name, outcome: answer.outcome });
    return answer;
  });
}

function answerOf(outcome: SyncOutcome, from: string, to: string): Omit<ProjectSynced, 'name'> {
  if (outcome.kind === 'up-to-date') {
    return { outcome: 'up_to_date', commit: null, files: [], notes: [`${to} has everything of ${from}.`] };
  }
  if (outcome.kind === 'synced') {
    const kept = outcome.keptLocal.map((path) => `${path} was changed in the checkout and was kept as it is there.`);
    return {
      outcome: 'synced',
      commit: outcome.commit,
      files: [],
      notes: [`${from} was brought into ${to}.`, ...kept],
    };
  }
  const notes = [
    `${from} and ${to} changed the same lines; nothing was changed.`,
    `Merge ${to} into ${from} by hand, then sync again.`,
  ];
  return { outcome: 'conflict', commit: null, files: [...outcome.files], notes };
}
