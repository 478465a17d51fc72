/** What the address of a commission says: what is looked at of it, and which file of the changes. Pure. */
export const views = ['work', 'timeline', 'changes'] as const;
export type ViewName = (typeof views)[number];

export interface CommissionSearch {
  /** Left out: the work. */
  readonly view?: Exclude<ViewName, 'work'> | undefined;
  /** The changed file to be shown open. */
  readonly file?: string | undefined;
}

/** Anything else is left out. */
export function readCommissionSearch({ view, file }: Record<string, unknown>): CommissionSearch {
  return {
    ...((view === 'timeline' || view === 'changes') && { view }),
    ...(typeof file === 'string' && file !== '' && { file }),
  };
}
