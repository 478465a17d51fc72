/**
 * Where the nodes of a graph stand: each right of all that it waits for, as close as that allows, with few crossings.
 * Lines over several columns keep a lane of their own, so that none runs behind a node. Pure.
 */

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** Middle of the left side of each node. */
  readonly nodes: ReadonlyMap<string, Point>;
  /** Points between its ends that an edge goes through, by `from>to`. */
  readonly lanes: ReadonlyMap<string, readonly Point[]>;
  readonly height: number;
  readonly width: number;
}

/** Pixels: a node, what is between two columns, what is between two rows. */
export interface Spacing {
  readonly nodeWidth: number;
  readonly column: number;
  readonly row: number;
}

export const keyOfEdge = ({ from, to }: GraphEdge): string => `${from}>${to}`;

/** Nodes without any edge are left out: they wait for nothing, and nothing for them. */
export function layOut(ids: readonly string[], edges: readonly GraphEdge[], spacing: Spacing): Layout {
  const known = new Set(ids);
  const sound = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const nodes = new Map<string, Point>();
  const lanes = new Map<string, Point[]>();
  let [height, width] = [0, 0];
  for (const part of partsOf(ids, sound)) {
    const placed = placePart(part.ids, part.edges, spacing);
    for (const [id, { x, y }] of placed.nodes) nodes.set(id, { x, y: y + height });
    for (const [key, points] of placed.lanes) {
      lanes.set(
        key,
        points.map(({ x, y }) => ({ x, y: y + height })),
      );
    }
    height += placed.height + spacing.row / 4;
    width = Math.max(width, placed.width);
  }
  return { nodes, lanes, height, width };
}

interface Part {
  readonly ids: readonly string[];
  readonly edges: readonly GraphEdge[];
}

/** What hangs together, in the order of the first of each. */
function partsOf(ids: readonly string[], edges: readonly GraphEdge[]): readonly Part[] {
  const near = neighboursOf(edges);
  const seen = new Set<string>();
  return ids.flatMap((first) => {
    if (seen.has(first) || !near.has(first)) return [];
    const part = new Set([first]);
    for (const id of part) for (const other of near.get(id) ?? []) part.add(other);
    for (const id of part) seen.add(id);
    return [{ ids: ids.filter((id) => part.has(id)), edges: edges.filter(({ from }) => part.has(from)) }];
  });
}

function neighboursOf(edges: readonly GraphEdge[]): Map<string, string[]> {
  const near = new Map<string, string[]>();
  for (const { from, to } of edges) {
    near.set(from, [...(near.get(from) ?? []), to]);
    near.set(to, [...(near.get(to) ?? []), from]);
  }
  return near;
}

/** Column of each: right of the last that it waits for; what waits for nothing stands beside the first that needs it. */
export function columnsOf(ids: readonly string[], edges: readonly GraphEdge[]): Map<string, number> {
  const columns = new Map(ids.map((id) => [id, 0]));
  // As many rounds as there are nodes suffice where nothing waits for itself in the end; where it does, they end too.
  for (let round = 0; round < ids.length; round += 1) {
    let isMoved = false;
    for (const { from, to } of edges) {
      const least = Math.min(columns.get(from)! + 1, ids.length);
      if (columns.get(to)! >= least) continue;
      columns.set(to, least);
      isMoved = true;
    }
    if (!isMoved) break;
  }
  for (const id of ids) {
    const after = edges.filter(({ from }) => from === id).map(({ to }) => columns.get(to)!);
    const isFirst = edges.every(({ to }) => to !== id);
    if (isFirst && after.length > 0) columns.set(id, Math.max(0, Math.min(...after) - 1));
  }
  return columns;
}

