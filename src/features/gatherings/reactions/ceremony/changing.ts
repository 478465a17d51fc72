/** The next state of a gathering, written, and what is to be told with it. All calls are made in the relay's lock. */
import { faultPoint } from '../../../../kernel/clock/fault.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import type { Gathering, Notice } from '../../contract/gathering.ts';
import { allowedInGathering } from '../../fold/gathering.ts';
import { handOver, keep } from '../../relay/relay.ts';
import { dueOf } from '../../rules/ceremony/due.ts';
import { gatheringFile } from '../../store/ceremony/place.ts';
import { shownMessage } from '../advance.ts';
import { factsOf, publishOf, wake } from './live.ts';

/** Writes the next state; in force when it resolves. */
export async function changeGathering(ctx: GatheringsContext, live: LiveGathering, next: Gathering): Promise<void> {
  faultPoint('gathering:before:change');
  await gatheringFile(ctx, next.id).write(next);
  faultPoint('gathering:after:change');
  hold(ctx, live, next);
  const gathering = factsOf(next);
  const { kept } = next;
  publishOf(ctx, next, 'gathering.changed', {
    gathering,
    due: dueOf(next),
    kept,
    allowed: allowedInGathering(gathering),
  });
  wake(live);
}

function hold(ctx: GatheringsContext, live: LiveGathering, next: Gathering): void {
  live.record = next;
  ctx.gatherings.known.set(next.id, next);
}

/** What is to be told is kept, in order, and handed over. Again it changes nothing. */
export async function tellAll(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  await keepAll(ctx, live);
  if (live.isTakenUp) await handOver(ctx, live.relay);
}

/** The file is cleared with its next write: what stands there until then is known by its id. */
export async function keepAll(ctx: GatheringsContext, live: LiveGathering): Promise<void> {
  for (const notice of live.record.outbox) await keepOne(ctx, live, notice);
  if (live.record.outbox.length > 0) hold(ctx, live, { ...live.record, outbox: [] });
}

async function keepOne(ctx: GatheringsContext, live: LiveGathering, notice: Notice): Promise<void> {
  if (live.relay.log.messages.has(notice.id)) return;
  const kept = await keep(live.relay, { ...notice, own: '', fate: 'sent' });
  publishOf(ctx, live.record, 'gathering.message', { message: shownMessage(kept) });
}
