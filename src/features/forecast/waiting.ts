/** Conflicts that are foreseen, as items of the inbox: while the work still runs, something can be done about them. */
import { problemItem, type WaitingItem } from '../inbox/contract.ts';
import type { ForecastContext } from './context.ts';
import type { ConflictPair } from './contract.ts';
import { conflictsIn } from './forecasting.ts';

export async function conflictsForeseen(ctx: ForecastContext): Promise<WaitingItem[]> {
  const { pairs } = await conflictsIn(ctx);
  return pairs.filter(({ isConflict }) => isConflict).map(itemOf);
}

/** So many files are named. */
const maxNamed = 10;

function itemOf({ project, a, b, files }: ConflictPair): WaitingItem {
  const other = b === null ? 'what was merged since it began' : `${b.kind} “${b.title}”`;
  const more = files.length > maxNamed ? ` and ${files.length - maxNamed} more` : '';
  return problemItem({
    project,
    subject: a,
    title: `${a.kind === '' ? '' : a.kind.charAt(0).toUpperCase() + a.kind.slice(1)} “${a.title}” will not merge with ${other}`,
    detail: `Both change: ${files.slice(0, maxNamed).join(', ')}${more}. Nothing is wrong yet: the one that ends first is merged.`,
    actions: [],
  });
}
