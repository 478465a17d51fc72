/** Light, dark, or as the system says. `public/theme.js` applies the choice before the first paint. */
import { useSyncExternalStore } from 'react';
import { keep, readKept } from './kept.ts';

export type Theme = 'system' | 'light' | 'dark';

const key = 'guild-hall.theme';
const listeners = new Set<() => void>();

export function readTheme(): Theme {
  const kept = readKept(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  keep(key, theme === 'system' ? null : theme);
  show();
}

function show(): void {
  const theme = readTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  for (const listener of listeners) listener();
}

// The choice in one window counts in all.
addEventListener('storage', (event) => {
  if (event.key === key) show();
});

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, readTheme);
}
