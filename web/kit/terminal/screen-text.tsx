/** What a terminal shows, as text: for screen readers and for copying, and where the program has ended. */
import { useEffect, useEffectEvent } from 'react';
import { useRead } from '../../state/hall.tsx';
import { Problem, Skeleton } from '../states.tsx';

export interface ScreenTextProps {
  readonly id: string;
  readonly label: string;
}

/** As many lines as one goes back for. */
const lines = 200;

export function ScreenText({ id, label }: ScreenTextProps) {
  const { data, problem, again } = useRead('terminal.show', { id, lines });
  const readAnew = useEffectEvent(again);
  // No event tells what a program prints; what was read before may be old.
  useEffect(() => readAnew(), []);
  if (problem) return <Problem facts={problem} />;
  if (data === undefined) return <Skeleton lines={4} label="Reading what it showed" />;
  const shown = data.screen.lines.join('\n');
  if (shown.trim() === '') return <p className="px-3 py-2 text-13 text-soft">Nothing stands on it.</p>;
  return (
    <pre
      tabIndex={0}
      data-row
      aria-label={label}
      className="max-h-[70vh] overflow-auto rounded-md border border-line-strong bg-terminal p-3 font-mono text-12 text-ink"
    >
      {shown}
    </pre>
  );
}
