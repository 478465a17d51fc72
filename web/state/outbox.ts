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
import { dropKept, type KeptMessage, type Outgoing, putKept, readKept, refuseKept } from './kept-messages.ts';
import { factsOf } from './session.ts';

export interface RefusedMessage extends Outgoing {
  readonly problem: ErrorFacts;
}

export interface Outbox {
  /** Sent, and not yet in the conversation. */
  readonly waiting: readonly Outgoing[];
  /** Their words are the person's again: each stays until it is sent again, or taken out. */
  readonly refused: readonly RefusedMessage[];
  readonly send: (text: string) => void;
  /** Sends a refused one again. @param allowSecrets what looks like a secret in it is meant */
  readonly sendAgain: (message: RefusedMessage, allowSecrets: boolean) => void;
  /** The person has its words elsewhere, or wants them no more. */
  readonly takeOut: (message: RefusedMessage) => void;
}

/** `m-` and twelve letters and digits. */
export function freshMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `m-${[...bytes].map((byte) => (byte % 36).toString(36)).join('')}`;
}

export function useOutbox(store: ConversationStore, project: string, id: string): Outbox {
  const client = useHall();
  const known = useKnownMessages(store);
  const { kept, put, refuse, drop } = useKept(`guild-hall.outbox.${project}/${id}`, known);
  const waiting = kept.filter(({ problem }) => problem === undefined);
  const transmit = async ({ text, messageId }: Outgoing, allowSecrets = false) => {
    const input = { project, id, message: text, messageId, ...(allowSecrets && { allowSecrets }) };
    try {
      await callHall(client, 'meeting.say', input, { isRepeatable: true });
    } catch (error) {
      refuse(messageId, factsOf(error));
    }
  };
  const send = (message: Outgoing, allowSecrets = false) => {
    put(message);
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
    refused: kept.filter(isRefused),
    send: (text) => send({ messageId: freshMessageId(), text, at: new Date().toISOString() }),
    sendAgain: send,
    takeOut: ({ messageId }) => drop([messageId]),
  };
}

export function isRefused(message: KeptMessage): message is RefusedMessage {
  return message.problem !== undefined;
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

/**
 * What is kept under `key`: a message until it is known to have arrived. Two windows of one conversation follow each other.
 * @param onArrived gets the ids of those that leave so
 */
export function useKept(
  key: string,
  known: ReadonlySet<string | undefined> | undefined,
  onArrived?: (messageIds: readonly string[]) => void,
) {
  const [messages, setMessages] = useState(() => readKept(localStorage, key));
  const arrived = messages.flatMap(({ messageId }) => (known?.has(messageId) === true ? [messageId] : []));
  const forget = useEffectEvent(() => {
    setMessages(dropKept(localStorage, key, arrived));
    onArrived?.(arrived);
  });
  const isAnyKnown = arrived.length > 0;
  useEffect(() => {
    if (isAnyKnown) forget();
  }, [isAnyKnown]);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === key) setMessages(readKept(localStorage, key));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [key]);
  return {
    kept: messages.filter(({ messageId }) => !arrived.includes(messageId)),
    put: (message: Outgoing) => setMessages(putKept(localStorage, key, message)),
    refuse: (messageId: string, problem: ErrorFacts) => setMessages(refuseKept(localStorage, key, messageId, problem)),
    drop: (messageIds: readonly string[]) => setMessages(dropKept(localStorage, key, messageIds)),
  };
}

const idOf = ({ messageId }: Pick<Outgoing, 'messageId'>) => messageId;
