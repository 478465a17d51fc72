/** Words that were written and not sent. They outlive a reload, a closed window and a hall that is away. */
import { useState } from 'react';

const prefix = 'guild-hall.draft.';

/** Drafts that the browser has no room for: they live as long as the page. */
const withoutRoom = new Map<string, string>();

export function readDraft(key: string): string {
  return withoutRoom.get(key) ?? localStorage.getItem(prefix + key) ?? '';
}

export function writeDraft(key: string, text: string): void {
  withoutRoom.delete(key);
  if (text === '') return localStorage.removeItem(prefix + key);
  try {
    localStorage.setItem(prefix + key, text);
  } catch {
    // The browser's room is full. An older text must not come back instead of this one.
    localStorage.removeItem(prefix + key);
    withoutRoom.set(key, text);
  }
  return undefined;
}

/**
 * Text of a field that is kept under `key` until it is set to nothing. Another window of the same draft does not follow:
 * what somebody types there is taken away by nobody; of two texts the one that was typed last is kept.
 */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [held, setHeld] = useState(() => ({ key, text: readDraft(key) }));
  const text = held.key === key ? held.text : readDraft(key);
  return [
    text,
    (next) => {
      writeDraft(key, next);
      setHeld({ key, text: next });
    },
  ];
}
