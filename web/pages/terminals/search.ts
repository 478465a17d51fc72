/** What the address of the list says: whether it is shown live, and which ones. Pure. */
export interface TerminalsSearch {
  readonly view?: 'live' | undefined;
  /** Ids of those that are shown live; left out: all that run. */
  readonly show?: readonly string[] | undefined;
  /** Those of the last days that have ended, too. */
  readonly ended?: true | undefined;
}

/** Anything else is left out. */
export function readTerminalsSearch({ view, show, ended }: Record<string, unknown>): TerminalsSearch {
  const ids = Array.isArray(show) ? show.filter((id): id is string => typeof id === 'string') : [];
  return {
    ...(view === 'live' && { view }),
    ...(ids.length > 0 && { show: ids }),
    ...(ended === true && { ended }),
  };
}
