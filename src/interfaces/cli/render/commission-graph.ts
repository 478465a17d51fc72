/**
 * The graph of commissions as a tree of lines: what has to be there first stands above, what waits for it below it. What
 * waits for several stands whole below the first of them, and is named below the others.
 */
import type { CommissionGraph } from '../../../features/commissions/contract.ts';
import { marked, oneLine, type Terminal } from '../terminal.ts';
import { stateWord } from './commission-states.ts';

type Node = CommissionGraph['nodes'][number];

interface Drawing {
  readonly graph: CommissionGraph;
  readonly term: Terminal;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly drawn: Set<string>;
  readonly lines: string[];
}

export function renderCommissionGraph(graph: CommissionGraph, term: Terminal): string {
  if (graph.nodes.length === 0) {
    return term.style('dim', `No commission of ${graph.project} waits for another.\n`);
  }
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const drawing: Drawing = { graph, term, nodes, drawn: new Set(), lines: [] };
  const linked = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
  const waiting = new Set(graph.edges.map(({ to }) => to));
  const roots = graph.nodes.filter(({ id }) => linked.has(id) && !waiting.has(id));
  for (const root of roots) drawNode(drawing, root, '', '');
  // Only a record that was edited by hand can close a circle; it is shown all the same.
  for (const node of graph.nodes)
    if (linked.has(node.id) && !drawing.drawn.has(node.id)) drawNode(drawing, node, '', '');
  const alone = graph.nodes.filter(({ id }) => !linked.has(id));
  if (alone.length > 0 && linked.size > 0)
    drawing.lines.push('', term.style('dim', 'Waiting for nothing, and nothing for them:'));
  for (const node of alone) drawNode(drawing, node, '', '');
  return `${drawing.lines.join('\n')}\n`;
}

function drawNode(drawing: Drawing, node: Node, lead: string, below: string): void {
  const { graph, term, nodes, drawn, lines } = drawing;
  if (drawn.has(node.id)) {
    lines.push(`${term.style('dim', lead)}${term.style('dim', `↑ ${nameOf(node)}, see above`)}`);
    return;
  }
  drawn.add(node.id);
  lines.push(`${term.style('dim', lead)}${labelOf(drawing, node, lead.length)}`);
  const next = graph.edges.filter(({ from }) => from === node.id).flatMap(({ to }) => nodes.get(to) ?? []);
  const children = [...new Set(next)];
  for (const [place, child] of children.entries()) {
    const isLast = place === children.length - 1;
    drawNode(drawing, child, `${below}${isLast ? '└─ ' : '├─ '}`, `${below}${isLast ? '   ' : '│  '}`);
  }
}

function labelOf({ term }: Drawing, node: Node, indent: number): string {
  if (node.kind === 'path') {
    const mark = marked(term, node.isThere ? ['✓ there', 'green'] : ['◐ not there', 'yellow']);
    return `${mark}  ${oneLine(node.id, room(term, indent, 12))}`;
  }
  const queue = node.position === null ? null : { position: node.position, because: 'starting' as const };
  const state = stateWord({ status: node.status, merge: node.merge, queue }, term);
  const name = nameOf(node);
  return `${state}  ${name}  ${oneLine(node.title, room(term, indent, 30 + name.length))}`;
}

function room(term: Terminal, indent: number, taken: number): number {
  return term.isTty ? Math.max(16, term.width - indent - taken) : 200;
}

/** Of a commission the worker and the part of the id that is typed again. */
function nameOf(node: Node): string {
  return node.kind === 'path' ? node.id : `${node.worker} ${node.id.slice(node.id.lastIndexOf('-') + 1)}`;
}
