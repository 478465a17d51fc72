/** The commissions of a project that are not over: what runs, what waits, what came back. The rest has its own page. */
import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useIntent } from '../../app/intents.tsx';
import { Button } from '../../kit/button.tsx';
import { CommissionLine } from '../../kit/commission-row.tsx';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Row = OutputOf<'commission.list'>['commissions'][number];

const shownAtMost = 8;

export function CommissionList({ project }: { readonly project: string }) {
  const show = useIntent();
  const away = useAwayReason();
  const { data, problem, isLoading } = useRead('commission.list', { project });
  const all = data?.commissions ?? [];
  const alive = all.filter(isAlive);
  const titles = new Map(all.map(({ id, title }) => [id as string, title]));
  const write = (
    <Button blockedBecause={away} onClick={() => show({ kind: 'commission', project })}>
      Write a commission
    </Button>
  );
  return (
    <Section
      title="Commissions"
      count={all.length}
      action={
        all.length > 0 && (
          <Link
            to="/projects/$project/commissions"
            params={{ project }}
            className="text-13 text-soft hover:text-ink hover:underline"
          >
            All of them, and the graph
          </Link>
        )
      }
    >
      {problem && <Problem facts={problem} />}
      {isLoading && !problem && <Skeleton lines={2} />}
      {data && all.length === 0 && (
        <Empty icon={Workflow} action={write}>
          No commission yet. Say what is to be there in the end; a worker brings it about alone, and you look at what
          came out.
        </Empty>
      )}
      {all.length > 0 && alive.length === 0 && <p className="py-2 text-15 text-soft">None is under way.</p>}
      {alive.length > 0 && (
        <Rows label="Commissions">
          {alive.slice(0, shownAtMost).map((row) => (
            <li key={row.id}>
              <CommissionLine row={row} titles={titles} />
            </li>
          ))}
        </Rows>
      )}
      {alive.length > shownAtMost && (
        <p className="text-13 text-faint">and {alive.length - shownAtMost} more that are not over</p>
      )}
    </Section>
  );
}

/** Something is still to come of it, or to be said about it. */
function isAlive({ status, reviewedAt }: Row): boolean {
  return status !== 'cancelled' && (status === 'completed' || status === 'failed' ? reviewedAt === null : true);
}
