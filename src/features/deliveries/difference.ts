/** What the person's branch has not yet: as one commit on top of it, made without touching any checkout. */
import { branchTip } from '../../kernel/git/branches.ts';
import { setIndexEntries, withEmptyIndex } from '../../kernel/git/checkout.ts';
import { commonDirOf } from '../../kernel/git/marker.ts';
import { mergeCommits } from '../../kernel/git/mergetree.ts';
import { commitTree, composeMessage } from '../../kernel/git/message.ts';
import { treeChanges, treeOf } from '../../kernel/git/read.ts';
import { isBelow } from '../../kernel/git/records.ts';
import { inspectRepository } from '../../kernel/git/repository.ts';
import { git, gitWord } from '../../kernel/git/run.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { DeliveriesContext } from './context.ts';
import { deliveriesFolder } from './contract.ts';

export interface Difference {
  /** The person's branch, and where it is. */
  readonly branch: string;
  readonly tip: string;
  readonly integrationTip: string;
  /** What that branch would hold; null where both sides changed the same lines. */
  readonly tree: string | null;
  /** There is nothing that the branch has not. */
  readonly isNothing: boolean;
  readonly conflicts: readonly string[];
}

/** @param wanted the person's branch; the one that the project was added with when left out */
export async function findDifference(ctx: DeliveriesContext, project: Project, wanted?: string): Promise<Difference> {
  const { path: repo, integrationBranch } = project;
  const branch = wanted ?? (await personBranchOf(ctx, project));
  const [tip, integrationTip] = await Promise.all([
    branchTip(ctx, repo, branch),
    branchTip(ctx, repo, integrationBranch),
  ]);
  if (tip === undefined || branch === integrationBranch) throw noBranch(project, branch);
  if (integrationTip === undefined) throw noBranch(project, integrationBranch);
  const merged = await mergeCommits(ctx, repo, tip, integrationTip);
  const facts = { branch, tip, integrationTip };
  if (merged.kind === 'conflict') return { ...facts, tree: null, isNothing: false, conflicts: merged.files };
  const before = await treeOf(ctx, repo, tip);
  const tree = await withoutRecords(ctx, repo, before, merged.tree);
  return { ...facts, tree, isNothing: tree === before, conflicts: [] };
}

async function personBranchOf(ctx: DeliveriesContext, project: Project): Promise<string> {
  const recorded = ctx.config().projects.find(({ name }) => name === project.name)?.personBranch;
  const branch = recorded ?? (await inspectRepository(ctx, project.path)).headBranch;
  if (branch !== null && branch !== undefined && branch !== project.integrationBranch) return branch;
  throw fail(
    'conflict',
    `No branch of yours is known in ${project.name}, so nothing can be delivered to it.`,
    'Name it: guild-hall deliver --branch <name>',
  );
}

function noBranch({ name }: Project, branch: string): Error {
  return fail(
    'not_found',
    `${name} has no branch ${branch} of yours to deliver to.`,
    'See your branches with: git branch; and name one: guild-hall deliver --branch <name>',
    { branch },
  );
}

/** The hall's notes about deliveries are none of them: they stay as the person's branch has them. */
async function withoutRecords(ctx: DeliveriesContext, repo: string, before: string, tree: string): Promise<string> {
  const changes = (await treeChanges(ctx, repo, before, tree)).filter(({ path }) => isBelow(deliveriesFolder, path));
  if (changes.length === 0) return tree;
  return await withEmptyIndex(await commonDirOf(ctx, repo), async (indexFile) => {
    await git(ctx, repo, ['read-tree', tree], { indexFile });
    const entries = changes.map(({ path, oldMode, oldOid }) => ({
      path,
      mode: oldMode === '000000' ? '0' : oldMode,
      oid: oldOid,
    }));
    await setIndexEntries(ctx, repo, indexFile, entries);
    return await gitWord(ctx, repo, ['write-tree'], { indexFile });
  });
}

/** A commit of all of it that no branch points to yet. @throws HallError `conflict` where there is none to make */
export async function commitDifference(
  ctx: DeliveriesContext,
  project: Project,
  difference: Difference,
  message: string,
): Promise<string> {
  const { branch, tip, integrationTip, tree, isNothing, conflicts } = difference;
  if (tree === null) throw inConflict(project, branch, conflicts);
  if (isNothing) {
    throw fail(
      'conflict',
      `${branch} has everything already that is on ${project.integrationBranch}.`,
      'See what is under way: guild-hall briefing',
    );
  }
  const text = composeMessage({ message, trailer: `delivery of ${integrationTip.slice(0, 12)}` });
  return await commitTree(ctx, project.path, { tree, parents: [tip], text });
}

function inConflict(project: Project, branch: string, files: readonly string[]): Error {
  const named = files.slice(0, 5).join(', ') + (files.length > 5 ? ` and ${files.length - 5} more` : '');
  return fail(
    'conflict',
    `${branch} and ${project.integrationBranch} changed the same lines: ${named}.`,
    `Bring your branch in, and resolve where it says so: guild-hall project sync --project ${project.name}`,
    { files: [...files] },
  );
}
