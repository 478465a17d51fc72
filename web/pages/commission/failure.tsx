/** Why it failed, or was cancelled, literally; and what to do next. */
import type { CommissionRecord } from '../../../src/features/commissions/contract.ts';
import { Problem } from '../../kit/states.tsx';

export function Failure({ commission }: { readonly commission: CommissionRecord }) {
  const { status, timeline } = commission;
  const last = timeline.findLast((entry) => entry.event === 'status');
  if (last === undefined || (status !== 'failed' && status !== 'cancelled')) return null;
  if (status === 'cancelled') {
    return <p className="text-15 text-soft">{last.reason}. What its worker wrote is on its branch, not merged.</p>;
  }
  return (
    <Problem
      facts={{
        code: 'conflict',
        message: last.reason,
        hint: last.hint ?? 'What its worker wrote is on its branch, not merged.',
      }}
    />
  );
}
