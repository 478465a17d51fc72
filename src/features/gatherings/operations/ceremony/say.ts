/** The person's words in a gathering. */
import type { Caller } from '../../../../kernel/operations/operations.ts';
import { fail } from '../../../../kernel/pure/errors.ts';
import { wellFormed } from '../../../../kernel/pure/text.ts';
import { requireNoSecrets } from '../../../../kernel/secrets/ask.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import type { GatheringSaid } from '../../contract/gathering-views.ts';
import type { Seat } from '../../contract/gathering.ts';
import { apply } from '../../reactions/ceremony/apply.ts';
import { isRunning } from '../../reactions/ceremony/live.ts';
import { inRelay } from '../../relay/relay.ts';
import { chooseGathering, ownSeat, requireOpen } from './choosing.ts';

export interface PersonsWords {
  readonly id?: string | undefined;
  readonly text: string;
  readonly asHost: boolean;
  readonly allowSecrets?: boolean;
}

/** On disk when it resolves. @throws `conflict` for one that is closed; `invalid` for a person without a seat */
export async function sayInGathering(
  ctx: GatheringsContext,
  caller: Caller,
  { id: given, text, asHost, allowSecrets = false }: PersonsWords,
): Promise<GatheringSaid> {
  const live = await requireOpen(ctx, chooseGathering(ctx, caller, given));
  const { id } = live.record;
  if (!allowSecrets) await requireNoSecrets([{ what: 'your words', text, isCommitted: false }]);
  const message = `${id}-said-${ctx.ids.random(12)}`;
  return await inRelay(ctx, live.relay, async () => {
    // Said now: what waited here for the piece to come is said with it.
    const words = { id: message, text: wellFormed(text).trim(), at: ctx.clock.nowIso() };
    const fate = asHost ? await announce(ctx, live, words) : await speak(ctx, live, caller, words);
    return { id, message: words.id, fate };
  });
}

interface Words {
  readonly id: string;
  readonly text: string;
  readonly at: string;
}

async function announce(ctx: GatheringsContext, live: LiveGathering, words: Words): Promise<'announced'> {
  if (await apply(ctx, live, { kind: 'announce', ...words })) return 'announced';
  throw tooLate(live);
}

async function speak(
  ctx: GatheringsContext,
  live: LiveGathering,
  caller: Caller,
  words: Words,
): Promise<'sent' | 'kept'> {
  const seat = requireSeat(live, caller);
  if (!isRunning(live.record)) throw tooLate(live);
  const { turn } = live.record;
  const holds = turn?.holder === seat.number;
  live.typedMs = undefined;
  const { text: own } = words;
  // The piece is there before they speak, also where a clock was set back meanwhile.
  const at = words.at < (turn?.arrivedAt ?? '') ? turn!.arrivedAt! : words.at;
  const isTaken = await apply(
    ctx,
    live,
    holds
      ? { kind: 'words', from: seat.number, own, after: null, source: 'person', ...words, at }
      : { kind: 'kept', ...words },
  );
  if (!isTaken) throw tooLate(live);
  return holds ? 'sent' : 'kept';
}

function requireSeat({ record: { id, seats } }: LiveGathering, caller: Caller): Seat {
  const seat = ownSeat({ seats }, caller);
  if (seat !== undefined) return seat;
  throw fail(
    'invalid',
    `The person has no seat in the gathering ${id}.`,
    `Speak as its host: guild-hall gathering say ${id} --as-host <text>`,
    { id },
  );
}

function tooLate({ record: { id } }: LiveGathering): Error {
  return fail('conflict', `The rounds of the gathering ${id} are over.`, `See it: guild-hall gathering show ${id}`, {
    id,
  });
}

/** The person types: the piece waits for the words, for a while. */
export async function noteTyping(ctx: GatheringsContext, caller: Caller, given: string): Promise<{ id: string }> {
  const { id } = chooseGathering(ctx, caller, given);
  const live = ctx.gatherings.live.get(id);
  if (live !== undefined) live.typedMs = ctx.clock.monotonicMs();
  return { id };
}
