/** Where the speakers sit, and the way of the piece between them. Pure. Lengths in the units of the drawing. */

/** Side of the drawing. */
export const side = 352;
export const centre = side / 2;
/** Of the ring on which the speakers sit. */
export const ring = 118;
/** Of the way of the piece, inside it. */
const way = 84;
/** Half of a speaker's mark, with air around it. */
export const markRadius = 26;

/** So many can be read in a circle; more are a list. */
export const mostInCircle = 8;

/** So many have room for a word on each beside its name. */
export const mostWithWords = 5;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Radians; the first sits at the top, the others follow clockwise. */
function angleOf(nth: number, of: number): number {
  return (nth / of) * 2 * Math.PI - Math.PI / 2;
}

function at(angle: number, radius: number): Point {
  return { x: round(centre + radius * Math.cos(angle)), y: round(centre + radius * Math.sin(angle)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function seatAt(nth: number, of: number): Point {
  return at(angleOf(nth, of), ring);
}

/** Names stand outside the ring: above in its upper half. */
export function isNamedAbove(nth: number, of: number): boolean {
  return Math.sin(angleOf(nth, of)) < -0.2;
}

/** Where the piece lies when that one has it. */
export function pieceAt(nth: number, of: number): Point {
  return at(angleOf(nth, of), way);
}

/**
 * Each step of the piece as a path: along the inside of the ring, the shorter way round. Steps back lie a little
 * further in, so that they are told from those forward.
 * @param places of those who had it, in the order in which they did, from 0
 */
export function wayOf(places: readonly number[], of: number): string[] {
  return places.slice(1).map((to, nth) => stepOf(places[nth]!, to, of));
}

function print({ x, y }: Point): string {
  return `${x} ${y}`;
}

function stepOf(from: number, to: number, of: number): string {
  const forward = (to - from + of) % of;
  const isForward = forward * 2 <= of;
  const radius = isForward ? way : way - 7;
  const [one, other] = [angleOf(from, of), angleOf(to, of)];
  const [begin, end] = [at(one, radius), at(other, radius)];
  const arc = `L${print(begin)}A${radius} ${radius} 0 0 ${isForward ? 1 : 0} ${print(end)}`;
  return `M${print(at(one, way))}${arc}L${print(at(other, way))}`;
}
