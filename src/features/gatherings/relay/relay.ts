/**
 * The relay: what one member says reaches all others, once, in order, whoever else cannot be reached. It knows nothing of
 * turns: whose words go on is asked of whoever owns it. All calls of one relay are made in its lock (`inRelay`).
 */
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import type { LocksContext } from '../../../kernel/locks/locks.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import type { Member, Receipt } from '../contract/words.ts';
import type { KeptMessage } from '../rules/conversation.ts';
import { attributed, cutWords, withRest } from '../rules/words.ts';
import { keepMessage, type MessageLog, type NewMessage, noteReceipt, writeReceipts } from './message-log.ts';
import { putRest } from './rest.ts';
import type { TerminalsOf } from './terminals-of.ts';

export type RelayContext = ClockContext &
  LogContext &
  LocksContext &
  BackgroundContext & { readonly terminalsOf: TerminalsOf };

/** A terminal, or the person: what goes to them is there when it is kept, for their channel is what shows it. */
export type RelayMember = Pick<Member, 'name' | 'number'> & { readonly terminal: TerminalId | null };

export interface Relay {
  /** Unique: of its lock. */
  readonly key: string;
  readonly members: readonly RelayMember[];
  readonly log: MessageLog;
  /** Told of every receipt, once each. */
  readonly onReceipt: (message: KeptMessage, to: number, receipt: Receipt) => void;
  /** By number: what is not handed over yet, in order. */
  readonly waiting: Map<number, KeptMessage[]>;
  /** A hand-over that could not be done is tried again. */
  isTryingAgain: boolean;
}

/** A hand-over that failed is tried again after. Milliseconds. */
const againMs = 2_000;

export function createRelay(given: Pick<Relay, 'key' | 'members' | 'log' | 'onReceipt'>): Relay {
  const relay: Relay = { ...given, waiting: new Map(), isTryingAgain: false };
  for (const message of given.log.messages.values()) if (message.fate === 'sent') awaitHandOver(relay, message);
  return relay;
}

export async function inRelay<T>(ctx: LocksContext, relay: Pick<Relay, 'key'>, work: () => Promise<T>): Promise<T> {
  return ctx.locks.with(`relay:${relay.key}`, work);
}

/** Keeps a message; it is handed over with the next `handOver`. Given twice it is kept once. */
export async function keep(relay: Relay, message: NewMessage): Promise<KeptMessage> {
  const isNew = !relay.log.messages.has(message.id);
  faultPoint('relay:before:keep');
  const kept = await keepMessage(relay.log, message);
  faultPoint('relay:after:keep');
  if (isNew && kept.fate === 'sent') awaitHandOver(relay, kept);
  return kept;
}

/** It goes on with the next `handOver`. */
export function awaitHandOver(relay: Relay, message: KeptMessage): void {
  for (const to of message.to) {
    const receipt = message.receipts.find((each) => each.to === to)?.receipt;
    if (receipt !== undefined && receipt.state !== 'queued') continue;
    relay.waiting.set(to, [...(relay.waiting.get(to) ?? []), message]);
  }
}

/** What waits is not handed over any more, but for what `goes`. */
export function dropWaiting(relay: Relay, goes: (message: KeptMessage) => boolean): void {
  for (const [to, messages] of relay.waiting) relay.waiting.set(to, messages.filter(goes));
}

/** Gives what waits to the terminals: to each in order, to all at the same time. Durable there when it resolves. */
export async function handOver(ctx: RelayContext, relay: Relay): Promise<void> {
  await Promise.all(relay.members.map(async (member) => handTo(ctx, relay, member)));
}

async function handTo(ctx: RelayContext, relay: Relay, member: RelayMember): Promise<void> {
  const waiting = relay.waiting.get(member.number) ?? [];
  for (let message = waiting[0]; message !== undefined; message = waiting[0]) {
    try {
      faultPoint('relay:before:hand-over');
      noteAndTell(ctx, relay, message.id, member.number, await handOne(ctx, relay, member, message));
      faultPoint('relay:after:hand-over');
    } catch (error) {
      // What comes later must not come first: this one is tried again before it.
      ctx.log.warn({ err: error, relay: relay.key, message: message.id }, 'words could not be handed over yet');
      tryAgain(ctx, relay);
      return;
    }
    waiting.shift();
  }
}

