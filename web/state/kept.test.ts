import { beforeEach, expect, test, vi } from 'vitest';
import { keep, readKept } from './kept.ts';

/** A browser's storage with room for so many characters; null: it refuses everything. */
function useStorage(room: number | null): Map<string, string> {
  const stored = new Map<string, string>();
  const guard = (): void => {
    if (room === null) throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (guard(), stored.get(key) ?? null),
    removeItem: (key: string) => (guard(), stored.delete(key)),
    setItem: (key: string, text: string) => {
      guard();
      if (text.length > room!) throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, text);
    },
  });
  return stored;
}

beforeEach(() => () => vi.unstubAllGlobals());

test('what is kept is read again, and forgotten', () => {
  const stored = useStorage(100);
  keep('a', 'one');
  expect(stored.get('a')).toBe('one');
  expect(readKept('a')).toBe('one');
  keep('a', null);
  expect(readKept('a')).toBeNull();
});

test('without room the text lives as long as the page, and the older one does not come back', () => {
  const stored = useStorage(5);
  keep('b', 'old');
  keep('b', 'much longer');
  expect(readKept('b')).toBe('much longer');
  expect(stored.has('b')).toBe(false);
  keep('b', 'new');
  expect(readKept('b')).toBe('new');
  expect(stored.get('b')).toBe('new');
});

test('a browser that keeps nothing keeps the page alive', () => {
  useStorage(null);
  expect(readKept('c')).toBeNull();
  keep('c', 'text');
  expect(readKept('c')).toBe('text');
  keep('c', null);
  expect(readKept('c')).toBeNull();
});
