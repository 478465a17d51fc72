/** What becomes of a conversation: open → paused → open …, and ended. Pure. */
import { type Decision, refuse } from '../../../kernel/pure/errors.ts';
import type { TerminalStatus } from '../../../kernel/terminals/contract.ts';
import type { Conversation, EndReason, Message, PauseReason } from '../contract.ts';
import { goesRound } from './loop.ts';

/** With what a member said by itself, by which loops are seen. */
export type KeptMessage = Message & { readonly own: string };

/** Said by members, sent to others, since turns are counted. */
function counted<Any extends Message>({ countedFrom }: Conversation, messages: readonly Any[]): Any[] {
  return messages.filter(
    ({ number, kind, from, fate }) =>
      number >= countedFrom && (kind === 'words' || kind === 'opening') && typeof from === 'number' && fate === 'sent',
  );
}

/** Turns of each member, in their order. */
export function usedTurns(conversation: Conversation, messages: readonly Message[]): number[] {
  const all = counted(conversation, messages);
  return conversation.members.map(({ number }) => all.filter(({ from }) => from === number).length);
}

/**
 * Asked after every message. Each has had its turns: or one of them twice as many, whose words nobody answers.
 * @returns why to pause; undefined to go on
 */
export function decidePause(conversation: Conversation, messages: readonly KeptMessage[]): PauseReason | undefined {
  if (conversation.state !== 'open') return undefined;
  const { turns } = conversation;
  const used = usedTurns(conversation, messages);
  if (Math.min(...used) >= turns || Math.max(...used) >= turns * 2) return 'budget';
  const said = counted(conversation, messages).map(({ from, own, text }) => ({
    from: from as number,
    words: own.trim() === '' ? text : own,
  }));
  return goesRound(said) ? 'loop' : undefined;
}

/** What becomes of words that a member says now. */
export function fateOf(conversation: Conversation, messages: readonly KeptMessage[], number: number): Message['fate'] {
  if (answersPause(messages, number)) return 'aside';
  return conversation.state === 'paused' ? 'held' : 'sent';
}

/**
 * The first words after the hall's line about a pause are an answer to that line. Sent on, they would make a second
 * thread beside the one that was paused.
 */
function answersPause(messages: readonly KeptMessage[], number: number): boolean {
  let reached = '';
  let last: KeptMessage | undefined;
  for (const message of messages) {
    const receipt = message.receipts.find(({ to }) => to === number)?.receipt;
    if (receipt?.state !== 'delivered' || receipt.at < reached) continue;
    reached = receipt.at;
    last = message;
  }
  if (last?.kind !== 'paused') return false;
  const { number: notice } = last;
  return !messages.some((message) => message.from === number && message.number > notice && message.at >= reached);
}

/** `dialog` is none: somebody is asked already, and may take their time. */
export function isIdle(status: TerminalStatus): boolean {
  return status === 'idle' || status === 'ended';
}

export function paused(conversation: Conversation, why: PauseReason, at: string): Conversation {
  return { ...conversation, state: 'paused', pauses: conversation.pauses + 1, pause: { why, at } };
}

/** @param held number of the first message that waits, @param next number of the next one */
export function decideExtend(
  conversation: Conversation,
  turns: number,
  { held, next }: { readonly held: number | undefined; readonly next: number },
): Decision<Conversation> {
  const { state, id } = conversation;
  if (state === 'ended') return refusedAsEnded(id, 'Begin another one: guild-hall conversation start <A> <B>');
  // One that goes on anyway gets the turns on top of those that it has.
  if (state === 'open') return changed({ ...conversation, turns: conversation.turns + turns });
  return changed({ ...conversation, state: 'open', pause: null, turns, countedFrom: held ?? next });
}

export function decideEnd(conversation: Conversation, reason: EndReason, at: string): Decision<Conversation> {
  if (conversation.state === 'ended')
    return refusedAsEnded(conversation.id, `See it: guild-hall conversation show ${conversation.id}`);
  return changed({ ...conversation, state: 'ended', pause: null, end: { reason, at } });
}

function refusedAsEnded(id: string, hint: string): Decision<Conversation> {
  return refuse('conflict', `The conversation ${id} has ended.`, hint);
}

function changed(next: Conversation): Decision<Conversation> {
  return { ok: true, next, events: [], todo: [] };
}

/** Whose turn it is when a conversation goes on and no words wait: whoever did not speak last. */
export function nextToSpeak({ members }: Conversation, messages: readonly KeptMessage[]): number {
  const last = messages.findLast(({ from }) => typeof from === 'number')?.from;
  const numbers = members.map(({ number }) => number);
  return numbers.find((number) => typeof last === 'number' && number > last) ?? numbers[0]!;
}

/** Days that an ended one is kept. */
const keptDays = 30;

export function isOld({ end }: { readonly end: { readonly at: string } | null }, nowMs: number): boolean {
  return end !== null && nowMs - Date.parse(end.at) > keptDays * 24 * 60 * 60 * 1000;
}
