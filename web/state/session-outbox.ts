/**
 * What is said to an agent, on its way. Each message has an id of its own before it is sent, so that it can be sent again
 * (after a lost connection, after a reload) and is taken once. It leaves when the session has it. Images travel with it.
 */
import { useEffect, useEffectEvent, useMemo } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { type SessionStore, useShownSession } from './agent-session.ts';
import { inBackground } from './background.ts';
import { callHall, useHall } from './hall.tsx';
import { keepImages, type KeptImage, readImages } from './kept-images.ts';
import type { Outgoing } from './kept-messages.ts';
import { freshMessageId, isRefused, type RefusedMessage, useKept } from './outbox.ts';
import { factsOf } from './session.ts';

export interface SessionOutbox {
  /** Sent, and not yet in the session. */
  readonly waiting: readonly Outgoing[];
  /** Their words are the person's again: each stays until it is sent again, or taken out. */
  readonly refused: readonly RefusedMessage[];
  readonly send: (text: string, images: readonly KeptImage[]) => void;
  /** @param allowSecrets what looks like a secret in it is meant */
  readonly sendAgain: (message: RefusedMessage, allowSecrets: boolean) => void;
  readonly takeOut: (message: RefusedMessage) => void;
  /** Takes it out. @param onImages gets its images; only when it has them they are forgotten here */
  readonly takeBack: (message: RefusedMessage, onImages: (images: readonly KeptImage[]) => void) => void;
}

/** The hall has it; its event is here by then, or came before what is shown. Milliseconds. */
const settledMs = 3000;

const imagesLost: ErrorFacts = {
  code: 'not_found',
  message: 'The images of this message are not in this browser any more, so it was not sent.',
  hint: 'Take the words back, and add the images again.',
};

export function useSessionOutbox(store: SessionStore, project: string, id: string): SessionOutbox {
  const client = useHall();
  const known = useKnownPrompts(store);
  const shelf = shelfOf(`prompts.${project}/${id}`);
  const { kept, put, refuse, drop } = useKept(`guild-hall.prompts.${project}/${id}`, known, shelf.forget);
  const waiting = kept.filter(({ problem }) => problem === undefined);
  const forget = (messageId: string) => {
    drop([messageId]);
    shelf.forget([messageId]);
  };
  const transmit = async ({ messageId, text, images: count = 0 }: Outgoing, allowSecrets = false) => {
    try {
      const images = await shelf.read(messageId);
      if (images.length < count) return refuse(messageId, imagesLost);
      const said = { text, promptId: messageId, images: await dataOf(images), ...(allowSecrets && { allowSecrets }) };
      await callHall(client, 'session.say', { project, id, ...said }, { isRepeatable: true });
      setTimeout(() => forget(messageId), settledMs);
    } catch (error) {
      refuse(messageId, factsOf(error));
    }
  };
  const begin = async (message: Outgoing, images: readonly KeptImage[]) => {
    put(message);
    await shelf.keep(message.messageId, images);
    await transmit(message);
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
    send: (text, images) => inBackground(begin(freshMessage(text, images.length), images)),
    sendAgain: (message, allowSecrets) => {
      put(message);
      inBackground(transmit(message, allowSecrets));
    },
    takeOut: ({ messageId }) => forget(messageId),
    takeBack: ({ messageId }, onImages) => {
      // At once, so that what is pressed twice comes back once.
      drop([messageId]);
      inBackground(shelf.handBack(messageId, onImages));
    },
  };
}

function freshMessage(text: string, images: number): Outgoing {
  return { messageId: freshMessageId(), text, at: new Date().toISOString(), images };
}

/** Where images lie that go with messages of one session. */
function shelfOf(name: string) {
  const read = async (messageId: string) => await readImages(`${name}/${messageId}`);
  const keep = async (messageId: string, images: readonly KeptImage[]) =>
    await keepImages(`${name}/${messageId}`, images);
  const forget = (messageIds: readonly string[]) => {
    for (const messageId of messageIds) inBackground(keep(messageId, []));
  };
  const handBack = async (messageId: string, onImages: (images: readonly KeptImage[]) => void) => {
    onImages(await read(messageId));
    forget([messageId]);
  };
  return { read, keep, forget, handBack };
}

/** Ids of the prompts that the session has; undefined before it is read. */
function useKnownPrompts(store: SessionStore): ReadonlySet<string | undefined> | undefined {
  const messages = useShownSession(store, ({ view }) => view?.session.messages);
  return useMemo(
    () => messages && new Set(messages.flatMap((message) => (message.role === 'person' ? [message.promptId] : []))),
    [messages],
  );
}

async function dataOf(images: readonly KeptImage[]): Promise<{ readonly data: string }[]> {
  return await Promise.all(images.map(async ({ blob }) => ({ data: await base64Of(blob) })));
}

export async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
