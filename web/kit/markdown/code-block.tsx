/** Code with its language, a copy button and, once the highlighter has come, colours. */
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
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
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <figure className="code-block group relative">
      {language !== undefined && <figcaption className="sr-only">{language}</figcaption>}
      <pre tabIndex={0} aria-label={language === undefined ? 'Code' : `Code, ${language}`}>
        <code>{coloured ?? text}</code>
      </pre>
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? 'Copied' : 'Copy this code'}
        onClick={() => inBackground(copy())}
        className="absolute top-1 right-1 bg-sunk opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      />
    </figure>
  );
}

/** The code in colours; undefined until they are there, and for a language that is not known. */
function useColours(text: string, language: string | undefined): ReactNode | undefined {
  const [coloured, setColoured] = useState<{ readonly of: string; readonly node: ReactNode }>();
  useEffect(() => {
    if (language === undefined || text.length > maxHighlighted) return undefined;
    let isLate = false;
    // While words arrive, the code changes all the time; it is coloured when it has been still for a moment.
    const timer = setTimeout(() => {
      const colour = async () => {
        const { highlight } = await import('./highlight.ts');
        const node = highlight(text, language);
        if (!isLate && node !== undefined) setColoured({ of: text, node });
      };
      inBackground(colour());
    }, 120);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [text, language]);
  return coloured?.of === text ? coloured.node : undefined;
}
