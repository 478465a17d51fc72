/** The person's words, just as they were typed. Long ones are folded. */
import { useState } from 'react';
import { Button } from './button.tsx';

const longLines = 14;
const longText = 1600;
/** More than this many characters no folded one shows. */
const foldedText = 4000;

export function Said({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > longText || text.split('\n').length > longLines;
  return (
    <>
      <div
        dir="auto"
        className={`max-w-[44rem] text-15 leading-[1.55] whitespace-pre-wrap text-ink ${isLong && !isWhole ? 'line-clamp-8' : ''}`}
      >
        {isLong && !isWhole ? text.slice(0, foldedText) : text}
      </div>
      {isLong && (
        <Button tone="quiet" className="mt-1 -ml-3" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : 'Show all of it'}
        </Button>
      )}
    </>
  );
}
