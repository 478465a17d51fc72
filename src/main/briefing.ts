/** Joins the briefing: what it tells is asked of the other features, as the person would. */
import type { CommissionList } from '../features/commissions/contract.ts';
import { bindBriefing } from '../features/briefing/operations.ts';
import type { InboxList } from '../features/inbox/contract.ts';
import { stewardName } from '../features/steward/contract.ts';
import { personCaller } from '../kernel/operations/operations.ts';
import type { HallContext } from './context.ts';
import { gathered, type HallFeature } from './feature.ts';
import { callByName } from './pages.ts';

export function joinBriefing(hall: HallContext, features: readonly HallFeature[]): HallFeature {
  const ask = async (operation: string, project: string | undefined): Promise<unknown> =>
    await callByName(features, personCaller, operation, project === undefined ? {} : { project });
  const operations = bindBriefing({
    ...hall,
    standing: async (project) => {
      const [list, inbox, open] = await Promise.all([
        ask('commission.list', project),
        ask('inbox.list', project),
        gathered(features, (feature) => feature.activities?.(project)),
      ]);
      return { commissions: (list as CommissionList).commissions, waiting: (inbox as InboxList).items, open };
    },
    modelName: async () =>
      [...(await hall.catalogue()).workers.values()].find(({ name }) => name === stewardName)?.model,
    askedAtMs: new Map(),
  });
  return { name: 'briefing', operations };
}
