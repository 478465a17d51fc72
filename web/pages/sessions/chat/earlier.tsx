/** Long conversations are drawn from their end: what came before is drawn as the reader comes near, and moves nothing. */
import { Component, type ReactNode, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ErrorFacts } from '../../../../src/kernel/pure/errors.ts';
import { Button } from '../../../kit/button.tsx';
import { Problem } from '../../../kit/states.tsx';
import { inBackground } from '../../../state/background.ts';
import { factsOf } from '../../../state/session.ts';

export interface Tail<Item> {
  /** From the first that is drawn to the last. */
  readonly shown: readonly Item[];
  /** How many of the items are not drawn. */
  readonly hidden: number;
  /** Draws some more of them. */
  readonly reveal: () => void;
}

/** @param items grow at their end, and may get earlier ones; those are hidden at first */
export function useTail<Item>(items: readonly Item[], keyOf: (item: Item) => number, atOnce: number): Tail<Item> {
  const [first, setFirst] = useState(() => items.at(-atOnce) ?? items[0]);
  const found = first === undefined ? 0 : items.findIndex((item) => keyOf(item) === keyOf(first));
  const hidden = Math.max(0, found);
  const reveal = () => startTransition(() => setFirst(items[Math.max(0, hidden - atOnce)]));
  return { shown: hidden === 0 ? items : items.slice(hidden), hidden, reveal };
}

export interface EarlierProps {
  /** What is not drawn, here and in the hall; 0: nothing. */
  readonly count: number;
  readonly word: string;
  readonly onEarlier: () => Promise<void> | void;
}

/** Stands before the first that is drawn. */
export function Earlier({ count, word, onEarlier }: EarlierProps) {
  const element = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly problem?: ErrorFacts }>({ isBusy: false });
  const load = async () => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await onEarlier();
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, problem: factsOf(error) });
    }
  };
  const loadNow = useEffectEvent(() => inBackground(load()));
  const mayLoad = state.problem === undefined && !state.isBusy;
  useEffect(() => {
    if (!mayLoad) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        // Told when a frame is drawn: a page that is opened at its end is there by then.
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadNow();
      },
      { rootMargin: '1200px 0px 0px 0px' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [count, mayLoad]);
  return (
    <div ref={element} className="flex flex-col items-center gap-2">
      <Button isBusy={state.isBusy} onClick={() => inBackground(load())}>
        Show earlier ({count} {word}
        {count === 1 ? '' : 's'})
      </Button>
      {state.problem && <Problem facts={state.problem} />}
    </div>
  );
}

export interface KeepPlaceProps {
  /** `data-place` of the first that is drawn. */
  readonly first: string;
  readonly children: ReactNode;
}

/** What is read stays where it is when something is drawn before it. */
export class KeepPlace extends Component<KeepPlaceProps> {
  override getSnapshotBeforeUpdate(before: KeepPlaceProps): number | null {
    return before.first === this.props.first ? null : topOf(before.first);
  }

  override componentDidUpdate(before: KeepPlaceProps, _state: unknown, top: number | null): void {
    const now = top === null ? null : topOf(before.first);
    if (top !== null && now !== null && now !== top) scrollBy({ top: now - top, behavior: 'instant' });
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

function topOf(place: string): number | null {
  return document.querySelector(`[data-place="${CSS.escape(place)}"]`)?.getBoundingClientRect().top ?? null;
}
