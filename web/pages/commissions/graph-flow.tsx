/** The drawn graph: one pans it by dragging or scrolling, and goes through it by Tab; Enter opens what has the focus. */
import { Link } from '@tanstack/react-router';
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  type Node as FlowNode,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { FileText } from 'lucide-react';
import { type FocusEvent, useEffect, useEffectEvent, useMemo } from 'react';
import { FlowSize, stillFlow } from '../../kit/flow.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { StateMark } from '../../kit/state-mark.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { inBackground } from '../../state/background.ts';
import { edgePath } from './edge-path.ts';
import { isCommission, type Node, nodeState, pathState } from './graph-node.ts';
import { keyOfEdge, layOut, type Point } from './layout.ts';

type Graph = OutputOf<'commission.graph'>;
type DrawnNode = FlowNode<{ node: Node; project: string }, 'thing'>;
type DrawnEdge = Edge<{ lane: readonly Point[]; isMet: boolean }, 'need'>;

/** Pixels. */
const nodeWidth = 224;
const nodeHeight = 66;
const spacing = { nodeWidth, column: 52, row: 90 };

const nodeTypes = { thing: ThingNode };
const edgeTypes = { need: NeedEdge };
const fit = { padding: 0.05, minZoom: 0.54, maxZoom: 1 } as const;

export function GraphFlow({ graph }: { readonly graph: Graph }) {
  const { nodes, edges } = useMemo(() => draw(graph), [graph]);
  return (
    <ReactFlow
      {...stillFlow}
      aria-label="Graph of the commissions"
      nodes={nodes}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      fitViewOptions={fit}
      minZoom={0.25}
      panOnScroll
    >
      <View />
    </ReactFlow>
  );
}

/** Larger, smaller, all of it; and what the lines mean. */
function View() {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const fitAgain = useEffectEvent(() => inBackground(fitView(fit)));
  useEffect(() => {
    // A window of another width shows another part of it.
    if (width > 0) fitAgain();
  }, [width]);
  return (
    <>
      <FlowSize position="top-right" padding={0.08} />
      <Panel
        position="bottom-left"
        className="m-3! flex items-center gap-4 rounded-md bg-sunk px-2 py-1 text-12 text-soft"
      >
        <Sample isMet word="is there" />
        <Sample isMet={false} word="is waited for" />
      </Panel>
    </>
  );
}

function Sample({ isMet, word }: { readonly isMet: boolean; readonly word: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <svg aria-hidden width="26" height="6">
        <path d="M0 3H26" className={lineClass(isMet)} strokeWidth="1.5" {...dashed(isMet)} />
      </svg>
      {word}
    </span>
  );
}

const lineClass = (isMet: boolean) => (isMet ? 'stroke-line-strong!' : 'stroke-waiting!');
const dashed = (isMet: boolean) => (isMet ? {} : { strokeDasharray: '5 4' });

function draw({ project, nodes, edges }: Graph): { nodes: DrawnNode[]; edges: DrawnEdge[] } {
  const places = layOut(
    nodes.map(({ id }) => id),
    edges,
    spacing,
  );
  return {
    nodes: nodes.flatMap((node): DrawnNode[] => {
      const place = places.nodes.get(node.id);
      if (place === undefined) return [];
      const position = { x: place.x, y: place.y - nodeHeight / 2 };
      const size = { width: nodeWidth, height: nodeHeight };
      return [{ id: node.id, type: 'thing', position, data: { node, project }, ...size }];
    }),
    edges: edges.map((edge): DrawnEdge => {
      const lane = places.lanes.get(keyOfEdge(edge)) ?? [];
      const { from, to, isMet } = edge;
      return { id: keyOfEdge(edge), type: 'need', source: from, target: to, data: { lane, isMet } };
    }),
  };
}

function ThingNode({ data: { node, project }, positionAbsoluteX, positionAbsoluteY }: NodeProps<DrawnNode>) {
  const { setCenter, getZoom } = useReactFlow();
  const come = ({ currentTarget }: FocusEvent<HTMLElement>) => {
    // Only what came by a key and stands outside is brought into sight.
    if (!currentTarget.matches(':focus-visible') || isInSight(currentTarget)) return;
    const middle = { x: positionAbsoluteX + nodeWidth / 2, y: positionAbsoluteY + nodeHeight / 2 };
    inBackground(setCenter(middle.x, middle.y, { zoom: getZoom() }));
  };
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className="opacity-0" />
      {isCommission(node) ? (
        <Link
          to="/projects/$project/commissions/$id"
          params={{ project, id: node.id }}
          aria-label={`${plainTitle(node.title)}, ${nodeState(node).word}`}
          onFocus={come}
          className="nopan flex size-full items-center gap-2.5 rounded-md border border-line bg-raised px-3 hover:border-line-strong"
        >
          <WorkerGlyph name={node.worker} size={22} />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="truncate text-15 font-medium text-ink" title={plainTitle(node.title)}>
              {plainTitle(node.title)}
            </span>
            <StateMark {...nodeState(node)} />
          </span>
        </Link>
      ) : (
        <span
          title={node.id}
          className="flex size-full items-center gap-2.5 rounded-md border border-dashed border-line-strong px-3"
        >
          <FileText aria-hidden size={16} className="shrink-0 text-faint" />
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="truncate text-left font-mono text-13 text-ink [direction:rtl]">
              <bdi>{node.id}</bdi>
            </span>
            <StateMark {...pathState(node)} />
          </span>
        </span>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} className="opacity-0" />
    </>
  );
}

function isInSight(element: HTMLElement): boolean {
  const [own, frame] = [element, element.closest('.react-flow')!].map((each) => each.getBoundingClientRect());
  return (
    own!.left >= frame!.left && own!.right <= frame!.right && own!.top >= frame!.top && own!.bottom <= frame!.bottom
  );
}

function NeedEdge({ sourceX, sourceY, targetX, targetY, data }: EdgeProps<DrawnEdge>) {
  const { lane = [], isMet = false } = data ?? {};
  const through = lane.flatMap(({ x, y }) => [
    { x, y },
    { x: x + nodeWidth, y },
  ]);
  const path = edgePath([{ x: sourceX, y: sourceY }, ...through, { x: targetX - 7, y: targetY }]);
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={0}
        className={`${lineClass(isMet)} fill-none [stroke-width:1.5]!`}
        {...dashed(isMet)}
      />
      <path
        d={`M${targetX - 8} ${targetY - 4} L${targetX - 1} ${targetY} L${targetX - 8} ${targetY + 4} Z`}
        className={isMet ? 'fill-line-strong' : 'fill-waiting'}
      />
    </>
  );
}
