import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf, type GraphEdge, keyOfEdge, layOut } from './layout.ts';

const spacing = { nodeWidth: 200, column: 80, row: 70 };
const edgesOf = (text: string): GraphEdge[] =>
  text.split(' ').map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) }));

test('each stands right of all that it waits for, and what waits for nothing beside the first that needs it', () => {
  const columns = columnsOf([...'abcde'], edgesOf('ab bc ac ed dc'));
  expect(Object.fromEntries(columns)).toEqual({ a: 0, b: 1, c: 2, d: 1, e: 0 });
  const late = columnsOf([...'abcx'], edgesOf('ab bc xc'));
  expect(late.get('x')).toBe(1);
});

test('a line over several columns has a lane of its own, beside the nodes between', () => {
  const { nodes, lanes } = layOut([...'abc'], edgesOf('ab bc ac'), spacing);
  const [lane] = lanes.get('a>c')!;
  expect(lane?.x).toBe(nodes.get('b')!.x);
  expect(Math.abs(lane!.y - nodes.get('b')!.y)).toBeGreaterThanOrEqual(spacing.row);
});

test('what stands alone is left out, and what hangs together does not lie over something else', () => {
  const { nodes } = layOut([...'abcdz'], edgesOf('ab cd'), spacing);
  expect(nodes.has('z')).toBe(false);
  expect(nodes.get('c')!.y).toBeGreaterThan(nodes.get('a')!.y);
});

test('any graph, circles and loops too: every node with an edge has a place, and no two share one', () => {
  const ids = [...'abcdefghij'];
  const edge = fc.record({ from: fc.constantFrom(...ids), to: fc.constantFrom(...ids) });
  fc.assert(
    fc.property(fc.uniqueArray(edge, { maxLength: 25, selector: keyOfEdge }), (edges) => {
      const { nodes, height, width } = layOut(ids, edges, spacing);
      const touched = new Set(edges.filter(({ from, to }) => from !== to).flatMap(({ from, to }) => [from, to]));
      expect(new Set(nodes.keys())).toEqual(touched);
      const all = [...nodes.values()];
      for (const { x, y } of all) {
        expect(x >= 0 && x + spacing.nodeWidth <= width && y >= 0 && y <= height).toBe(true);
      }
      for (const [nth, one] of all.entries()) {
        for (const other of all.slice(nth + 1)) {
          expect(one.x !== other.x || Math.abs(one.y - other.y) >= spacing.row - 0.001).toBe(true);
        }
      }
    }),
    { numRuns: 300 },
  );
});
