/**
 * Messages of a conversation that the hall does not have yet, kept in the browser so that a reload loses none: those on their
 * way, and those that were refused, with the reason, until the person decides about each. No React here.
 */
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';

export interface Outgoing {
  readonly messageId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** How many images go with it; they are kept apart (`kept-images.ts`). */
  readonly images?: number;
}

export interface KeptMessage extends Outgoing {
  /** Why it was refused; undefined while it is on its way. */
  readonly problem?: ErrorFacts;
}

/** What of `localStorage` is needed. */
export type MessageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What the browser has no room for: it lives as long as the page. */
const withoutRoom = new Map<string, readonly KeptMessage[]>();

/** Tolerant of whatever lies under the key. */
export function readKept(storage: MessageStorage, key: string): readonly KeptMessage[] {
  const held = withoutRoom.get(key);
  if (held !== undefined) return held;
  try {
    const messages: unknown = JSON.parse(storage.getItem(key) ?? '[]');
    return Array.isArray(messages) ? messages.filter(isKept) : [];
  } catch {
    return [];
  }
}

/** Puts it behind the others; one with its id leaves, as does its refusal. */
export function putKept(storage: MessageStorage, key: string, message: Outgoing): readonly KeptMessage[] {
  const { messageId, text, at, images } = message;
  const kept = { messageId, text, at, ...(images !== undefined && images > 0 && { images }) };
  return writeKept(storage, key, [...withoutIds(readKept(storage, key), [messageId]), kept]);
}

/** Marks it as refused, where it stands. One that is not there any more stays away. */
export function refuseKept(
  storage: MessageStorage,
  key: string,
  messageId: string,
  problem: ErrorFacts,
): readonly KeptMessage[] {
  const messages = readKept(storage, key);
  return writeKept(
    storage,
    key,
    messages.map((message) => (message.messageId === messageId ? { ...message, problem } : message)),
  );
}

/** Those that have arrived, were taken back or thrown away. */
export function dropKept(storage: MessageStorage, key: string, messageIds: readonly string[]): readonly KeptMessage[] {
  return writeKept(storage, key, withoutIds(readKept(storage, key), messageIds));
}

function withoutIds(messages: readonly KeptMessage[], ids: readonly string[]): readonly KeptMessage[] {
  return messages.filter(({ messageId }) => !ids.includes(messageId));
}

function writeKept(storage: MessageStorage, key: string, messages: readonly KeptMessage[]): readonly KeptMessage[] {
  withoutRoom.delete(key);
  try {
    if (messages.length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(messages));
  } catch {
    // The browser's room is full: what is said must not be lost for it.
    withoutRoom.set(key, messages);
  }
  return messages;
}

function isKept(value: unknown): value is KeptMessage {
  const message = value as Partial<Record<keyof KeptMessage, unknown>> | null;
  const isWhole = (['messageId', 'text', 'at'] as const).every((field) => typeof message?.[field] === 'string');
  return isWhole && (message?.problem === undefined || isProblem(message.problem));
}

function isProblem(value: unknown): boolean {
  const problem = value as Partial<Record<keyof ErrorFacts, unknown>> | null;
  return (['code', 'message', 'hint'] as const).every((field) => typeof problem?.[field] === 'string');
}
