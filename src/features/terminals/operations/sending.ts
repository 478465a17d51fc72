/** Words into a terminal: once, or as the beginning of a conversation. */
import type { Caller } from '../../../kernel/operations/operations.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import type { Receipt, TerminalId } from '../../../kernel/terminals/contract.ts';
import { deliver, settledReceipt, type Terminals } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import type { TerminalSent } from '../contract.ts';
import { isShell, whyWaiting } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';
import { headingOf, originOf, requireLiving, terminalOfCaller } from './asking.ts';

/** How long whoever sends waits to hear what became of it; a busy program takes it later. Milliseconds. */
const patienceMs = 5_000;

interface Words {
  readonly message: string;
  readonly direct: boolean;
}

/** @throws HallError */
export async function sendTo(
  ctx: TerminalsFeatureContext,
  caller: Caller,
  target: TerminalRecord,
  { message, direct }: Words,
): Promise<TerminalSent> {
  const { id, name } = requireLiving(target);
  if (caller.kind === 'agent' && isShell(target)) {
    const message = `"${name}" is a shell: what is said there is run as commands.`;
    throw fail('forbidden', message, 'Ask the person to do it, or name a terminal with an agent in it.');
  }
  const own = terminalOfCaller(ctx, caller);
  if (own?.id === id) {
    throw fail('invalid', 'A terminal does not send messages to itself.', 'Name another: guild-hall terminal list');
  }
  if (direct) {
    const { id: from } = requireTalker(own);
    const opened = await ctx.conversing.openDirect({ from, to: id, message });
    const waitsFor = waitsForOf(ctx, target, opened.receipt);
    return { id, name, message: opened.message, receipt: opened.receipt, waitsFor, conversation: opened.id };
  }
  const sent = await say(ctx, caller, id, message);
  const open = await ctx.terminals.open();
  const receipt = sent.receipt.state === 'queued' ? await heardOf(ctx, open, id, sent) : sent.receipt;
  return { id, name, message: sent.message, receipt, waitsFor: waitsForOf(ctx, target, receipt), conversation: null };
}

function waitsForOf({ desk }: TerminalsFeatureContext, target: TerminalRecord, receipt: Receipt): string | null {
  const status = desk.live.get(target.id)?.status;
  if (receipt.state !== 'queued' || status === undefined) return null;
  return whyWaiting(target, status);
}

/** Puts it into the queue. */
export async function say(
  ctx: TerminalsFeatureContext,
  caller: Caller,
  id: TerminalId,
  message: string,
): Promise<{ readonly message: string; readonly receipt: Receipt }> {
  const open = await ctx.terminals.open();
  const text = `${headingOf(caller, terminalOfCaller(ctx, caller))}${message}`;
  const given = { id: `said-${ctx.ids.random(16)}`, origin: originOf(caller), text };
  return { message: given.id, receipt: await deliver(open, id, given) };
}

async function heardOf(
  { clock }: TerminalsFeatureContext,
  open: Terminals,
  id: TerminalId,
  { message, receipt }: { readonly message: string; readonly receipt: Receipt },
): Promise<Receipt> {
  const enough = new AbortController();
  const late = clock.sleep(patienceMs, enough.signal).then(
    () => receipt,
    () => receipt,
  );
  try {
    return await Promise.race([settledReceipt(open, id, message), late]);
  } finally {
    enough.abort();
  }
}

/** The caller's own terminal, which is to talk with another one. @throws `invalid` for who has none */
export function requireTalker(own: TerminalRecord | undefined): TerminalRecord {
  if (own !== undefined) return own;
  throw fail(
    'invalid',
    'A conversation is between two terminals, and who asks for it is in none.',
    'Let two of them talk: guild-hall conversation start <A> <B>',
  );
}

/** @throws `conflict` for one that talks with another */
export function requireFree({ conversing }: TerminalsFeatureContext, { id, name }: TerminalRecord): void {
  const taken = conversing.of(id);
  if (taken === null) return;
  throw fail(
    'conflict',
    `"${name}" takes part in another conversation: ${taken}.`,
    `End that one first: guild-hall conversation end ${taken}`,
    { id: taken },
  );
}
