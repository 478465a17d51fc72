/** What whoever asked is told when tmux went away meanwhile. */
import { fail } from '../../pure/errors.ts';
import { TmuxGone } from './connection.ts';

/** @throws `unavailable` where tmux does not answer; what `work` throws else */
export async function withTmux<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TmuxGone)) throw error;
    throw fail(
      'unavailable',
      'tmux went away, or does not answer; whether that was done is not known.',
      'See what lives, then try again: guild-hall terminal list',
    );
  }
}
