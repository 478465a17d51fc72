/**
 * The one place where something happens to a gathering: the next state is written with all that is to be told, then it
 * is told. A hall that is killed on the way tells it when it is started anew. All calls are made in the relay's lock.
 */
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { takeBack } from '../../relay/relay.ts';
import { type Input, step } from '../../rules/ceremony/machine.ts';
import { changeGathering, tellAll } from './changing.ts';
import { closeWhenHarvested } from './closing.ts';

/** @returns false where nothing follows from it */
export async function apply(ctx: GatheringsContext, live: LiveGathering, input: Input): Promise<boolean> {
  const { next, withdraw } = step(live.record, input);
  if (next === live.record) return false;
  await changeGathering(ctx, live, next);
  await takeBack(ctx, live.relay, withdraw);
  await tellAll(ctx, live);
  if (live.isTakenUp) closeWhenHarvested(ctx, live);
  return true;
}

/** What follows from the record as it stands, and could not be done when it was written: a disk was full. Again it changes nothing. */
export async function followUp(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  if (live.record.outbox.length > 0) await tellAll(ctx, live);
  if (live.isTakenUp) closeWhenHarvested(ctx, live);
}
