/** A filter over a list: words, and what else it can be told by. */
import type { ReactNode, Ref } from 'react';

const frame = 'h-8 min-w-0 rounded-md border border-line-strong bg-raised px-2.5 text-13 text-ink max-phone:h-10';

export interface FilterBarProps {
  /** What it filters: `Filter the commissions`. */
  readonly label: string;
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly field?: Ref<HTMLInputElement>;
  readonly children?: ReactNode;
}

export function FilterBar({ label, words, onWords, field, children }: FilterBarProps) {
  return (
    <div role="search" aria-label={label} className="flex flex-wrap items-center gap-2">
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder="Filter"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // The browser would empty the field, and with it the filter.
          event.preventDefault();
          event.currentTarget.blur();
        }}
        className={`${frame} w-48 placeholder:text-faint max-phone:w-full`}
      />
      {children}
    </div>
  );
}

export interface FilterChoiceProps {
  readonly label: string;
  /** Empty: all. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The first is `all`, with an empty value. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function FilterChoice({ label, value, onChange, options }: FilterChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`${frame} max-phone:flex-1`}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
