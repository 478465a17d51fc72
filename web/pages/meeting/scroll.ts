/**
 * The place of the reader. While they are at the newest words the page goes along with them; as soon as they move up it
 * stays where they are, whatever comes.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** So near to the end counts as being there. Pixels. */
const near = 48;

export interface Place {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
}

/** @param startsAtEnd whether the page is first shown at its end */
export function useReadersPlace(startsAtEnd: boolean): Place {
  const [isAtEnd, setAtEnd] = useState(startsAtEnd);
  const follows = useRef(startsAtEnd);
  useLayoutEffect(() => {
    let last = scrollY;
    const look = () => {
      const left = leftBelow();
      // Only the reader moves up; what grows below them moves nothing.
      if (left <= near) follows.current = true;
      else if (scrollY < last - 1) follows.current = false;
      last = scrollY;
      setAtEnd(follows.current || left <= near);
    };
    const keep = () => {
      if (follows.current) toEnd();
      else setAtEnd(leftBelow() <= near);
      last = scrollY;
    };
    const observer = new ResizeObserver(keep);
    // The talk grows, and so does the place to write.
    observer.observe(document.body);
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', keep);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', look);
      removeEventListener('resize', keep);
    };
  }, []);
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

function leftBelow(): number {
  return document.documentElement.scrollHeight - innerHeight - scrollY;
}

function toEnd(): void {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
}
