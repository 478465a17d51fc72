/** The drawn event model: one pans it by dragging, makes it larger and smaller by its buttons, and opens fields one by one. */
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  type Node as FlowNode,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { createContext, use, useMemo, useState } from 'react';
import type { Slice } from '../../../src/features/contexts/contract/blocks.ts';
import {
  type Box,
  drawModel,
  type Lane,
  type ModelEdge,
  modelLine,
  type ModelNode,
} from '../../../src/features/contexts/fold/event-model.ts';
import { FlowSize, stillFlow } from '../flow.tsx';

type DrawnNode = FlowNode<{ thing: ModelNode }, 'thing'> | FlowNode<{ label: string }, 'title'>;
type DrawnEdge = Edge<{ edge: ModelEdge; from: Box; to: Box }, 'line'>;

const nodeTypes = { thing: ThingNode, title: TitleNode };
const edgeTypes = { line: LineEdge };
const fit = { padding: 0.06, minZoom: 0.3, maxZoom: 1 } as const;

const words: Readonly<Record<Lane, string>> = {
  screen: 'screen',
  command: 'command',
  event: 'event',
  projection: 'projection',
  effect: 'side effect',
};

/** By shape and word, and by colour on top of it. */
const looks: Readonly<Record<Lane, string>> = {
  screen: 'rounded-md border-line-strong bg-paper',
  command: 'rounded-md border-note bg-raised',
  event: 'rounded-md border-waiting bg-raised',
  projection: 'rounded-md border-active bg-raised',
  effect: 'rounded-md border-dashed border-line-strong bg-transparent',
};

interface Opening {
  readonly open: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}
const Openings = createContext<Opening>({ open: new Set(), toggle: () => undefined });

export function ModelFlow({ slices, name }: { readonly slices: readonly Slice[]; readonly name: string }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const { nodes, edges } = useMemo(() => draw(slices, open), [slices, open]);
  const opening = useMemo(() => {
    const toggle = (id: string) =>
      setOpen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
    return { open, toggle };
  }, [open]);
  return (
    <Openings value={opening}>
      <ReactFlow
        {...stillFlow}
        aria-label={name}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitViewOptions={fit}
        minZoom={0.2}
        // The wheel is the reader's way through the page.
        zoomOnScroll={false}
        preventScrolling={false}
      >
        <FlowSize position="bottom-right" padding={fit.padding} />
      </ReactFlow>
    </Openings>
  );
}

function draw(slices: readonly Slice[], open: ReadonlySet<string>): { nodes: DrawnNode[]; edges: DrawnEdge[] } {
  const picture = drawModel(slices, open);
  const byId = new Map(picture.nodes.map((node) => [node.id, node]));
  const titles = picture.columns.map(({ label, x, width }, nth): DrawnNode => {
    return { id: `title ${nth}`, type: 'title', position: { x, y: 0 }, data: { label }, width, height: 26 };
  });
  const things = picture.nodes.map((thing): DrawnNode => {
    const { id, x, y, width, height } = thing;
    return { id, type: 'thing', position: { x, y }, data: { thing }, width, height };
  });
  return {
    nodes: [...titles, ...things],
    edges: picture.edges.flatMap((edge): DrawnEdge[] => {
      const { id, from, to } = edge;
      const [start, end] = [byId.get(from), byId.get(to)];
      if (start === undefined || end === undefined) return [];
      return [{ id, type: 'line', source: from, target: to, data: { edge, from: start, to: end } }];
    }),
  };
}

function TitleNode({ data: { label } }: NodeProps<FlowNode<{ label: string }, 'title'>>) {
  return <p className="truncate border-b border-line-strong pb-1 text-13 font-medium text-soft">{label}</p>;
}

function ThingNode({ data: { thing } }: NodeProps<FlowNode<{ thing: ModelNode }, 'thing'>>) {
  const { open, toggle } = use(Openings);
  const { id, lane, text, isNew, isElsewhere, fields } = thing;
  const isOpen = open.has(id);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const note = [words[lane], ...(isNew ? ['new'] : []), ...(isElsewhere ? ['elsewhere'] : [])].join(', ');
  return (
    <>
      <Handle type="target" position={Position.Top} isConnectable={false} className="opacity-0" />
      <div
        className={`flex size-full flex-col overflow-hidden border px-2.5 py-1 ${looks[lane]} ${isNew ? 'border-2' : ''}`}
      >
        <p className="flex items-center justify-between gap-2 text-12 leading-4 text-soft">
          <span>{note}</span>
          {fields.length > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${fields.length} fields of ${text}`}
              onClick={() => toggle(id)}
              className="nopan pointer-events-auto -mr-1 inline-flex items-center rounded-sm text-12 text-soft hover:text-ink"
            >
              {fields.length}
              <Chevron aria-hidden size={13} />
            </button>
          )}
        </p>
        <p
          className={`leading-[18px] wrap-anywhere text-ink ${lane === 'effect' || lane === 'screen' ? 'text-13' : 'font-mono text-12'}`}
        >
          {text}
        </p>
        {isOpen && (
          <ul className="mt-1 list-none! border-t border-line p-0! pt-1 font-mono text-12">
            {fields.map(([field, type]) => (
              <li key={field} className="m-0! truncate leading-[18px] text-soft" title={`${field}: ${type}`}>
                <span className="text-ink">{field}</span>: {type}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} className="opacity-0" />
    </>
  );
}

function LineEdge({ data }: EdgeProps<DrawnEdge>) {
  if (data === undefined) return null;
  const { path, tip } = modelLine(data.edge, data.from, data.to);
  const isQuiet = data.edge.kind === 'leads';
  const back = tip.isFromLeft ? tip.x - 7 : tip.x + 7;
  return (
    <>
      <BaseEdge
        path={path}
        interactionWidth={0}
        className={`${isQuiet ? 'stroke-line-strong!' : 'stroke-active!'} fill-none [stroke-width:1.5]!`}
      />
      <path
        d={`M${back} ${tip.y - 4} L${tip.x} ${tip.y} L${back} ${tip.y + 4} Z`}
        className={isQuiet ? 'fill-line-strong' : 'fill-active'}
      />
    </>
  );
}
