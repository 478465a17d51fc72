/** Commissions that are to start as soon as they can, in the order of the queue. */
import { Link } from '@tanstack/react-router';
import type { CommissionRow } from '../../../src/features/commissions/contract.ts';
import { CommissionLine } from '../../kit/commission-row.tsx';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';

const shownAtMost = 5;

export interface QueuedRowsProps {
  readonly rows: readonly CommissionRow[];
  readonly showsProject: boolean;
}

export function QueuedRows({ rows, showsProject }: QueuedRowsProps) {
  const queued = rows.filter(({ status, queuedAt }) => status === 'pending' && queuedAt !== null);
  if (queued.length === 0) return null;
  return (
    <Section
      title="Queued"
      count={queued.length}
      action={
        <Link to="/commissions" className="text-13 text-soft hover:text-ink hover:underline">
          All commissions
        </Link>
      }
    >
      <Rows label="Queued">
        {queued.slice(0, shownAtMost).map((row) => (
          <li key={`${row.project}/${row.id}`}>
            <CommissionLine row={row} showsProject={showsProject} />
          </li>
        ))}
      </Rows>
    </Section>
  );
}
