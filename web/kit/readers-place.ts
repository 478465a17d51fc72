/**
 * The place of the reader. While they are at the newest words the page goes along with them; as soon as they move up it
 * stays where they are, whatever comes. What they open themselves moves nothing either.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as being there. Pixels. */
const near = 48;

export interface Place {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
}

/** @param starts whether the page is first shown at its end, or follows it only where all of it is in sight anyway */
export function useReadersPlace(starts: 'at-end' | 'where-short'): Place {
  const startsAtEnd = starts === 'at-end';
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const follows = useRef(startsAtEnd);
  useLayoutEffect(() => {
    let last = scrollY;
    if (starts === 'where-short' && leftBelow() <= near) follows.current = true;
    const opening = watchOpening();
    const look = () => {
      const left = leftBelow();
      // Only the reader moves up; what grows below them moves nothing.
      if (left <= near) follows.current = true;
      else if (scrollY < last - 1) follows.current = false;
      last = scrollY;
      setAtEnd(follows.current || left <= near);
    };
    const keep = () => {
      if (opening.isNow) follows.current = leftBelow() <= near;
      if (follows.current) toEnd();
      setAtEnd(follows.current || leftBelow() <= near);
      last = scrollY;
    };
    const observer = new ResizeObserver(keep);
    // The talk grows, and so does the place to write.
    observer.observe(document.body);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', keep);
    return () => {
      observer.disconnect();
      opening.stop();
      removeEventListener('scroll', look);
      removeEventListener('resize', keep);
    };
  }, [starts]);
  useEffect(() => {
    if (startsAtEnd) toEnd();
  }, [startsAtEnd]);
  return {
    isAtEnd,
    goToEnd: () => {
      follows.current = true;
      setAtEnd(true);
      toEnd();
    },
  };
}

/** Whether the page grows at this moment because the reader opened a part of it. */
function watchOpening(): { isNow: boolean; readonly stop: () => void } {
  const note = () => {
    watch.isNow = true;
    // The next frame has it.
    requestAnimationFrame(() => requestAnimationFrame(() => (watch.isNow = false)));
  };
  const press = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('article button') !== null) note();
  };
  const observer = new MutationObserver(note);
  observer.observe(document.body, { subtree: true, attributeFilter: ['open'] });
  addEventListener('click', press, { capture: true });
  const stop = () => {
    observer.disconnect();
    removeEventListener('click', press, { capture: true });
  };
  const watch = { isNow: false, stop };
  return watch;
}

function leftBelow(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}

function toEnd(): void {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
}
