/** Keeps a harvest: files, memory, the entry of the trail, one commit. Each step changes nothing when it is done again. */
import { join } from 'node:path';
import { createExclusively, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { commitFiles } from '../../../kernel/git/commit.ts';
import { fileHistory } from '../../../kernel/git/history.ts';
import { readLocalFile } from '../../../kernel/git/local.ts';
import { integrationLock, type Project, requireProject } from '../../../kernel/projects/projects.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { workerNameSchema } from '../../../kernel/pure/ids.ts';
import { appendMemory } from '../../../kernel/workers/memory.ts';
import { printAppendix } from '../../../kernel/workers/sections.ts';
import { type Gathering, gatheringKind, type Harvested } from '../contract/gathering.ts';
import { followCheckout, type HarvestContext, type HarvestPlan } from './plan.ts';
import { markOf } from './print.ts';

export { type HarvestPlan, planHarvest } from './plan.ts';

/**
 * Under the project's integration lock: two gatherings that close at once come one after the other.
 * @throws `conflict` where something stands in the way of a file that the plan names; what was written stays, and is
 *   taken up when it is done again
 */
export async function saveHarvest(ctx: HarvestContext, plan: HarvestPlan): Promise<NonNullable<Gathering['end']>> {
  const project = requireProject(ctx, plan.project);
  return await ctx.locks.with(integrationLock(project.name), async () => {
    await followCheckout(ctx, project);
    const root = project.integrationWorktree;
    for (const file of plan.files) await writeItem(root, plan, file);
    const memory = await remember(ctx, plan);
    await writeTrail(root, plan);
    const commit = await commitHarvest(ctx, project, plan);
    const harvested: Harvested[] = [
      ...plan.files.map(({ kind, title, path }) => ({ kind, title, path })),
      ...(plan.memory?.titles ?? []).map((title) => ({ kind: 'memory' as const, title, path: memory })),
    ];
    const { trail, isWrittenByHall } = plan;
    return { at: ctx.clock.nowIso(), trail, harvested, isWrittenByHall, commit };
  });
}

/** One that stands there already is this gathering's, maybe edited since: it stays as it is. */
async function writeItem(root: string, plan: HarvestPlan, file: HarvestPlan['files'][number]): Promise<void> {
  const standing = await readLocalFile(root, file.path);
  if (standing.kind === 'missing' && (await createExclusively(join(root, file.path), file.text))) return;
  const now = standing.kind === 'missing' ? await readLocalFile(root, file.path) : standing;
  if (now.kind === 'file' && now.bytes.includes(`\ngathering: ${plan.gathering}\n`)) return;
  throw inTheWay(file.path);
}

function inTheWay(path: string): HallError {
  return fail(
    'conflict',
    `The harvest cannot be written to ${path}: something else stands there.`,
    'Take it away in the integration checkout and commit that; the hall tries again by itself.',
    { path },
  );
}

/** Once. A memory that takes no more is left; what is to be remembered begins another one. @returns where it went */
async function remember(ctx: HarvestContext, { project, gathering, memory }: HarvestPlan): Promise<string> {
  if (memory === null) return '';
  const owner = { project, worker: workerNameSchema.parse(gatheringKind) };
  const mark = markOf(gathering);
  const append = async (name: string): Promise<string> => {
    await appendMemory(ctx, owner, 'project', name, (before) =>
      before.includes(mark) ? '' : printAppendix(before, memory.text),
    );
    return `memory:project/${name}`;
  };
  try {
    return await append(memory.name);
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    ctx.log.warn({ err: error, gathering }, 'the memory of gatherings takes no more: another one is begun');
    return await append(`${memory.name}-${gathering.slice(-8)}`);
  }
}

/** What stands there stays byte for byte; the entry has its line ends. */
async function writeTrail(root: string, { trail, gathering, head, entry }: HarvestPlan): Promise<void> {
  const standing = await readLocalFile(root, trail);
  if (standing.kind !== 'missing' && standing.kind !== 'file') throw inTheWay(trail);
  const before = standing.kind === 'file' ? standing.bytes : Buffer.from(head);
  if (before.includes(markOf(gathering))) return;
  const added = printAppendix(before.toString('latin1'), entry);
  await writeAtomically(join(root, trail), Buffer.concat([before, Buffer.from(added)]));
}

/** This one, or the one of an earlier try; null where nothing of it can be found. */
async function commitHarvest(ctx: HarvestContext, project: Project, plan: HarvestPlan): Promise<string | null> {
  const { integrationWorktree: worktree, integrationBranch: branch } = project;
  const trailer = `${gatheringKind} ${plan.gathering}`;
  const paths = [...plan.files.map(({ path }) => path), plan.trail];
  const message = `Gathering ${plan.gathering}: harvest`;
  const commit = await commitFiles(ctx, { worktree, paths, message, trailer });
  if (commit !== undefined) return commit;
  const earlier = await fileHistory(ctx, worktree, { branch, path: plan.trail, max: 50 });
  return earlier.find((each) => each.trailer === trailer)?.commit ?? null;
}
