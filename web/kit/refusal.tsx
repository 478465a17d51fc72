/** Why something was refused. Where it looks as if a secret is in the person's words, they are asked in place. */
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { Button } from './button.tsx';
import { Problem } from './states.tsx';

export interface RefusalProps {
  readonly facts: ErrorFacts;
  /** Does the same once more, with the person's word for it. */
  readonly onAllow: () => void;
  /** What the button says: `Send it all the same`. */
  readonly allowLabel: string;
  readonly isBusy?: boolean;
  /** What else can be done. */
  readonly action?: ReactNode;
}

export function Refusal({ facts, onAllow, allowLabel, isBusy = false, action }: RefusalProps) {
  if (facts.details?.['kind'] !== 'secrets') return <Problem facts={facts} action={action} />;
  return (
    <div role="alert" className="flex animate-arrive gap-3 rounded-md bg-waiting-wash px-3 py-2.5 text-13">
      <KeyRound aria-hidden size={16} className="mt-px shrink-0 text-waiting" />
      <div className="flex min-w-0 flex-col gap-2">
        <p className="text-ink">{facts.message}</p>
        <div className="flex flex-wrap gap-2">
          <Button isBusy={isBusy} onClick={onAllow}>
            {allowLabel}
          </Button>
          {action}
        </div>
      </div>
    </div>
  );
}
