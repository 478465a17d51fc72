/** Which message is in a program while nobody has been told so, and what was delivered before. */
import type { OutgoingMessage } from '../contract.ts';
import type { LiveTerminal, Putting } from '../live.ts';
import { showsSign, wasTaken } from './evidence.ts';
import { deliveredNow, firstWaiting, settle } from './queue.ts';
import { keyOf } from './steps.ts';

interface Underway extends Putting {
  readonly message: OutgoingMessage;
}

/** The message that is being put in and is not settled. */
function underwayIn(live: LiveTerminal): Underway | undefined {
  const message = firstWaiting(live);
  const { putting, step } = live;
  if (message === undefined) return undefined;
  if (putting?.id === message.id) return { ...putting, message };
  if (step === undefined || step === 'none' || step.key !== keyOf(message.id)) return undefined;
  // An earlier hall put it in.
  const stage = step.did === 'entered' ? 'entered' : 'pasting';
  return { id: message.id, stage, before: undefined, message };
}

/**
 * Before a screen is listened to: what the program took by then is told as delivered.
 * @returns false while it cannot be known whether what stands there answers a message
 */
export async function settleByScreen(live: LiveTerminal): Promise<boolean> {
  const underway = underwayIn(live);
  if (underway === undefined || underway.stage === 'pasting') return true;
  const hasEnded = live.end !== undefined;
  if (underway.stage === 'entering') return hasEnded;
  const { message, before } = underway;
  if (!wasTaken(live.kind.manner, live.shown, message.text, before)) return hasEnded;
  await settle(live, message, deliveredNow(live, showsSign(live.kind.manner, live.shown, before)));
  return true;
}

/**
 * Before a program's words are told: they answer what was entered, also where nothing told that it was taken.
 * @param endsTurn they end a turn that was told of, or one that may have begun in an earlier hall's time
 */
export async function settleByAnswer(live: LiveTerminal, endsTurn: boolean): Promise<void> {
  const underway = underwayIn(live);
  if (underway === undefined || underway.stage === 'pasting') return;
  // Words of an earlier turn, told late: what was entered will be told of by itself.
  if (endsTurn && live.kind.manner.hasReceipts) return;
  await settle(live, underway.message, { state: 'delivered', at: live.terminals.ctx.clock.nowIso() });
}

/** Resolves when everybody knows of what has been settled up to now. */
export async function receiptsTold({ settling }: LiveTerminal): Promise<void> {
  await Promise.all(settling.values());
}

/** Id of the message that was delivered last; null where none is known. */
export function newestDelivered({ ledger }: LiveTerminal): string | null {
  let newest: string | null = null;
  for (const [id, { receipt }] of ledger.messages) if (receipt.state === 'delivered') newest = id;
  return newest;
}
