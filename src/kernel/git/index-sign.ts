/**
 * Which tree an index makes, as far as this process knows it: it put the index there itself, or has asked git. Git
 * never changes an index in its place, so another file there is another one.
 */
import type { BigIntStats } from 'node:fs';

/** So many indexes are remembered. */
const maxKept = 500;

const known = new Map<string, { readonly sign: string; readonly tree: string }>();

function signOf({ dev, ino, mtimeNs, size }: BigIntStats): string {
  return [dev, ino, mtimeNs, size].join(' ');
}

export function isSameFile(one: BigIntStats | undefined, other: BigIntStats): boolean {
  return one !== undefined && signOf(one) === signOf(other);
}

/** @param index its path */
export function rememberTree(index: string, facts: BigIntStats, tree: string): void {
  known.delete(index);
  known.set(index, { sign: signOf(facts), tree });
  for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - maxKept))) known.delete(oldest);
}

export function recallTree(index: string, facts: BigIntStats): string | undefined {
  const found = known.get(index);
  return found?.sign === signOf(facts) ? found.tree : undefined;
}
