/** What a worker decided in councils comes back in its meetings and commissions, too. */
import { rememberedDecisions } from '../features/councils/saving/recall.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import type { HallMemory } from '../kernel/workers/contract.ts';

/** Read from the project's integration checkout, where saved councils are. */
export function memoryOfCouncils({ home }: { readonly home: Pick<HomePaths, 'integrationWorktree'> }): HallMemory {
  return async ({ project, names, about }) =>
    await rememberedDecisions(home.integrationWorktree(project), names, about);
}
