/** Where the hall's own tmux server listens. */
import { join } from 'node:path';
import type { HomePaths } from '../kernel/projects/home.ts';

export function tmuxSocketOf({ state }: Pick<HomePaths, 'state'>): string {
  return join(state, 'tmux', 'hall.sock');
}
