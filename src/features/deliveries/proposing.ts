/** Proposing a delivery, and giving one up. */
import { deleteBranch, makeBranch } from '../../kernel/git/branches.ts';
import type { Caller } from '../../kernel/operations/operations.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { activityIdSchema, composeId, slugOf } from '../../kernel/pure/ids.ts';
import { requireNoSecrets } from '../../kernel/secrets/ask.ts';
import type { DeliveriesContext } from './context.ts';
import { type Delivery, type DeliveryEvents, deliveryKind } from './contract.ts';
import { commitDifference, findDifference } from './difference.ts';
import { changeRecord, createRecord, deliveryLock, type DeliveryRef, pathOf } from './store.ts';

export interface Proposal {
  readonly title: string;
  readonly text: string;
  readonly allowSecrets: boolean;
}

/** The record first: where the hall is killed before the branch is made, opening it makes it. */
export async function proposeDelivery(
  ctx: DeliveriesContext,
  project: Project,
  caller: Caller,
  proposal: Proposal,
): Promise<Delivery> {
  const { title, text } = await wordsOf(ctx, project, caller, proposal);
  const difference = await findDifference(ctx, project);
  const commit = await commitDifference(ctx, project, difference, `${title}\n\n${text}`);
  const now = ctx.clock.nowIso();
  const tail = ctx.ids.random(4);
  const slug = slugOf(title) || 'delivery';
  const id = activityIdSchema.parse(composeId(slug, now, tail));
  const ref: DeliveryRef = { project, id };
  const delivery: Delivery = {
    id,
    project: project.name,
    path: pathOf(id),
    title,
    text,
    status: 'proposed',
    branch: `guild-hall/${slug}-${tail}`,
    commit,
    target: difference.branch,
    proposedBy: caller.kind === 'person' ? 'person' : `${caller.activity.kind} ${caller.activity.id}`,
    proposedAt: now,
    pullRequest: null,
  };
  await createRecord(ctx, ref, delivery);
  await makeBranch(ctx, project.path, delivery.branch, commit);
  announce(ctx, ref, 'delivery.proposed', { id, title, branch: delivery.branch });
  return delivery;
}

async function wordsOf(
  ctx: DeliveriesContext,
  project: Project,
  caller: Caller,
  { title, text, allowSecrets }: Proposal,
): Promise<{ readonly title: string; readonly text: string }> {
  if (caller.kind === 'person') {
    const given = Object.entries({ title, text });
    if (!allowSecrets) {
      await requireNoSecrets(given.map(([name, words]) => ({ what: `the ${name}`, text: words, isCommitted: true })));
    }
    return { title: title.trim(), text: text.trim() };
  }
  const { activity } = caller;
  if (activity.project !== project.name) {
    throw fail(
      'forbidden',
      `The project ${project.name} is another one than that of the ${activity.kind}, ${activity.project}.`,
      'Ask the person to do it, or to open a meeting in that project.',
      { project: project.name },
    );
  }
  return { title: (await ctx.scrub(title)).trim(), text: (await ctx.scrub(text)).trim() };
}

/** The branch goes where it still holds nothing but that one commit. */
export async function dismissDelivery(ctx: DeliveriesContext, ref: DeliveryRef): Promise<Delivery> {
  return await ctx.locks.with(deliveryLock(ref), async () => {
    const before = await changeRecord(ctx, ref, { status: 'dismissed' });
    await deleteBranch(ctx, ref.project.path, before.branch, before.commit);
    announce(ctx, ref, 'delivery.dismissed', { id: ref.id });
    return before;
  });
}

export function announce<Type extends keyof DeliveryEvents>(
  ctx: DeliveriesContext,
  { project, id }: DeliveryRef,
  type: Type,
  data: DeliveryEvents[Type],
): void {
  ctx.events.publish({ type, project: project.name, subject: `${deliveryKind}:${id}`, data });
}
