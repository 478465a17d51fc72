/** What terminals tell of those who sit in a gathering: what was said, what came of a message, that one ended. */
import type { Receipt, Speech, TerminalId } from '../../../../kernel/terminals/contract.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { inRelay, takeReceipt } from '../../relay/relay.ts';
import type { KeptMessage } from '../../rules/conversation.ts';
import { apply } from './apply.ts';
import { gatheringOf, publishOf, seatOf, wake } from './live.ts';

/** Call it before terminals are joined: what they tell then is kept, and goes on when gatherings are taken up. */
export function listenToSeats(ctx: GatheringsContext): void {
  ctx.gatherings.stopListening = ctx.terminalsOf.listen({
    onSpeech: async (speech) => takeWords(ctx, speech),
    onReceipt: ({ terminal, message: { id }, receipt }) => {
      for (const { relay } of ctx.gatherings.live.values())
        if (relay.log.messages.has(id)) takeReceipt(ctx, relay, { terminal, id, receipt });
    },
    onStatus: ({ terminal }) => {
      const live = gatheringOf(ctx, terminal);
      if (live !== undefined) wake(live);
    },
    onEnd: ({ terminal }) => {
      const live = gatheringOf(ctx, terminal);
      if (live !== undefined) takeEndOf(ctx, live, terminal);
    },
  });
}

/** On disk when it resolves, where it counts. What a member says without the piece is for nobody. */
async function takeWords(ctx: GatheringsContext, speech: Speech): Promise<void> {
  const live = gatheringOf(ctx, speech.terminal);
  if (live === undefined) return;
  await inRelay(ctx, live.relay, async () => {
    const { id, text, own, at, source } = speech;
    const seat = seatOf(live.record, speech.terminal);
    if (seat === undefined || live.relay.log.messages.has(id)) return;
    // Of an answer to somebody outside of it, when it was said tells.
    const after = speech.after !== null && live.relay.log.messages.has(speech.after) ? speech.after : null;
    await apply(ctx, live, { kind: 'words', from: seat.number, id, text, own, after, at, source });
  });
}

function takeEndOf(ctx: GatheringsContext, live: LiveGathering, terminal: TerminalId): void {
  const { number } = seatOf(live.record, terminal)!;
  if (!live.isTakenUp) live.died.add(number);
  else
    ctx.spawn(`end of a member of ${live.record.id}`, async () =>
      inRelay(ctx, live.relay, async () => {
        await apply(ctx, live, { kind: 'gone', number, at: ctx.clock.nowIso() });
      }),
    );
}

/** Told once of each receipt. A turn begins when the holder has got the piece. */
export function receiptOfNotice(
  ctx: GatheringsContext,
  live: LiveGathering,
  message: KeptMessage,
  { to, receipt }: { readonly to: number; readonly receipt: Receipt },
): void {
  const { record } = live;
  publishOf(ctx, record, 'gathering.receipt', { message: message.id, to, receipt });
  const { turn } = record;
  const isPiece = message.kind === 'piece' && to === turn?.holder && turn.told.includes(message.id);
  if (receipt.state !== 'delivered' || turn === null || !isPiece) return;
  ctx.spawn(`the piece arrived in ${record.id}`, async () =>
    inRelay(ctx, live.relay, async () => {
      await apply(ctx, live, { kind: 'arrived', turn: turn.number, at: receipt.at });
    }),
  );
}
