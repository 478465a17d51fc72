/** Refusals that more than one command gives. */
import { fail, type HallError } from '../kernel/pure/errors.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

/** @param url undefined while the other hall is still starting */
export function alreadyRunning(home: HomePaths, pid: number, url: string | undefined): HallError {
  return fail(
    'conflict',
    `A hall is running already on ${home.root}: pid ${pid}${url === undefined ? ', not answering yet' : ` at ${url}`}.`,
    'Use that one, or end it first: guild-hall down',
    { pid, url: url ?? null },
  );
}
