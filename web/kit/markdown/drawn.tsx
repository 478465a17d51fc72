/** How much of a very long text is drawn, and how the rest of it comes. */
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../button.tsx';

/** More than this is drawn when it is asked for, and comes in sight: a page that draws a book does not answer. Characters. */
export const atOnce = 100_000;

/** So much is drawn in one go; between, the page answers. Characters. */
const step = 25_000;

/** @returns what is to be drawn, and what stands behind it: the way to the rest */
export function useDrawn(text: string): { drawn: string; rest: ReactNode } {
  const [limit, setLimit] = useState(step);
  const [isAsked, setAsked] = useState(false);
  const more = () => setLimit(limit + step);
  const isMore = text.length > limit;
  const goesOn = isMore && limit < atOnce;
  const draw = useEffectEvent(more);
  useEffect(() => {
    if (!goesOn) return undefined;
    const timer = setTimeout(draw, 20);
    return () => clearTimeout(timer);
  }, [goesOn, limit]);
  if (!isMore) return { drawn: text, rest: null };
  const line = text.lastIndexOf('\n', limit - 1) + 1;
  const drawn = text.slice(0, line > limit - step / 2 ? line : limit);
  if (goesOn) return { drawn, rest: null };
  if (isAsked) return { drawn, rest: <More key={limit} onSight={more} /> };
  const thousands = Math.round((text.length - drawn.length) / 1000);
  const rest = (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 pt-3 text-13 text-soft">
      <Button
        onClick={() => {
          setAsked(true);
          more();
        }}
      >
        Show all of it
      </Button>
      {thousands.toLocaleString()} thousand characters more
    </p>
  );
  return { drawn, rest };
}

/** At the end of what is drawn: draws on as soon as it comes near. */
function More({ onSight }: { readonly onSight: () => void }) {
  const element = useRef<HTMLParagraphElement>(null);
  const draw = useEffectEvent(onSight);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) draw();
      },
      { rootMargin: '600px' },
    );
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <p ref={element} className="pt-3 text-13 text-faint">
      It goes on here
    </p>
  );
}
