/** A line through points from left to right that leaves and reaches each of them level. Pure. */
import type { Point } from './layout.ts';

/** An SVG path. */
export function edgePath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  let last = first;
  const parts = [`M${first.x} ${first.y}`];
  for (const point of rest) {
    const bend = Math.max(24, Math.abs(point.x - last.x) / 2);
    parts.push(
      point.y === last.y
        ? `L${point.x} ${point.y}`
        : `C${last.x + bend} ${last.y} ${point.x - bend} ${point.y} ${point.x} ${point.y}`,
    );
    last = point;
  }
  return parts.join(' ');
}
