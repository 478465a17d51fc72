/** The designed states: nothing yet, reading, refused, away. One sentence, one thing to do. */
import { type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { Button } from './button.tsx';

export interface EmptyProps {
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
  /** The one thing to do. */
  readonly action?: ReactNode;
}

export function Empty({ icon: Icon, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-start gap-3 py-6 text-15 text-soft">
      {Icon && <Icon aria-hidden size={20} className="text-faint" />}
      <p className="max-w-[60ch]">{children}</p>
      {action}
    </div>
  );
}

/** What was refused, why, and what to do next. `role=alert`, so that it is read out when it comes. */
export function Problem({ facts, action }: { readonly facts: ErrorFacts; readonly action?: ReactNode }) {
  return (
    <div role="alert" className="flex animate-arrive gap-3 rounded-md bg-failed-wash px-3 py-2.5 text-13">
      <TriangleAlert aria-hidden size={16} className="mt-px shrink-0 text-failed" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="text-ink">{facts.message}</p>
        {facts.hint !== '' && <p className="text-soft">{withCommands(facts.hint)}</p>}
        {action}
      </div>
    </div>
  );
}

/** A page that could not be read. */
export function Unread({ facts, onAgain }: { readonly facts: ErrorFacts; readonly onAgain: () => void }) {
  return (
    <Problem
      facts={facts}
      action={
        <Button className="mt-1 self-start" onClick={onAgain}>
          Read it again
        </Button>
      }
    />
  );
}

/** Commands within a hint are set as code, so that they can be told from the sentence and copied. */
export function withCommands(hint: string): ReactNode[] {
  return hint.split(/(`[^`]+`|\b(?:npx )?guild-hall(?: [a-z<][^\s,;.]*)+)/).map((part, index) =>
    index % 2 === 1 ? (
      <code key={index} className="rounded-sm bg-sunk px-1 font-mono text-12 text-ink">
        {part.replaceAll('`', '')}
      </code>
    ) : (
      part
    ),
  );
}

/** Keeps the place of lines that are being read. Shown only after a moment, so that quick answers do not blink. */
export function Skeleton({ lines = 3, label = 'Reading' }: { readonly lines?: number; readonly label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3 py-2">
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          className="h-4 animate-breathe rounded-sm bg-hover"
          style={{ width: `${[82, 64, 74, 48][line % 4]}%` }}
        />
      ))}
    </div>
  );
}
