/** Who waits for whom: drawn, to be panned; and the same as a list beside it, which every reader can follow. */
import { Workflow } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';
import { GraphList } from './graph-list.tsx';

/** What draws is loaded when the first graph is shown. */
const GraphFlow = lazy(async () => ({ default: (await import('./graph-flow.tsx')).GraphFlow }));

export function Graph({ project }: { readonly project: string }) {
  const { data, problem } = useRead('commission.graph', { project });
  if (problem) {
    return (
      <div className="max-w-2xl px-4 py-6 phone:px-8">
        <Problem facts={problem} />
      </div>
    );
  }
  if (data !== undefined && data.edges.length === 0) {
    return (
      <div className="px-4 py-6 phone:px-8">
        <Empty icon={Workflow}>
          No commission waits for another. A new one can: choose what has to be there first when you write it.
        </Empty>
      </div>
    );
  }
  const reading = (
    <div className="px-4 py-6 phone:px-8">
      <Skeleton lines={6} label="Reading the graph" />
    </div>
  );
  if (data === undefined) return reading;
  return (
    <div className="flex flex-1 max-desk:flex-col desk:relative">
      <div className="relative min-w-0 flex-1 bg-sunk max-desk:h-[60dvh] max-desk:flex-none desk:absolute desk:inset-y-0 desk:right-72 desk:left-0 wide:right-80">
        <Suspense fallback={reading}>
          <GraphFlow graph={data} />
        </Suspense>
      </div>
      <GraphList graph={data} />
    </div>
  );
}
