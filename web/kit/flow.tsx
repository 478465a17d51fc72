/** What drawn graphs share: nothing in them is moved by hand, and their size is changed by buttons. Loaded with the first of them. */
import { type PanelPosition, Panel, useReactFlow } from '@xyflow/react';
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { CSSProperties } from 'react';
import { inBackground } from '../state/background.ts';
import { IconButton } from './button.tsx';

/** For `<ReactFlow>`: a picture to be looked at. */
export const stillFlow = {
  className: 'absolute! inset-0',
  style: { '--xy-background-color': 'transparent' } as CSSProperties,
  fitView: true,
  maxZoom: 1.5,
  nodesDraggable: false,
  nodesConnectable: false,
  nodesFocusable: false,
  edgesFocusable: false,
  elementsSelectable: false,
  zoomOnDoubleClick: false,
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  proOptions: { hideAttribution: true },
} as const;

export function FlowSize({ position, padding }: { readonly position: PanelPosition; readonly padding: number }) {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position={position} className="m-2! flex gap-0.5 rounded-md border border-line bg-raised p-0.5">
      <IconButton icon={ZoomIn} label="Larger" onClick={() => inBackground(zoomIn())} />
      <IconButton icon={ZoomOut} label="Smaller" onClick={() => inBackground(zoomOut())} />
      <IconButton icon={Maximize} label="All of it" onClick={() => inBackground(fitView({ padding }))} />
    </Panel>
  );
}
