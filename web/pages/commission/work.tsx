/** The work: what it asks, what became of it, what was asked for, and the live log. */
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { LiveLog } from './live-log.tsx';
import type { Asking } from './dialogs.tsx';
import { Failure } from './failure.tsx';
import { MergeTrouble } from './merge-trouble.tsx';
import { Order } from './order.tsx';
import { Questions } from './questions.tsx';
import { Result } from './result.tsx';
import { Track } from './track-line.tsx';
import { Waits } from './waits.tsx';

export interface WorkProps {
  readonly view: CommissionView;
  readonly onAsk: (asking: Asking) => void;
}

export function Work({ view, onAsk }: WorkProps) {
  const { commission } = view;
  return (
    <>
      <Track commission={commission} />
      <Waits view={view} />
      <Failure commission={commission} />
      <MergeTrouble view={view} />
      <Questions view={view} />
      <Result view={view} />
      <Order view={view} onAsk={onAsk} />
      {commission.attempt > 0 && <LiveLog view={view} />}
    </>
  );
}
