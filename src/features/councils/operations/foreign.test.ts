/** Session files that this hall did not write: they are shown, hold up nothing, and take nobody's place. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleSession } from '../../../../test/help/council-values.ts';
import { makeRepository } from '../../../../test/help/repositories.ts';
import { systemIds } from '../../../kernel/clock/clock.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { homePaths } from '../../../kernel/projects/home.ts';
import { defaultConfig } from '../../../kernel/projects/settings.ts';
import { projectNameSchema } from '../../../kernel/pure/ids.ts';
import type { CouncilsContext } from '../context.ts';
import { councilIdSchema } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import { makeOwner, requireOwner } from '../store/secret.ts';
import { writeSession } from '../store/session-file.ts';
import { listCouncils } from './reading.ts';
import { resolveCouncil } from './resolve.ts';
import { runningCouncils } from './running.ts';
import { waitingCouncils } from './waiting.ts';

const asks = { kind: 'yield', at: 'post-charter', turns: 0 } as const;

async function openPlace() {
  const { path } = await makeRepository({ files: { 'README.md': '# Sample\n' } });
  const home = homePaths(join(path, '..', 'home'));
  const name = projectNameSchema.parse('sample');
  const parts = {
    ids: systemIds,
    log: silentLog,
    home,
    config: () => ({ ...defaultConfig, projects: [{ name, path }] }),
    liveCouncils: new Map(),
    knownSessions: new Map(),
  };
  // Of the context only what reading needs.
  const ctx = parts as unknown as CouncilsContext;
  const project = { name, path, integrationBranch: 'claude/main', integrationWorktree: home.integrationWorktree(name) };
  const refOf = (id: string, root: string): CouncilRef => ({ project, id: councilIdSchema.parse(id), root });
  return { ctx, project, refOf };
}

test('[CNC-STA-4] what came with a repository is listed, and neither runs nor asks nor holds up the removal of a project', async () => {
  const { ctx, project, refOf } = await openPlace();
  const own = refOf('2026-05-18-own', project.path);
  const session = sampleSession();
  await makeOwner(ctx, own, session.setup);
  await writeSession(ctx, own.root, { ...session, sessionId: own.id, status: 'asking', question: asks });
  for (const status of ['running', 'asking', 'halted'] as const) {
    const { id, root } = refOf(`2026-05-18-came-${status}`, project.integrationWorktree);
    await writeSession(ctx, root, { ...session, sessionId: id, status, question: status === 'asking' ? asks : null });
  }
  expect((await listCouncils(ctx, { project: undefined })).councils).toHaveLength(4);
  expect((await runningCouncils(ctx)).map(({ id }) => id)).toEqual([own.id]);
  expect((await waitingCouncils(ctx)).map(({ subject }) => subject.id)).toEqual([own.id]);
});

test('[CNC-STA-4] a file of the same id on the branch does not come in the place of a council that was started here', async () => {
  const { ctx, project, refOf } = await openPlace();
  const own = refOf('2026-05-18-own', project.path);
  const forged = { ...own, root: project.integrationWorktree };
  const session = { ...sampleSession(), sessionId: own.id, status: 'running' as const };
  await makeOwner(ctx, own, { ...session.setup, perAgentCap: 7 });
  await writeSession(ctx, own.root, session);
  await writeSession(ctx, forged.root, { ...session, charter: 'Forged' });
  expect((await resolveCouncil(ctx, { id: own.id })).ref.root).toBe(own.root);
  expect((await listCouncils(ctx, { project: undefined })).councils.map(({ charter }) => charter)).toEqual([
    session.charter,
  ]);
  expect(await runningCouncils(ctx)).toHaveLength(1);
  await expect(requireOwner(ctx, forged)).rejects.toMatchObject({ code: 'conflict' });
  expect((await requireOwner(ctx, own)).setup.perAgentCap).toBe(7);
});
