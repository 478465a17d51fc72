/** Who speaks when: in the order of the invitation, over and over. Pure. */

/**
 * @param slot counts from 0
 * @returns undefined where nobody is invited
 */
export function speakerAt<Speaker>(speakers: readonly Speaker[], slot: number): Speaker | undefined {
  return speakers[slot % speakers.length];
}

/** The speakers of the first `turns` slots. */
export function turnOrder<Speaker>(speakers: readonly Speaker[], turns: number): Speaker[] {
  if (speakers.length === 0) return [];
  return Array.from({ length: turns }, (_, slot) => speakerAt(speakers, slot)!);
}
