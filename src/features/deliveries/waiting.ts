/** Proposed deliveries in the inbox: the person approves, or gives them up. */
import { listProjects } from '../../kernel/projects/projects.ts';
import type { WaitingItem } from '../inbox/contract.ts';
import type { DeliveriesContext } from './context.ts';
import { type Delivery, deliveryKind } from './contract.ts';
import { readDeliveries } from './store.ts';

export async function waitingDeliveries(ctx: DeliveriesContext): Promise<WaitingItem[]> {
  const all = await Promise.all(listProjects(ctx).map(async (project) => await readDeliveries(project)));
  return all.flat().flatMap((delivery) => (delivery.status === 'proposed' ? [itemOf(delivery)] : []));
}

function itemOf({ id, project, title, text, branch, target, proposedAt }: Delivery): WaitingItem {
  const input = { project, id };
  const action = { operation: 'delivery.open', input, field: null, required: false };
  return {
    id: `approval.${project}.${id}`,
    kind: 'approval',
    project,
    subject: { kind: deliveryKind, id, title },
    title: 'A pull request is proposed',
    detail: [text, `On the branch \`${branch}\`, for \`${target}\`. Nothing is pushed yet.`]
      .filter((part) => part !== '')
      .join('\n\n'),
    since: proposedAt,
    actions: [
      {
        ...action,
        verb: 'approve',
        label: 'Push and open it',
        asks: 'confirm',
        warning: `The branch ${branch} is pushed, and everybody who can read that repository can see it.`,
      },
      {
        ...action,
        operation: 'delivery.dismiss',
        verb: 'dismiss',
        label: 'Give it up',
        asks: 'confirm',
        warning: `The branch ${branch} is taken away; the work stays on the integration branch.`,
      },
    ],
  };
}
