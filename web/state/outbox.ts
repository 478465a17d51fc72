/**
 * Messages on their way. Each has an id of its own before it is sent, so that it can be sent again (after a lost
 * connection, after a reload) and is taken once. They leave when the conversation has them.
 */
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { inBackground } from './background.ts';
import type { ConversationStore } from './conversation-store.ts';
import { useShown } from './conversation.ts';
import { callHall, useHall } from './hall.tsx';
import { factsOf } from './session.ts';

export interface Outgoing {
  readonly messageId: string;
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface Outbox {
  /** Sent, and not yet in the conversation. */
  readonly waiting: readonly Outgoing[];
  /** The last one that was refused: its words are the caller's again. */
  readonly refused: { readonly message: Outgoing; readonly problem: ErrorFacts } | undefined;
  readonly send: (text: string) => void;
  /** Sends the refused one again: what looks like a secret in it is meant. */
  readonly allowRefused: () => void;
  readonly forgetRefused: () => void;
}

/** `m-` and twelve letters and digits. */
export function freshMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `m-${[...bytes].map((byte) => (byte % 36).toString(36)).join('')}`;
}

export function useOutbox(store: ConversationStore, project: string, id: string): Outbox {
  const client = useHall();
  const known = useKnownMessages(store);
  const { waiting, put, drop } = useKept(`guild-hall.outbox.${project}/${id}`, known);
  const [refused, setRefused] = useState<Outbox['refused']>();
  const transmit = async (message: Outgoing, allowSecrets = false) => {
    const { text, messageId } = message;
    const input = { project, id, message: text, messageId, ...(allowSecrets && { allowSecrets }) };
    try {
      await callHall(client, 'meeting.say', input, { isRepeatable: true });
    } catch (error) {
      setRefused({ message, problem: factsOf(error) });
      drop(message);
    }
  };
  const send = (message: Outgoing, allowSecrets = false) => {
    put(message);
    setRefused(undefined);
    inBackground(transmit(message, allowSecrets));
  };
  const resume = useEffectEvent(() => {
    // What an earlier visit of this page sent and did not see arrive.
    for (const message of waiting) inBackground(transmit(message));
  });
  const isRead = known !== undefined;
  useEffect(() => {
    if (isRead) resume();
  }, [isRead]);
  return {
    waiting,
    refused,
    send: (text) => send({ messageId: freshMessageId(), text, at: new Date().toISOString() }),
    allowRefused: () => refused && send(refused.message, true),
    forgetRefused: () => setRefused(undefined),
  };
}

/** Ids of the messages that the conversation has; undefined before it is read. */
function useKnownMessages(store: ConversationStore): ReadonlySet<string | undefined> | undefined {
  const turns = useShown(store, ({ conversation }) => conversation?.turns);
  const running = useShown(store, ({ conversation }) => conversation?.running?.messageId);
  const queue = useShown(store, ({ conversation }) => conversation?.queue);
  return useMemo(
    () => turns && new Set([running, ...(queue ?? []).map(idOf), ...turns.map(({ question }) => question?.messageId)]),
    [turns, running, queue],
  );
}

/** What is under way, kept under `key` until it is known to have arrived. */
function useKept(key: string, known: ReadonlySet<string | undefined> | undefined) {
  const [sent, setSent] = useState(() => readOutgoing(key));
  const waiting = sent.filter(({ messageId }) => known?.has(messageId) !== true);
  const isAnyKnown = waiting.length < sent.length;
  const forget = useEffectEvent(() => setSent(writeOutgoing(key, waiting)));
  useEffect(() => {
    if (isAnyKnown) forget();
  }, [isAnyKnown]);
  return {
    waiting,
    put: (message: Outgoing) => setSent(writeOutgoing(key, [...readOutgoing(key), message])),
    drop: ({ messageId }: Outgoing) =>
      setSent(
        writeOutgoing(
          key,
          readOutgoing(key).filter((each) => each.messageId !== messageId),
        ),
      ),
  };
}

const idOf = ({ messageId }: Pick<Outgoing, 'messageId'>) => messageId;

function writeOutgoing(key: string, messages: readonly Outgoing[]): readonly Outgoing[] {
  if (messages.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(messages));
  return messages;
}

/** Tolerant of whatever lies under the key. */
function readOutgoing(key: string): readonly Outgoing[] {
  try {
    const messages: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(messages) ? messages.filter(isOutgoing) : [];
  } catch {
    return [];
  }
}

function isOutgoing(value: unknown): value is Outgoing {
  const message = value as Partial<Record<keyof Outgoing, unknown>> | null;
  return ['messageId', 'text', 'at'].every((field) => typeof message?.[field as keyof Outgoing] === 'string');
}
