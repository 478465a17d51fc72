/** Where everything of an event model stands: a column for each slice, a lane for each kind of thing. Pure. */
import type { ModelElement, Slice } from '../contract/blocks.ts';

export const lanes = ['screen', 'command', 'event', 'projection', 'effect'] as const;
export type Lane = (typeof lanes)[number];

/** Pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ModelNode extends Box {
  /** Unique in the picture, the same as long as the slices before it are the same. */
  readonly id: string;
  readonly lane: Lane;
  /** Number of the slice, from 0. */
  readonly slice: number;
  readonly text: string;
  readonly isNew: boolean;
  readonly fields: ModelElement['fields'];
  /** It is fed, and stands in none of these slices. */
  readonly isElsewhere: boolean;
}

export interface ModelEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** `feeds` of an event or a projection; `leads`: what is on the screen to what it asks for, and that to what comes of it. */
  readonly kind: 'feeds' | 'leads';
}

export interface ModelPicture {
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly ModelEdge[];
  readonly columns: readonly { readonly label: string; readonly x: number; readonly width: number }[];
  readonly rows: readonly { readonly lane: Lane; readonly y: number; readonly height: number }[];
  readonly width: number;
  readonly height: number;
}

const size = { node: 236, column: 52, titles: 34, base: 42, field: 18, fields: 12, between: 12, row: 44, line: 18 };
/** So many characters fit into a line of a node. */
const lineLength = 32;

/** So many things, fields and feeds are one picture at most: each is a piece of the page, and is compared with the others. */
const mostDrawn = 1000;

/** Things, fields and feeds. */
export function sizeOf({ command, events, projections, sideEffects }: Slice): number {
  const elements = [...(command === undefined ? [] : [command]), ...events, ...projections];
  return elements.reduce((sum, { fields, feeds }) => sum + 1 + fields.length + feeds.length, sideEffects.length);
}

/** Slices that are small enough one by one may be too much together. */
export function isTooMuch(slices: readonly Slice[]): boolean {
  return slices.reduce((sum, slice) => sum + 1 + sizeOf(slice), 0) > mostDrawn;
}

interface Thing {
  readonly id: string;
  readonly lane: Lane;
  readonly slice: number;
  readonly text: string;
  readonly element: ModelElement | undefined;
  readonly isElsewhere: boolean;
}

/** @param open ids of the nodes whose fields are shown */
export function drawModel(slices: readonly Slice[], open: ReadonlySet<string>): ModelPicture {
  const things = withStrangers(slices.flatMap(thingsOf));
  const rows = rowsOf(things, slices.length, open);
  const nodes = rows.flatMap(({ lane, y }) => slices.flatMap((_, slice) => placeAll(things, { lane, slice, y }, open)));
  const columns = slices.map(({ label }, nth) => ({ label, x: nth * (size.node + size.column), width: size.node }));
  const last = rows.at(-1);
  return {
    nodes,
    edges: edgesOf(things),
    columns,
    rows,
    width: Math.max(0, slices.length * (size.node + size.column) - size.column),
    height: last === undefined ? size.titles : last.y + last.height,
  };
}

function thingsOf({ screen, command, events, projections, sideEffects }: Slice, slice: number): Thing[] {
  const of = (lane: Lane, nth: number, text: string, element?: ModelElement): Thing => ({
    id: `${slice}.${lane}.${nth}`,
    lane,
    slice,
    text,
    element,
    isElsewhere: false,
  });
  return [
    ...(screen === undefined ? [] : [of('screen', 0, screen)]),
    ...(command === undefined ? [] : [of('command', 0, command.name, command)]),
    ...events.map((each, nth) => of('event', nth, each.name, each)),
    ...projections.map((each, nth) => of('projection', nth, each.name, each)),
    ...sideEffects.map((each, nth) => of('effect', nth, each)),
  ];
}

/** What is fed and stands nowhere is drawn beside what feeds it. */
function withStrangers(things: readonly Thing[]): readonly Thing[] {
  const strangers: Thing[] = [];
  for (const { slice, element } of things) {
    for (const name of element?.feeds ?? []) {
      if (projectionFor([...things, ...strangers], name, slice) !== undefined) continue;
      const id = `${slice}.elsewhere.${name}`;
      strangers.push({ id, lane: 'projection', slice, text: name, element: undefined, isElsewhere: true });
    }
  }
  return [...things, ...strangers];
}

