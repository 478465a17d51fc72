/** Joins the toolbox of the worker that keeps the overview: to the hall's own operations, or to its door. */
import { stewardToolboxes } from '../features/steward/toolboxes.ts';
import { createClient, findHall } from '../interfaces/cli/client.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { HallToolboxes } from '../kernel/workers/contract.ts';
import type { HallFeature } from './feature.ts';
import { callByName } from './pages.ts';

/** In the hall. @param features all of it; those that are joined later count as well */
export function toolboxesOf(features: readonly HallFeature[]): HallToolboxes {
  return stewardToolboxes((activity, worker) => ({
    call: async (operation, input) => await callByName(features, { kind: 'agent', activity, worker }, operation, input),
  }));
}

/**
 * In the process of a worker, which works on while the hall is away.
 * @param home of the hall, absolute
 * @param pass what the hall admits this attempt by
 */
export function distantToolboxes(home: string, pass: string | undefined): HallToolboxes {
  return stewardToolboxes(() => ({
    call: async (operation, input) => {
      const hall = await findHall(home);
      if (hall === undefined || pass === undefined) throw hallIsAway();
      return await createClient(home, hall.url, pass).call(operation, input);
    },
  }));
}

function hallIsAway(): Error {
  return fail(
    'unavailable',
    'The hall is away at the moment, and only it can do that.',
    'Go on with what needs no hall and try once more later; what is still open then, say in the result.',
  );
}
