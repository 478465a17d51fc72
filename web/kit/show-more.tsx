/** Under a list: the next ones of it. The focus goes to the first of them. */
import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';

export interface ShowMoreProps {
  /** Rows of the list before it, of which each has one `data-row`. */
  readonly shown: number;
  readonly onShow: () => void;
  readonly children: string;
}

/** Stands right after the list. */
export function ShowMore({ shown, onShow, children }: ShowMoreProps) {
  const show = (event: MouseEvent<HTMLButtonElement>) => {
    const list = event.currentTarget.previousElementSibling;
    flushSync(onShow);
    list?.querySelectorAll<HTMLElement>('[data-row]')[shown]?.focus();
  };
  return (
    <Button tone="quiet" className="self-start" onClick={show}>
      {children}
    </Button>
  );
}
