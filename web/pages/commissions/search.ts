/** What the address of the list says: the filter, and whether it is drawn as a graph. Pure. */
import { type GroupName, groupNames } from './groups.ts';

export interface CommissionsSearch {
  readonly words?: string | undefined;
  readonly worker?: string | undefined;
  readonly state?: GroupName | undefined;
  readonly view?: 'graph' | undefined;
}

/** Anything else is left out. */
export function readCommissionsSearch({ words, worker, state, view }: Record<string, unknown>): CommissionsSearch {
  const known = groupNames.find((name) => name === state);
  return {
    ...(typeof words === 'string' && words !== '' && { words }),
    ...(typeof worker === 'string' && worker !== '' && { worker }),
    ...(known !== undefined && { state: known }),
    ...(view === 'graph' && { view }),
  };
}
