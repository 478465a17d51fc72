/** The way to the next phase: a button where it can be pressed, else what it is called, and why it cannot. */
import { ArrowRight, LoaderCircle, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import type { NextBlock } from '../../../src/features/contexts/contract/blocks.ts';
import { Problem } from '../states.tsx';

export function NextStep({ next: { label, command } }: { readonly next: NextBlock }) {
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-l-2 border-line-strong py-1 pl-3 font-sans text-15">
      <span className="inline-flex items-center gap-1.5 font-medium text-ink">
        <ArrowRight aria-hidden size={15} className="shrink-0 text-soft" />
        {label}
      </span>
      <code className="text-13 wrap-anywhere text-soft">{command}</code>
    </div>
  );
}

export interface NextButtonProps {
  readonly next: NextBlock;
  readonly isBusy: boolean;
  /** Why it does not work; undefined: it does. */
  readonly blockedBecause: ReactNode | undefined;
  /** What came of the last press, where that was nothing. */
  readonly problem: ErrorFacts | undefined;
  readonly onPress: () => void;
}

/** It stays where the focus is, pressed or not, so that the reason can be read and the keyboard is not lost. */
export function NextButton({ next, isBusy, blockedBecause, problem, onPress }: NextButtonProps) {
  const id = useId();
  const isBlocked = blockedBecause !== undefined;
  return (
    <div className="flex flex-col gap-2 py-1 font-sans">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <button
          type="button"
          aria-disabled={isBlocked || isBusy || undefined}
          aria-describedby={`${id}-command ${id}-why`}
          onClick={(event) => {
            event.preventDefault();
            if (!isBlocked && !isBusy) onPress();
          }}
          className={`inline-flex min-h-9 max-w-full items-center gap-2 rounded-md border px-3.5 py-1.5 text-left text-15 font-medium transition-colors duration-120 max-phone:min-h-11 ${isBlocked ? 'cursor-default border-line bg-sunk text-faint' : 'border-transparent bg-ember text-on-ember hover:bg-ember-strong'} aria-disabled:cursor-default`}
        >
          {isBusy ? (
            <LoaderCircle aria-hidden size={16} className="shrink-0 animate-spin" />
          ) : (
            <ArrowRight aria-hidden size={16} className="shrink-0" />
          )}
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {next.label}
          </span>
        </button>
        <code id={`${id}-command`} className="min-w-0 text-13 wrap-anywhere text-faint">
          {next.command}
        </code>
      </div>
      <p id={`${id}-why`} role="status" className="text-13 text-soft empty:hidden">
        {isBusy ? 'A session is being made for it.' : blockedBecause}
      </p>
      {problem && !isBusy && <Problem facts={problem} />}
    </div>
  );
}

/** It cannot be pressed anywhere: what belongs together could not be kept together. */
export function Nameless({ label }: { readonly label: string }) {
  return (
    <p
      role="note"
      className="flex items-baseline gap-2 rounded-md bg-waiting-wash px-3 py-2 font-sans text-15 text-ink"
    >
      <TriangleAlert aria-hidden size={15} className="shrink-0 translate-y-0.5 text-waiting" />
      <span>
        “{label}” leads nowhere: the required field <code>metaContext</code> is missing from its block. Ask the agent to
        write it again with one.
      </span>
    </p>
  );
}
