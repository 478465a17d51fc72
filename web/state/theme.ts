/** Light, dark, or as the system says. `public/theme.js` applies the choice before the first paint. */
import { useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const key = 'guild-hall.theme';

export function readTheme(): Theme {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function useTheme(): [theme: Theme, choose: (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  return [
    theme,
    (next) => {
      if (next === 'system') {
        localStorage.removeItem(key);
        delete document.documentElement.dataset['theme'];
      } else {
        localStorage.setItem(key, next);
        document.documentElement.dataset['theme'] = next;
      }
      setTheme(next);
    },
  ];
}
