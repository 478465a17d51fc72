/** Joins the deliveries. */
import { deliveriesFolder } from '../features/deliveries/contract.ts';
import { bindDeliveries } from '../features/deliveries/operations.ts';
import { waitingDeliveries } from '../features/deliveries/waiting.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';

export function joinDeliveries(hall: HallContext): HallFeature {
  const ctx = { ...hall, environment: () => process.env };
  return {
    name: 'deliveries',
    operations: bindDeliveries(ctx),
    recordFolder: { folder: deliveriesFolder },
    waiting: async () => await waitingDeliveries(ctx),
  };
}
