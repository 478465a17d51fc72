/** Why it does not run yet, in a sentence: its place in the queue, or what is not there. */
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { sayPlace } from '../../kit/commission-state.ts';

export function Waits({ view }: { readonly view: CommissionView }) {
  const { commission, queue, dependencies, undispatched } = view;
  const missing = dependencies.filter(({ isThere }) => !isThere);
  const isWaiting = commission.status === 'pending' || commission.status === 'blocked';
  if (!isWaiting || (queue === null && missing.length === 0)) return null;
  return (
    <div role="status" className="flex flex-col gap-1 text-15 text-soft">
      {queue !== null && (
        <p>
          {queue.because === 'starting' ? '' : `${capital(sayPlace(queue.position))} in the queue. `}
          {queue.text}
        </p>
      )}
      {missing.length > 0 && (
        <p>
          Not there yet: {missing.map(nameOf).join(', ')}. It begins by itself when{' '}
          {missing.length === 1 ? 'that is' : 'those are'} there
          {commission.queuedAt === null && ' and it is dispatched'}.
        </p>
      )}
      {undispatched.length > 0 && (
        <p>
          Nobody has dispatched {undispatched.map(({ title }) => title).join(', ')}: <em>Dispatch the chain</em> starts{' '}
          {undispatched.length === 1 ? 'that one' : 'those'}, too.
        </p>
      )}
    </div>
  );
}

/** With what became of it, where it does not come by itself. */
function nameOf({ on, commission }: CommissionView['dependencies'][number]): string {
  if (commission === null) return on;
  const hasEnded = commission.status === 'failed' || commission.status === 'cancelled';
  return hasEnded ? `${commission.title} (${commission.status})` : commission.title;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
