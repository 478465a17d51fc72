/** The graph in words. */
import { Link } from '@tanstack/react-router';
import { StateMark } from '../../kit/state-mark.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { isCommission, nodeState } from './graph-node.ts';

type Graph = OutputOf<'commission.graph'>;

export function GraphList({ graph }: { readonly graph: Graph }) {
  const { project, nodes, edges } = graph;
  const names = new Map(nodes.map((node) => [node.id, isCommission(node) ? node.title : node.id]));
  const within = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const commissions = nodes.filter(isCommission).filter(({ id }) => within.has(id));
  const alone = nodes.filter(isCommission).length - commissions.length;
  return (
    <aside
      aria-label="The graph in words"
      className="shrink-0 border-line bg-paper px-4 py-4 max-desk:border-t desk:absolute desk:inset-y-0 desk:right-0 desk:w-72 desk:overflow-y-auto desk:border-l desk:px-5 wide:w-80"
    >
      <ul className="flex flex-col divide-y divide-line">
        {commissions.map((node) => {
          const needs = edges.filter(({ to }) => to === node.id);
          return (
            <li key={node.id} className="flex flex-col gap-1 py-2.5">
              <Link
                to="/projects/$project/commissions/$id"
                params={{ project, id: node.id }}
                data-row
                className="text-13 font-medium text-ink hover:underline"
              >
                {node.title}
              </Link>
              <StateMark {...nodeState(node)} />
              {needs.map((edge) => (
                <span key={edge.from} className="text-12 text-soft">
                  <span aria-hidden className={edge.isMet ? 'text-soft' : 'text-waiting'}>
                    {edge.isMet ? '✓' : '◐'}{' '}
                  </span>
                  {edge.isMet ? 'had' : 'waits for'} {names.get(edge.from) ?? edge.from}
                  {edge.via !== null && <span className="text-faint">, by {edge.via}</span>}
                </span>
              ))}
            </li>
          );
        })}
      </ul>
      {alone > 0 && (
        <p className="pt-3 text-12 text-faint">
          {alone === 1 ? 'One more waits' : `${alone} more wait`} for nothing, and nothing for{' '}
          {alone === 1 ? 'it' : 'them'}; not drawn.
        </p>
      )}
    </aside>
  );
}
