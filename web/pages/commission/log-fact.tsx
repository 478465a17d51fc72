/** A fact in the log: one line with a shape, and what belongs to it. */
import type { ReactNode } from 'react';
import type { FactItem } from './log-segments.ts';
import { plainWords } from '../../kit/plain-words.ts';
import { focusResult } from './result.tsx';
import { focusQuestions } from './questions.tsx';
import { TimeAgo } from '../../kit/time.tsx';

export interface LogFactProps {
  readonly item: FactItem;
  /** To the question, where it is one; empty: none yet. */
  readonly answer: string;
}

export function LogFact({ item, answer }: LogFactProps) {
  switch (item.kind) {
    case 'started':
      return (
        <Line mark="◆" at={item.at}>
          Begun with {item.isRehearsal ? 'the rehearsal' : item.model}; {sayPen(item.sandbox)}
        </Line>
      );
    case 'progress':
      return (
        <Line mark="●" at={item.at}>
          <span className="text-ink">{plainWords(item.text)}</span>
        </Line>
      );
    case 'question':
      return (
        <Line mark="◐" at={item.at} more={answer !== '' && <Quote>{answer}</Quote>}>
          Asks: <span className="text-ink">{plainWords(item.text)}</span>
          {answer === '' && (
            <>
              {' '}
              <button type="button" className="underline hover:text-ink" onClick={focusQuestions}>
                Answer it
              </button>
            </>
          )}
        </Line>
      );
    case 'decision':
      return (
        <Line mark="◆" at={item.at} more={item.reasoning !== '' && <Quote>{item.reasoning}</Quote>}>
          {item.question} <span className="text-ink">{item.decision}</span>
        </Line>
      );
    case 'artifact':
      return (
        <Line mark="◆" at={item.at}>
          Linked <code className="font-mono text-12">{item.path}</code>
        </Line>
      );
    case 'result':
      return (
        <Line mark="✓" at={item.at}>
          Handed in the result{' '}
          <button type="button" className="underline hover:text-ink" onClick={focusResult}>
            Read it
          </button>
        </Line>
      );
    case 'heard':
      return (
        <Line mark="◆" at={item.at}>
          Read what you said
        </Line>
      );
    case 'retry':
      return (
        <Line mark="◐" at={item.at}>
          The model did not answer ({item.errorClass.replaceAll('_', ' ')}); tried again after{' '}
          {Math.round(item.delayMs / 1000)} s
        </Line>
      );
    case 'ended':
      return (
        <Line mark={item.how === 'failed' ? '▲' : item.how === 'done' ? '✓' : '×'} at={item.at}>
          {sayEnd(item)}
        </Line>
      );
  }
}

/** How the agent is kept from the rest of the machine. */
export function sayPen(sandbox: string): string {
  return sandbox === 'none' ? 'not sandboxed' : `in a sandbox (${sandbox})`;
}

function sayEnd({ how, reason, hint }: Extract<FactItem, { kind: 'ended' }>): string {
  const words = { done: 'Came to its end', stopped: 'Stopped', failed: 'Ended' }[how];
  return [reason === '' ? words : `${words}: ${reason}`, hint].filter(Boolean).join('. ');
}

const colours = {
  '◆': 'text-note',
  '●': 'text-active',
  '◐': 'text-waiting',
  '▲': 'text-failed',
  '✓': 'text-soft',
  '×': 'text-soft',
} as const;

interface LineProps {
  readonly mark: keyof typeof colours;
  readonly at: string;
  readonly children: ReactNode;
  readonly more?: ReactNode;
}

function Line({ mark, at, children, more }: LineProps) {
  return (
    <div className="flex items-baseline gap-2 text-13 text-soft">
      <span aria-hidden className={`w-3.5 shrink-0 text-center text-12 ${colours[mark]}`}>
        {mark}
      </span>
      <div dir="auto" className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="whitespace-pre-wrap">{children}</p>
        {more}
      </div>
      <span className="shrink-0 text-12 text-faint">
        <TimeAgo at={at} />
      </span>
    </div>
  );
}

function Quote({ children }: { readonly children: ReactNode }) {
  return <p className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap text-soft">{children}</p>;
}
