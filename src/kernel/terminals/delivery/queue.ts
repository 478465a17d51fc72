/** Works off what waits for a terminal: one message at a time, in the order in which they came, each to its end. */
import { deferred } from '../../pure/deferred.ts';
import { errorFactsOf, fail } from '../../pure/errors.ts';
import { type OutgoingMessage, withdrawnWhy } from '../contract.ts';
import { type LiveTerminal, nudge, untilNextLook } from '../live.ts';
import { TmuxGone, TmuxRefusal } from '../tmux/connection.ts';
import { announce } from '../speech/tell.ts';
import type { Settled } from './ledger.ts';
import { showsSign } from './evidence.ts';
import { putIn } from './put-in.ts';
import { keyOf } from './steps.ts';

/** Between two tries when tmux does not answer. Milliseconds. */
const againMs = 200;
/** So soon the end of a program is told. Milliseconds. */
const endToldMs = 3_000;

/** Sees to it that what waits is delivered. Returns at once; safe to call at any time. */
export function pump(live: LiveTerminal): void {
  if (live.delivering !== undefined || live.isLeft || firstWaiting(live) === undefined) return;
  const done = deferred();
  live.delivering = done.promise;
  live.terminals.ctx.spawn(`deliver to ${live.id}`, async () => {
    try {
      for (let next = firstWaiting(live); next !== undefined && !live.isLeft; next = firstWaiting(live)) {
        await deliverOne(live, next);
      }
    } finally {
      live.delivering = undefined;
      done.resolve();
    }
  });
}

/** So many messages, and so many characters of them, wait for one terminal at most. */
const [maxWaiting, maxWaitingLength] = [500, 5_000_000];

/** Whoever sends to a program that takes nothing does not fill the hall. @throws `limit` */
export function requireRoom({ id, ledger }: Pick<LiveTerminal, 'id' | 'ledger'>, text: string): void {
  let [count, length] = [0, text.length];
  for (const { message, receipt } of ledger.messages.values()) {
    if (receipt.state !== 'queued') continue;
    count += 1;
    length += message.text.length;
  }
  if (count < maxWaiting && length <= maxWaitingLength) return;
  throw fail(
    'limit',
    `${count} messages wait for the terminal "${id}", and no more are taken for it now.`,
    'See why it takes none: guild-hall terminal show <name>',
    { id },
  );
}

/** None while the next one is still being written down. */
export function firstWaiting({ ledger }: LiveTerminal): OutgoingMessage | undefined {
  for (const { message, receipt } of ledger.messages.values())
    if (receipt.state === 'queued') return ledger.unwritten.has(message.id) ? undefined : message;
  return undefined;
}

async function deliverOne(live: LiveTerminal, message: OutgoingMessage): Promise<void> {
  const { ctx } = live.terminals;
  try {
    const outcome = await putIn(live, message);
    if (outcome === 'left') return;
    if (outcome === 'settled') await live.settling.get(message.id);
    else if (outcome === 'taken') await settleTaken(live, message);
    else await settle(live, message, { state: 'failed', why: outcome.why });
  } catch (error) {
    // What a step did is not known: the next try asks the pane.
    live.step = undefined;
    if (live.end === undefined && error instanceof TmuxGone) {
      ctx.log.warn({ err: error, terminal: live.id }, 'a delivery was broken off; it goes on when tmux answers');
      await untilNextLook(live, againMs);
      return;
    }
    if (error instanceof TmuxRefusal && (await hasEnded(live))) return;
    ctx.log.error({ err: error, terminal: live.id, message: message.id }, 'a delivery failed');
    await settle(live, message, { state: 'failed', why: errorFactsOf(error).message });
  }
}

/** It is at work on them now, though it told nothing of that: what it says next is about them. */
async function settleTaken(live: LiveTerminal, message: OutgoingMessage): Promise<void> {
  const isNews = live.ledger.messages.get(message.id)?.receipt.state === 'queued';
  if (isNews && live.kind.manner.speech === 'signal') live.isInTurn = true;
  const before = live.putting?.id === message.id ? live.putting.before : undefined;
  await settle(live, message, deliveredNow(live, showsSign(live.kind.manner, live.shown, before)));
  if (!isNews) return;
  // How it stands was seen before.
  nudge(live);
  await untilNextLook(live);
}

export function deliveredNow({ terminals }: LiveTerminal, hasSign: boolean): Settled {
  return { state: 'delivered', at: terminals.ctx.clock.nowIso(), ...(hasSign ? {} : { silent: true }) };
}

/** Why tmux refuses a pane: mostly its program has just ended. That is told a moment later. */
async function hasEnded(live: LiveTerminal): Promise<boolean> {
  const { clock } = live.terminals.ctx;
  const deadline = clock.monotonicMs() + endToldMs;
  while (live.end === undefined && !live.isLeft && clock.monotonicMs() < deadline) await untilNextLook(live, againMs);
  return live.end !== undefined || live.isLeft;
}

/**
 * Writes down what came of a message, and tells it: all have been told when this resolves. Once: what comes later changes
 * nothing.
 */
export async function settle(live: LiveTerminal, message: OutgoingMessage, receipt: Settled): Promise<void> {
  const underWay = live.settling.get(message.id);
  if (underWay !== undefined) return underWay;
  if (live.ledger.messages.get(message.id)?.receipt.state !== 'queued') return;
  await settleOnce(live, message, receipt, async () => {
    try {
      await live.ledger.settle(message.id, receipt);
    } catch (error) {
      // The pane knows how far it came: after a restart that is looked at again.
      const { log } = live.terminals.ctx;
      log.error({ err: error, terminal: live.id, message: message.id }, 'a receipt could not be written');
    }
  });
}

/**
 * Takes back a message that waits. Nothing is in between: once it counts as failed the delivery passes over it, and once
 * it is being put in it stays.
 * @returns false for one that is settled, unknown, or being put in @throws where it cannot be written down: it waits on
 */
export async function withdrawWaiting(live: LiveTerminal, messageId: string): Promise<boolean> {
  const { ledger } = live;
  const kept = ledger.messages.get(messageId);
  if (kept?.receipt.state !== 'queued' || hasBegun(live, messageId)) return false;
  const receipt: Settled = { state: 'failed', why: withdrawnWhy };
  try {
    await settleOnce(live, kept.message, receipt, async () => ledger.withdraw(messageId, receipt));
  } finally {
    nudge(live);
  }
  return true;
}

/** Some of it may be in the program already. */
function hasBegun({ putting, step }: LiveTerminal, messageId: string): boolean {
  if (putting?.id === messageId) return true;
  return step !== undefined && step !== 'none' && step.key === keyOf(messageId);
}

async function settleOnce(
  live: LiveTerminal,
  message: OutgoingMessage,
  receipt: Settled,
  write: () => Promise<void>,
): Promise<void> {
  const told = writeAndTell(live, message, receipt, write);
  // Who waits for it to be told does not mind why it was not.
  const over = told.catch(() => undefined).finally(() => live.settling.delete(message.id));
  live.settling.set(message.id, over);
  await told;
}

async function writeAndTell(
  live: LiveTerminal,
  message: OutgoingMessage,
  receipt: Settled,
  write: () => Promise<void>,
): Promise<void> {
  await write();
  announce(live.terminals, ({ onReceipt }) => onReceipt?.({ terminal: live.id, message, receipt }));
  nudge(live);
}
