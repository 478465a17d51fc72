/** Binds the descriptions of deliveries to what does them. */
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { listProjects } from '../../kernel/projects/projects.ts';
import type { DeliveriesContext } from './context.ts';
import * as verbs from './contract.ts';
import { deliverTo } from './delivering.ts';
import { openDelivery } from './opening.ts';
import { dismissDelivery, proposeDelivery } from './proposing.ts';
import { readDeliveries, resolveDelivery } from './store.ts';

export function bindDeliveries(ctx: DeliveriesContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.deliver, async (_, input) => deliverTo(ctx, chooseProject(ctx, input.project), input)),
    bindOperation(verbs.deliveryPropose, async (caller, input) =>
      proposeDelivery(ctx, chooseProject(ctx, input.project), caller, input),
    ),
    bindOperation(verbs.deliveryOpen, async (_, input) => openDelivery(ctx, (await resolveDelivery(ctx, input)).ref)),
    bindOperation(verbs.deliveryDismiss, async (_, input) =>
      dismissDelivery(ctx, (await resolveDelivery(ctx, input)).ref),
    ),
    bindOperation(verbs.deliveryShow, async (_, input) => (await resolveDelivery(ctx, input)).delivery),
    bindOperation(verbs.deliveryList, async (_, { project }) => {
      const projects = project === undefined ? listProjects(ctx) : [chooseProject(ctx, project)];
      const all = await Promise.all(projects.map(async (each) => await readDeliveries(each)));
      return { deliveries: all.flat().toSorted((a, b) => b.proposedAt.localeCompare(a.proposedAt)) };
    }),
  ];
}