function placePart(ids: readonly string[], edges: readonly GraphEdge[], spacing: Spacing): Layout {
  const columns = columnsOf(ids, edges);
  const { steps, lanes } = withLanes(edges, columns);
  const layers: string[][] = [];
  for (const [id, column] of columns) (layers[column] ??= []).push(id);
  for (let column = 0; column < layers.length; column += 1) layers[column] ??= [];
  const before = groupBy(steps, 'to', 'from');
  const after = groupBy(steps, 'from', 'to');
  for (let sweep = 0; sweep < 4; sweep += 1) {
    for (const layer of layers.slice(1)) sortByMiddle(layer, before, layers);
    for (const layer of layers.slice(0, -1).toReversed()) sortByMiddle(layer, after, layers);
  }
  const rows = rowsOf(layers, before, after);
  const top = Math.min(...rows.values());
  const step = spacing.nodeWidth + spacing.column;
  const pointOf = (id: string): Point => ({
    x: columns.get(id)! * step,
    y: (rows.get(id)! - top + 0.5) * spacing.row,
  });
  return {
    nodes: new Map(ids.map((id) => [id, pointOf(id)])),
    lanes: new Map([...lanes].map(([key, through]) => [key, through.map(pointOf)])),
    height: (Math.max(...rows.values()) - top + 1) * spacing.row,
    width: (layers.length - 1) * step + spacing.nodeWidth,
  };
}

/** A line over several columns goes through a place of its own in each of them. */
function withLanes(edges: readonly GraphEdge[], columns: Map<string, number>) {
  const steps: GraphEdge[] = [];
  const lanes = new Map<string, string[]>();
  for (const edge of edges) {
    const through: string[] = [];
    for (let column = columns.get(edge.from)! + 1; column < columns.get(edge.to)!; column += 1) {
      const lane = `${keyOfEdge(edge)}#${column}`;
      columns.set(lane, column);
      through.push(lane);
    }
    const all = [edge.from, ...through, edge.to];
    for (let nth = 1; nth < all.length; nth += 1) steps.push({ from: all[nth - 1]!, to: all[nth]! });
    lanes.set(keyOfEdge(edge), through);
  }
  return { steps, lanes };
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function groupBy(edges: readonly GraphEdge[], key: 'from' | 'to', value: 'from' | 'to'): Neighbours {
  const groups = new Map<string, string[]>();
  for (const edge of edges) groups.set(edge[key], [...(groups.get(edge[key]) ?? []), edge[value]]);
  return groups;
}

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** Those without a neighbour on that side keep their place. */
function sortByMiddle(layer: string[], near: Neighbours, layers: readonly string[][]): void {
  const places = new Map(layers.flatMap((each) => each.map((id, nth) => [id, nth] as const)));
  const middles = new Map(
    layer.map((id, nth) => {
      const others = (near.get(id) ?? []).map((other) => places.get(other)!);
      return [id, others.length === 0 ? nth : meanOf(others)];
    }),
  );
  layer.sort((one, other) => middles.get(one)! - middles.get(other)!);
}

/** Rows, as numbers that may be broken: near the middle of the neighbours, at least one apart, in the layer's order. */
function rowsOf(layers: readonly string[][], before: Neighbours, after: Neighbours): Map<string, number> {
  const rows = new Map(layers.flatMap((layer) => layer.map((id, nth) => [id, nth - (layer.length - 1) / 2] as const)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    for (const layer of sweep % 2 === 0 ? layers : layers.toReversed()) {
      const wanted = layer.map((id) => {
        const near = [...(before.get(id) ?? []), ...(after.get(id) ?? [])].map((other) => rows.get(other)!);
        return near.length === 0 ? rows.get(id)! : meanOf(near);
      });
      const given = spread(wanted);
      layer.forEach((id, nth) => rows.set(id, given[nth]!));
    }
  }
  return rows;
}

/** At least one apart, in this order, and as a whole where it was wanted. */
function spread(wanted: readonly number[]): number[] {
  const given: number[] = [];
  for (const row of wanted) given.push(Math.max(row, (given.at(-1) ?? -Infinity) + 1));
  const off = meanOf(wanted.map((row, nth) => row - given[nth]!));
  return given.map((row) => row + off);
}
