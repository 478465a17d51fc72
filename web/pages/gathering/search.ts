/** What the address of a gathering says: whose terminal is shown beside it, and whether beats are unfolded. Pure. */
export interface GatheringSearch {
  /** `piece`: of whoever holds it; else the number of a member. */
  readonly live?: 'piece' | number | undefined;
  readonly beats?: true | undefined;
}

export function readGatheringSearch({ live, beats }: Record<string, unknown>): GatheringSearch {
  const isNumber = typeof live === 'number' && Number.isInteger(live) && live > 0;
  return {
    ...((live === 'piece' || isNumber) && { live: live as 'piece' | number }),
    ...(beats === true && { beats }),
  };
}
