/** Code with its language, a copy button and, once the highlighter has come, colours. */
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { inBackground } from '../../state/background.ts';
import { IconButton } from '../button.tsx';

export interface CodeBlockProps {
  readonly text: string;
  readonly language: string | undefined;
}

/** Longer code is shown plain: colouring it would hold up the page. Characters. */
const maxHighlighted = 40_000;

export function CodeBlock({ text, language }: CodeBlockProps) {
  const coloured = useColours(text, language);
  const { frame, isWide } = useIsWide();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <figure className="code-block group relative">
      {language !== undefined && <figcaption className="sr-only">{language}</figcaption>}
      <pre
        ref={frame}
        {...(isWide && { tabIndex: 0 })}
        aria-label={language === undefined ? 'Code' : `Code, ${language}`}
      >
        <code>{coloured ?? text}</code>
      </pre>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? 'Copied' : 'Copy this code'}
        onClick={() => inBackground(copy())}
        className="absolute top-1 right-1 bg-sunk opacity-0 group-hover:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
      />
    </figure>
  );
}

/** Whether it goes beyond its frame sideways: then the keys must reach it, else it would be a stop for nothing. */
function useIsWide() {
  const frame = useRef<HTMLPreElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWide(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { frame, isWide };
}

interface Coloured {
  readonly of: string;
  readonly node: ReactNode;
}

/**
 * The code in colours; undefined until they are there, and for a language that is not known. While it grows, its last
 * words are plain for a moment: taking the colours away again would flicker.
 */
function useColours(text: string, language: string | undefined): ReactNode | undefined {
  const [coloured, setColoured] = useState<Coloured>();
  const latest = useRef(text);
  latest.current = text;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (language === undefined || text.length > maxHighlighted) return;
    if (timer.current !== undefined || coloured?.of === text) return;
    const colour = async () => {
      const { highlight } = await import('./highlight.ts');
      timer.current = undefined;
      const of = latest.current;
      const node = highlight(of, language);
      if (node !== undefined) setColoured({ of, node });
    };
    // The longer the code, the seldomer: the colours cost the same part of the time.
    timer.current = setTimeout(() => inBackground(colour()), coloured === undefined ? 0 : 400 + text.length / 8);
  }, [text, language, coloured]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  if (coloured === undefined || !text.startsWith(coloured.of)) return undefined;
  return (
    <>
      {coloured.node}
      {text.slice(coloured.of.length)}
    </>
  );
}
