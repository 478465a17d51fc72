/** What terminals tell: what was said, what came of a message, that one ended. */
import type { Receipt, Speech, TerminalId } from '../../../kernel/terminals/contract.ts';
import type { GatheringsContext, LiveConversation } from '../context.ts';
import type { EndReason, Member } from '../contract.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import { writeReceipts } from '../relay/message-log.ts';
import { inRelay, takeReceipt } from '../relay/relay.ts';
import { decideEnd, fateOf, type KeptMessage } from '../rules/conversation.ts';
import { undeliveredLine } from '../rules/words.ts';
import { advance, change, notice, sayIn } from './advance.ts';
import { liveOf, messagesOf, noteActivity, publish } from './live.ts';

/** So much of what one member says during a pause is kept to go on. Messages. */
const mostHeld = 50;

/** Call it before terminals are joined: what they tell then is kept, and goes on when conversations are taken up. */
export function listenToMembers(ctx: GatheringsContext): void {
  ctx.conversations.stopListening = ctx.terminalsOf.listen({
    onSpeech: async (speech) => takeSpeech(ctx, speech),
    onReceipt: ({ terminal, message: { id }, receipt }) => takeReceiptOf(ctx, terminal, id, receipt),
    onStatus: ({ terminal }) => {
      const live = liveOf(ctx, terminal);
      if (live !== undefined) noteActivity(ctx, live);
    },
    onEnd: ({ terminal, why }) => {
      const live = liveOf(ctx, terminal);
      if (live === undefined) return;
      const { id, members } = live.record;
      const { number } = members.find((member) => member.terminal === terminal)!;
      if (!live.isTakenUp) live.died ??= number;
      else ctx.spawn(`end of conversation ${id}`, async () => endByMember(ctx, live, deadMember(number, why)));
    },
  });
}

/** On disk when it resolves, and with all others that it is for. */
async function takeSpeech(ctx: GatheringsContext, speech: Speech): Promise<void> {
  const live = liveOf(ctx, speech.terminal);
  if (live === undefined) return;
  await inRelay(ctx, live.relay, async () => {
    const { record, relay } = live;
    const speaker = record.members.find(({ terminal }) => terminal === speech.terminal)!;
    // What was said before it took part is not for the others.
    if (record.state === 'ended' || speech.at < record.startedAt || relay.log.messages.has(speech.id)) return;
    noteActivity(ctx, live);
    const { id, own, at } = speech;
    const fate = fateOf(record, messagesOf(live), speaker.number);
    const isTooMuch = fate === 'held' && heldOf(live, speaker) >= mostHeld;
    await sayIn(ctx, live, {
      id,
      kind: 'words',
      from: speaker.number,
      text: speech.text,
      own,
      at,
      to: record.members.flatMap(({ number }) => (number === speaker.number ? [] : [number])),
      fate: isTooMuch ? 'aside' : fate,
    });
  });
}

function heldOf(live: LiveConversation, { number }: Member): number {
  return messagesOf(live).filter(({ from, fate }) => from === number && fate === 'held').length;
}

function takeReceiptOf(ctx: GatheringsContext, terminal: TerminalId, id: string, receipt: Receipt): void {
  for (const { relay } of ctx.conversations.live.values())
    if (relay.log.messages.has(id)) takeReceipt(ctx, relay, { terminal, id, receipt });
}

/** Told once of each receipt: everybody who looks, and the one whose words did not arrive. */
export function receiptCame(
  ctx: GatheringsContext,
  live: LiveConversation,
  message: KeptMessage,
  { to, receipt }: { readonly to: number; readonly receipt: Receipt },
): void {
  const { record } = live;
  noteActivity(ctx, live);
  publish(ctx, record, 'conversation.receipt', { message: message.id, to, receipt });
  if (message.kind === 'ended' && receipt.state !== 'queued') letGoLater(ctx, live);
  if (receipt.state !== 'failed' || typeof message.from !== 'number') return;
  const { from, number } = message;
  const { why } = receipt;
  ctx.spawn(`words that did not arrive: ${record.id}`, async () =>
    inRelay(ctx, live.relay, async () => {
      const missing = record.members.find((member) => member.number === to)!;
      // Of one that ended, the end is told.
      if (live.record.state === 'ended' || ctx.terminalsOf.find(missing.terminal)?.isAlive !== true) return;
      const id = `undelivered-${number}-${to}`;
      await notice(ctx, live, { kind: 'undelivered', id, text: undeliveredLine(missing, why), to: [from] });
    }),
  );
}

/** Of one that is over the files are enough. */
function letGoLater(ctx: GatheringsContext, live: LiveConversation): void {
  ctx.spawn(`let go of ${live.record.id}`, async () =>
    inRelay(ctx, live.relay, async () => {
      await writeReceipts(live.relay.log);
      if (isOver(live)) ctx.conversations.live.delete(live.record.id);
    }),
  );
}

export function deadMember(number: number, why: string | null | undefined): EndReason {
  return { kind: 'member', number, ...(why === null || why === undefined ? {} : { why }) };
}

async function endByMember(ctx: GatheringsContext, live: LiveConversation, reason: EndReason): Promise<void> {
  await inRelay(ctx, live.relay, async () => {
    if (live.record.state !== 'ended') await endInRelay(ctx, live, reason);
  });
}

/** In the relay's lock. @throws `conflict` for one that has ended */
export async function endInRelay(ctx: GatheringsContext, live: LiveConversation, reason: EndReason): Promise<void> {
  const decided = decideEnd(live.record, reason, ctx.clock.nowIso());
  if (!decided.ok) throw new HallError(decided.refusal);
  await change(ctx, live, decided.next);
  live.leaving.abort();
  for (const { terminal } of live.record.members) {
    if (ctx.conversations.byTerminal.get(terminal) === live.record.id) ctx.conversations.byTerminal.delete(terminal);
  }
  publish(ctx, live.record, 'conversation.ended', { reason, conversation: live.record });
  await advance(ctx, live);
  if (isOver(live)) ctx.conversations.live.delete(live.record.id);
}

/** It has ended, and everybody who lives was told, or could not be. */
function isOver({ record, relay }: LiveConversation): boolean {
  const told = relay.log.messages.get(`${record.id}-end`);
  return record.state === 'ended' && (told?.receipts ?? []).every(({ receipt }) => receipt.state !== 'queued');
}
