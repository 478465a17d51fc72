/** Who speaks when: in the order of the invitation, over and over. Pure. */

/**
 * @param slot counts from 0
 * @returns undefined where nobody is invited
 */
export function speakerAt(names: readonly string[], slot: number): string | undefined {
  return names[slot % names.length];
}

/** The speakers of the first `turns` slots. */
export function turnOrder(names: readonly string[], turns: number): string[] {
  if (names.length === 0) return [];
  return Array.from({ length: turns }, (_, slot) => names[slot % names.length]!);
}