async function handOne(
  ctx: RelayContext,
  relay: Relay,
  { terminal }: RelayMember,
  message: KeptMessage,
): Promise<Receipt> {
  const { terminalsOf } = ctx;
  if (terminal === null) return { state: 'delivered', at: ctx.clock.nowIso() };
  const facts = terminalsOf.find(terminal);
  if (facts === undefined) return { state: 'failed', why: 'The terminal is gone.' };
  const cut = cutWords(message.text);
  const restPath = await putRest(ctx, facts.restFolder, message.id, cut.rest);
  const words = withRest(cut, restPath);
  const speaker = relay.members.find(({ number }) => number === message.from);
  const text = speaker === undefined ? words : attributed(speaker, words);
  const origin = speaker === undefined ? String(message.from) : (speaker.terminal ?? 'person');
  try {
    return await terminalsOf.deliver(terminal, { id: message.id, origin, text });
  } catch (error) {
    const { code, message: why } = errorFactsOf(error);
    if (code === 'not_found' || code === 'invalid' || code === 'too_large') return { state: 'failed', why };
    throw error;
  }
}

function tryAgain(ctx: RelayContext, relay: Relay): void {
  if (relay.isTryingAgain) return;
  relay.isTryingAgain = true;
  ctx.spawn(`hand words over again: ${relay.key}`, async (signal) => {
    await ctx.clock.sleep(againMs, signal);
    relay.isTryingAgain = false;
    await inRelay(ctx, relay, async () => handOver(ctx, relay));
  });
}

/**
 * What of these messages has not begun to go into a terminal does not go any more. One that has, goes.
 * @param ids of messages of this relay; others are left as they are
 */
export async function takeBack(ctx: RelayContext, relay: Relay, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const isMeant = ({ id }: KeptMessage): boolean => ids.includes(id);
  const held = [...relay.waiting].flatMap(([to, messages]) => messages.filter(isMeant).map(({ id }) => ({ to, id })));
  dropWaiting(relay, (message) => !isMeant(message));
  for (const { to, id } of held) noteAndTell(ctx, relay, id, to, { state: 'failed', why: 'It was taken back.' });
  await Promise.all(ids.map(async (id) => takeBackOne(ctx, relay, id)));
}

async function takeBackOne(ctx: RelayContext, relay: Relay, id: string): Promise<void> {
  const { to = [], receipts = [] } = relay.log.messages.get(id) ?? {};
  const isOpen = (number: number): boolean =>
    receipts.find((each) => each.to === number)?.receipt.state !== 'delivered';
  for (const { terminal } of relay.members.filter(({ number }) => to.includes(number) && isOpen(number))) {
    if (terminal === null || ctx.terminalsOf.find(terminal)?.isAlive !== true) continue;
    await ctx.terminalsOf.withdraw(terminal, id);
  }
}

/** Takes what a terminal tells of a message. Unknown messages are somebody else's. */
export function takeReceipt(
  ctx: RelayContext,
  relay: Relay,
  told: { readonly terminal: TerminalId; readonly id: string; readonly receipt: Receipt },
): void {
  const member = relay.members.find(({ terminal }) => terminal === told.terminal);
  if (member !== undefined) noteAndTell(ctx, relay, told.id, member.number, told.receipt);
}

function noteAndTell(ctx: RelayContext, relay: Relay, id: string, to: number, receipt: Receipt): void {
  if (!noteReceipt(relay.log, id, to, receipt)) return;
  if (relay.log.unwritten.length === 1)
    ctx.spawn(`receipts of ${relay.key}`, async () => inRelay(ctx, relay, async () => writeReceipts(relay.log)));
  relay.onReceipt(relay.log.messages.get(id)!, to, receipt);
}
