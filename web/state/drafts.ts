/** Words that were written and not sent. They outlive a reload, a closed window and a hall that is away. */
import { useEffect, useState } from 'react';

const prefix = 'guild-hall.draft.';

export function readDraft(key: string): string {
  return localStorage.getItem(prefix + key) ?? '';
}

export function writeDraft(key: string, text: string): void {
  if (text === '') localStorage.removeItem(prefix + key);
  else localStorage.setItem(prefix + key, text);
}

/** Text of a field that is kept under `key` until it is set to nothing. Two windows of one draft follow each other. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const [held, setHeld] = useState(() => ({ key, text: readDraft(key) }));
  const text = held.key === key ? held.text : readDraft(key);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key === prefix + key) setHeld({ key, text: event.newValue ?? '' });
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, [key]);
  return [
    text,
    (next) => {
      writeDraft(key, next);
      setHeld({ key, text: next });
    },
  ];
}
