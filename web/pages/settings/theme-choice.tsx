/** Light, dark, or as the system says: for this browser alone. */
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, type Theme, useTheme } from '../../state/theme.ts';

const choices: readonly { readonly theme: Theme; readonly label: string; readonly icon: LucideIcon }[] = [
  { theme: 'system', label: 'As the system', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
];

export function ThemeChoice() {
  const chosen = useTheme();
  return (
    <fieldset className="flex flex-wrap gap-1 self-start rounded-lg bg-sunk p-1">
      <legend className="sr-only">Theme</legend>
      {choices.map(({ theme, label, icon: Icon }) => (
        <label
          key={theme}
          className="flex h-8 cursor-pointer items-center gap-2 rounded-md border border-transparent px-3 text-13 text-soft transition-colors duration-120 hover:text-ink has-checked:border-line has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ember"
        >
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
            className="sr-only"
          />
          <Icon aria-hidden size={15} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
