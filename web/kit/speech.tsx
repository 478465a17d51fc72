/** Something that was said: whose words, when, and the words. No bubbles: mark and name tell the speakers apart. */
import type { ReactNode } from 'react';
import { PersonMark, WorkerGlyph } from './glyph.tsx';
import { TimeAgo } from './time.tsx';

export interface SpeechProps {
  /** Undefined: the person. */
  readonly worker?: string | undefined;
  /** Behind the name: a number, a role. */
  readonly also?: string | undefined;
  readonly at?: string | null;
  /** Instead of the time: `waits`, `sending`. */
  readonly fact?: ReactNode;
  /** Shown when the words are pointed at, or hold the focus. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

export function Speech({ worker, also, at, fact, action, children }: SpeechProps) {
  const name = worker ?? 'You';
  return (
    <article
      data-row
      tabIndex={-1}
      aria-label={name}
      className="group/speech grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3 rounded-md outline-offset-8 max-phone:gap-x-2.5"
    >
      {worker === undefined ? <PersonMark size={24} /> : <WorkerGlyph name={worker} size={24} />}
      <header className="flex min-h-6 items-center gap-2.5 text-13">
        <span className="font-semibold text-ink">{name}</span>
        {also !== undefined && <span className="-ml-1 text-12 text-faint">{also}</span>}
        <span className="text-12 text-faint">{fact ?? (at && <TimeAgo at={at} />)}</span>
        <span className="flex-1" />
        <span className="-my-1 opacity-0 transition-opacity duration-120 group-focus-within/speech:opacity-100 group-hover/speech:opacity-100 [@media(hover:none)]:opacity-100">
          {action}
        </span>
      </header>
      <div className="col-start-2 min-w-0 pt-1 max-phone:col-span-2 max-phone:col-start-1 max-phone:pt-1.5">
        {children}
      </div>
    </article>
  );
}

/** The keys go on from the newest words. @returns whether there are any */
export function focusLastSpeech(): boolean {
  const last = [...document.querySelectorAll<HTMLElement>('main article[data-row]')].at(-1);
  last?.focus({ preventScroll: true });
  return last !== undefined;
}

/** A quiet fact between the words: an interruption, a fresh session. */
export function Fact({ mark = '◆', children }: { readonly mark?: '◆' | '◐' | '▲'; readonly children: ReactNode }) {
  const colour = { '◆': 'text-note', '◐': 'text-waiting', '▲': 'text-failed' }[mark];
  return (
    <p className="flex items-baseline gap-2 text-13 text-soft">
      <span aria-hidden className={`w-3 text-center text-12 ${colour}`}>
        {mark}
      </span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}
