/** Words that were written and not sent. They outlive a reload, a closed window and a hall that is away. */
import { useRef, useState } from 'react';
import { keep, readKept } from './kept.ts';

const prefix = 'guild-hall.draft.';

export function readDraft(key: string): string {
  return readKept(prefix + key) ?? '';
}

export function writeDraft(key: string, text: string): void {
  keep(prefix + key, text === '' ? null : text);
}

/** @param next the text, or what makes it of the one that stands there at that moment, whatever came since it was drawn */
export type SetDraft = (next: string | ((now: string) => string)) => void;

/**
 * Text of a field that is kept under `key` until it is set to nothing. Another window of the same draft does not follow:
 * what somebody types there is taken away by nobody; of two texts the one that was typed last is kept.
 */
export function useDraft(key: string): [text: string, setText: SetDraft] {
  const [held, setHeld] = useState(() => ({ key, text: readDraft(key) }));
  const text = held.key === key ? held.text : readDraft(key);
  const latest = useRef(held);
  return [
    text,
    (next) => {
      const now = latest.current.key === key ? latest.current.text : readDraft(key);
      const changed = typeof next === 'string' ? next : next(now);
      latest.current = { key, text: changed };
      writeDraft(key, changed);
      setHeld(latest.current);
    },
  ];
}
