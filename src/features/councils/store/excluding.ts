/** Session files are kept out of commits: a line in the repository's own list of what is left out, which nobody else gets. */
import { keepOutOfStatus } from '../../../kernel/git/excluding.ts';
import type { CouncilsContext } from '../context.ts';
import { type CouncilRef, sessionsFolder } from './place.ts';

export async function keepOutOfCommits(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  await keepOutOfStatus(ctx, ref.root, `/${sessionsFolder}/`);
}
