import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelElement, Slice } from '../contract/blocks.ts';
import { type Box, drawModel, isTooMuch, modelLine } from './event-model.ts';

const element = (name: string, change: Partial<ModelElement> = {}): ModelElement => ({
  name,
  isNew: false,
  fields: [],
  feeds: [],
  ...change,
});
const slice = (label: string, change: Partial<Slice> = {}): Slice => ({
  slice: label.toLowerCase(),
  label,
  screen: undefined,
  command: undefined,
  events: [],
  projections: [],
  sideEffects: [],
  ...change,
});
const closed = new Set<string>();

const click = slice('Click', {
  screen: 'Chat',
  command: element('Click', { isNew: true, fields: [['label', 'string']] }),
  events: [element('Made', { isNew: true, feeds: ['Registry'] }), element('Said', { feeds: ['Log'] })],
  projections: [element('Registry', { feeds: ['List'] })],
});
const list = slice('List', { projections: [element('List', { isNew: true })], sideEffects: ['Everybody is told.'] });

test('all slices are one picture: a column each, a lane for each kind of thing, and an arrow for every feed [CTX-BLK-8]', () => {
  const { nodes, edges, columns, rows } = drawModel([click, list], closed);
  expect(columns.map(({ label }) => label)).toEqual(['Click', 'List']);
  expect(rows.map(({ lane }) => lane)).toEqual(['screen', 'command', 'event', 'projection', 'effect']);
  expect(nodes.filter(({ isNew }) => isNew).map(({ text }) => text)).toEqual(['Click', 'Made', 'List']);
  const nameOf = (id: string): string => nodes.find((node) => node.id === id)!.text;
  expect(edges.map(({ from, to, kind }) => `${nameOf(from)} ${kind} ${nameOf(to)}`)).toEqual([
    'Chat leads Click',
    'Click leads Made',
    'Click leads Said',
    'Made feeds Registry',
    'Said feeds Log',
    'Registry feeds List',
  ]);
  // Fed, and in none of the slices.
  expect(nodes.filter(({ isElsewhere }) => isElsewhere).map(({ text }) => text)).toEqual(['Log']);
});

test('what is fed is the projection of the same slice, else the first of that name [CTX-BLK-8]', () => {
  const fed = slice('B', { events: [element('E', { feeds: ['P'] })], projections: [element('P')] });
  const { edges } = drawModel([slice('A', { projections: [element('P')] }), fed, { ...fed, projections: [] }], closed);
  expect(edges.map(({ to }) => to)).toEqual(['1.projection.0', '0.projection.0']);
});

test('fields take room when they are shown, and only then [CTX-BLK-8]', () => {
  const heightOf = (open: ReadonlySet<string>): number =>
    drawModel([click], open).nodes.find(({ id }) => id === '0.command.0')!.height;
  expect(heightOf(new Set(['0.command.0']))).toBeGreaterThan(heightOf(closed));
  expect(heightOf(new Set(['0.event.0']))).toBe(heightOf(closed));
});

test('a lane in which nothing stands takes no room', () => {
  const { rows, height } = drawModel([slice('Only', { screen: 'Page' })], closed);
  expect(rows.map(({ lane }) => lane)).toEqual(['screen']);
  expect(height).toBe(rows[0]!.y + rows[0]!.height);
});

test('slices that are small one by one are too much for one picture by the hundred', () => {
  const slices = Array.from({ length: 200 }, () => click);
  expect([isTooMuch(slices.slice(0, 50)), isTooMuch(slices)]).toEqual([false, true]);
  expect(isTooMuch(Array.from({ length: 2000 }, () => slice('Empty')))).toBe(true);
});

test('nothing covers anything, whatever is in the slices, and every edge has its two ends', () => {
  const name = fc.string({ minLength: 1, maxLength: 60 });
  const elements = fc.array(
    fc.record({
      name,
      isNew: fc.boolean(),
      fields: fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 }),
      feeds: fc.array(fc.constantFrom('A', 'B', 'C'), { maxLength: 3 }),
    }),
    { maxLength: 4 },
  );
  const anySlice = fc.record({
    slice: name,
    label: name,
    screen: fc.option(name, { nil: undefined }),
    command: fc.option(
      elements.map((all) => all[0]),
      { nil: undefined },
    ),
    events: elements,
    projections: elements,
    sideEffects: fc.array(name, { maxLength: 3 }),
  });
  const covers = (one: Box, other: Box): boolean =>
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height;
  fc.assert(
    fc.property(fc.array(anySlice, { maxLength: 5 }), fc.boolean(), (slices, isOpen) => {
      const open = new Set(isOpen ? drawModel(slices, closed).nodes.map(({ id }) => id) : []);
      const { nodes, edges } = drawModel(slices, open);
      expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
      for (const [at, one] of nodes.entries())
        for (const other of nodes.slice(at + 1)) expect(covers(one, other)).toBe(false);
      for (const edge of edges) {
        const [start, end] = [edge.from, edge.to].map((id) => nodes.find((node) => node.id === id));
        const { path, tip } = modelLine(edge, start!, end!);
        expect(path).toMatch(/^M[-\d.e ]+(C[-\d.e ]+)+$/);
        // At the side of what it leads to.
        expect(tip.x).toBe(tip.isFromLeft ? end!.x : end!.x + end!.width);
        expect(tip.y).toBe(end!.y + end!.height / 2);
      }
    }),
    { numRuns: 100 },
  );
});
