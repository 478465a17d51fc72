/** What saving needs of the hall: less than a council that runs. */
import type { CouncilsContext } from '../context.ts';

export type SavingContext = Pick<CouncilsContext, 'clock' | 'ids' | 'log' | 'locks' | 'home'>;