/** The one of the same slice, else the first. */
function projectionFor(things: readonly Thing[], name: string, slice: number): Thing | undefined {
  const named = things.filter(({ lane, text }) => lane === 'projection' && text === name);
  return named.find((each) => each.slice === slice) ?? named[0];
}

function rowsOf(things: readonly Thing[], count: number, open: ReadonlySet<string>): ModelPicture['rows'] {
  let y = size.titles;
  return lanes.flatMap((lane) => {
    const heights = Array.from({ length: count }, (_, slice) => stackHeight(stackOf(things, lane, slice), open));
    const height = Math.max(0, ...heights);
    if (height === 0) return [];
    const row = { lane, y, height };
    y += height + size.row;
    return [row];
  });
}

function stackOf(things: readonly Thing[], lane: Lane, slice: number): readonly Thing[] {
  return things.filter((each) => each.lane === lane && each.slice === slice);
}

function stackHeight(stack: readonly Thing[], open: ReadonlySet<string>): number {
  const heights = stack.map((thing) => heightOf(thing, open));
  return heights.reduce((sum, each) => sum + each + size.between, stack.length === 0 ? 0 : -size.between);
}

function heightOf({ id, text, element }: Thing, open: ReadonlySet<string>): number {
  const more = (Math.ceil(text.length / lineLength) - 1) * size.line;
  const fields = element?.fields.length ?? 0;
  return size.base + Math.max(0, more) + (open.has(id) && fields > 0 ? fields * size.field + size.fields : 0);
}

function placeAll(
  things: readonly Thing[],
  { lane, slice, y: top }: { readonly lane: Lane; readonly slice: number; readonly y: number },
  open: ReadonlySet<string>,
): ModelNode[] {
  let y = top;
  return stackOf(things, lane, slice).map((thing) => {
    const { id, text, element, isElsewhere } = thing;
    const height = heightOf(thing, open);
    const box: Box = { x: slice * (size.node + size.column), y, width: size.node, height };
    y += height + size.between;
    return {
      ...box,
      id,
      lane,
      slice,
      text,
      isElsewhere,
      isNew: element?.isNew ?? false,
      fields: element?.fields ?? [],
    };
  });
}

function edgesOf(things: readonly Thing[]): ModelEdge[] {
  const edges = new Map<string, ModelEdge>();
  const add = (from: Thing, to: Thing, kind: ModelEdge['kind']): void => {
    const id = `${from.id}>${to.id}`;
    edges.set(id, { id, from: from.id, to: to.id, kind });
  };
  for (const thing of things) {
    const { lane, slice } = thing;
    const next: Lane | undefined = lane === 'screen' ? 'command' : lane === 'command' ? 'event' : undefined;
    if (next !== undefined) for (const other of stackOf(things, next, slice)) add(thing, other, 'leads');
    for (const name of thing.element?.feeds ?? []) {
      const fed = projectionFor(things, name, slice);
      if (fed !== undefined && fed !== thing) add(thing, fed, 'feeds');
    }
  }
  return [...edges.values()];
}

export interface ModelLine {
  /** SVG. */
  readonly path: string;
  /** Where it ends, and whether it comes there from the left. */
  readonly tip: { readonly x: number; readonly y: number; readonly isFromLeft: boolean };
}

/** Beside the boxes of a column, so that no line runs behind what stands between its ends. */
export function modelLine({ kind }: Pick<ModelEdge, 'kind'>, from: Box, to: Box): ModelLine {
  const [start, y] = [from.y + from.height / 2, to.y + to.height / 2];
  if (from.x !== to.x) return across(from, to, { start, y });
  const isLeft = kind === 'leads';
  const side = isLeft ? from.x : from.x + from.width;
  // Lines to what lies farther run farther out.
  const reach = 12 + Math.min(20, Math.abs(y - start) / 14);
  const out = isLeft ? side - reach : side + reach;
  const path = `M${side} ${start}C${out} ${start} ${out} ${start} ${out} ${(start + y) / 2}C${out} ${y} ${out} ${y} ${side} ${y}`;
  return { path, tip: { x: side, y, isFromLeft: isLeft } };
}

function across(from: Box, to: Box, { start, y }: { readonly start: number; readonly y: number }): ModelLine {
  const isRight = to.x > from.x;
  const [left, right] = isRight ? [from.x + from.width, to.x] : [from.x, to.x + to.width];
  const bend = isRight ? size.column * 0.8 : -size.column * 0.8;
  const path = `M${left} ${start}C${left + bend} ${start} ${right - bend} ${y} ${right} ${y}`;
  return { path, tip: { x: right, y, isFromLeft: isRight } };
}
