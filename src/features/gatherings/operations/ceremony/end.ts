/** Ending a gathering before its rounds are over. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import type { GatheringsContext } from '../../context.ts';
import type { Gathering } from '../../contract/gathering.ts';
import { apply } from '../../reactions/ceremony/apply.ts';
import { inRelay } from '../../relay/relay.ts';
import { chooseGathering, closedAlready, ownSeat, requireOpen } from './choosing.ts';

/**
 * It closes: no more turns, and the harvester is asked for what there is. By the person, a member, or who asked for it.
 * @throws `conflict` for one that is closed, or closes already
 */
export async function endGathering(
  ctx: GatheringsContext,
  caller: Caller,
  { id: given }: { readonly id?: string | undefined },
): Promise<Gathering> {
  const live = await requireOpen(ctx, chooseGathering(ctx, caller, given));
  return await inRelay(ctx, live.relay, async () => {
    const { record } = live;
    // No agent ends it in the name of the person.
    const by = caller.kind === 'person' ? 'person' : (ownSeat(record, caller)?.number ?? 'host');
    if (await apply(ctx, live, { kind: 'ended', by, at: ctx.clock.nowIso() })) return live.record;
    // Its harvest was being kept meanwhile.
    if (record.stage === 'closed') throw closedAlready(record.id, record.end?.trail);
    throw fail(
      'conflict',
      `The gathering ${record.id} closes already: its harvest is awaited.`,
      `See it: guild-hall gathering show ${record.id}`,
      { id: record.id },
    );
  });
}
