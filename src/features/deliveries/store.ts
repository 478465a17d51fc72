/** Records of deliveries: artifacts in the integration worktree, written and committed by the hall alone. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { editArtifact, printArtifact } from '../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../kernel/artifacts/parse.ts';
import { resolveInside } from '../../kernel/artifacts/paths.ts';
import { createExclusively, hasErrorCode, readTextIfExists, writeAtomically } from '../../kernel/artifacts/write.ts';
import { commitFiles } from '../../kernel/git/commit.ts';
import { integrationLock, listProjects, type Project, requireProject } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { type ActivityId, activityIdSchema } from '../../kernel/pure/ids.ts';
import { resolveShortId } from '../../kernel/pure/short-ids.ts';
import type { DeliveriesContext } from './context.ts';
import { deliveriesFolder, type Delivery, deliveryKind, deliverySchema } from './contract.ts';

export interface DeliveryRef {
  readonly project: Project;
  readonly id: ActivityId;
}

export function deliveryLock({ project, id }: DeliveryRef): string {
  return `delivery:${project.name}/${id}`;
}

export function pathOf(id: string): string {
  return `${deliveriesFolder}/${id}.md`;
}

async function fileOf({ project, id }: DeliveryRef): Promise<string> {
  return await resolveInside(project.integrationWorktree, pathOf(id));
}

/** Undefined for what is no record of a delivery; such files are left alone. */
function parseRecord({ project, id }: DeliveryRef, source: string): Delivery | undefined {
  const { frontmatter, body } = parseArtifact(source, pathOf(id));
  const read = deliverySchema.safeParse({
    id,
    project: project.name,
    path: pathOf(id),
    title: frontmatter['title'],
    text: body.trim(),
    status: frontmatter['status'],
    branch: frontmatter['branch'],
    commit: frontmatter['commit'],
    target: frontmatter['target'],
    proposedBy: frontmatter['proposed_by'],
    proposedAt: frontmatter['proposed_at'],
    pullRequest: frontmatter['pull_request'] || null,
  });
  return read.success && isOfHall(read.data) ? read.data : undefined;
}

/** A record may have come with its repository: what it names is pushed at the person's word, so it is one of the hall's branches. */
function isOfHall({ commit, branch }: Delivery): boolean {
  return /^[0-9a-f]{40,64}$/.test(commit) && /^guild-hall\/[a-z0-9]+(-[a-z0-9]+)*$/.test(branch);
}

export async function readDeliveries(project: Project): Promise<Delivery[]> {
  const folder = join(project.integrationWorktree, deliveriesFolder);
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  });
  const found: Delivery[] = [];
  for (const name of names) {
    const id = activityIdSchema.safeParse(name.replace(/\.md$/, ''));
    if (!name.endsWith('.md') || !id.success) continue;
    const text = await readTextIfExists(await fileOf({ project, id: id.data }));
    const delivery = text === undefined ? undefined : parseRecord({ project, id: id.data }, text);
    if (delivery !== undefined) found.push(delivery);
  }
  return found.toSorted((a, b) => b.proposedAt.localeCompare(a.proposedAt) || b.id.localeCompare(a.id));
}

/** @throws HallError `not_found`, or `invalid` naming those that fit */
export async function resolveDelivery(
  ctx: DeliveriesContext,
  input: { readonly project?: string | undefined; readonly id: string },
): Promise<{ readonly ref: DeliveryRef; readonly delivery: Delivery }> {
  const projects = input.project === undefined ? listProjects(ctx) : [requireProject(ctx, input.project)];
  const all: { ref: DeliveryRef; delivery: Delivery }[] = [];
  for (const project of projects) {
    for (const delivery of await readDeliveries(project)) all.push({ ref: { project, id: delivery.id }, delivery });
  }
  const words = { noun: 'delivery', listCommand: 'guild-hall delivery list' };
  const id = resolveShortId(
    input.id,
    all.map(({ delivery }) => delivery.id),
    words,
  );
  return all.find(({ delivery }) => delivery.id === id)!;
}

/** Its record is on disk and committed when this resolves. */
export async function createRecord(ctx: DeliveriesContext, ref: DeliveryRef, delivery: Delivery): Promise<void> {
  const { title, status, branch, commit, target, proposedBy, proposedAt, text } = delivery;
  const frontmatter = {
    title,
    date: proposedAt.slice(0, 10),
    status,
    tags: [deliveryKind],
    branch,
    commit,
    target,
    proposed_by: proposedBy,
    proposed_at: proposedAt,
    pull_request: '',
  };
  if (!(await createExclusively(await fileOf(ref), printArtifact(frontmatter, `\n${text}\n`)))) {
    throw fail('conflict', `There is a delivery ${ref.id} already.`, 'Propose it once more.');
  }
  await commitRecord(ctx, ref, `Propose delivery ${ref.id}: ${title.replaceAll(/\s+/g, ' ')}`);
}

export async function changeRecord(
  ctx: DeliveriesContext,
  ref: DeliveryRef,
  set: { readonly status: Delivery['status']; readonly pull_request?: string },
): Promise<Delivery> {
  const file = await fileOf(ref);
  const text = editArtifact((await readTextIfExists(file)) ?? '', { set });
  await writeAtomically(file, text);
  await commitRecord(ctx, ref, `Delivery ${ref.id}: ${set.status}`);
  return parseRecord(ref, text)!;
}

async function commitRecord(ctx: DeliveriesContext, ref: DeliveryRef, message: string): Promise<void> {
  const { project, id } = ref;
  await ctx.locks.with(integrationLock(project.name), () =>
    commitFiles(ctx, {
      worktree: project.integrationWorktree,
      paths: [pathOf(id)],
      message,
      trailer: `${deliveryKind} ${id}`,
    }),
  );
}
