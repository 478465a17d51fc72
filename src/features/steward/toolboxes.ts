/** The toolbox that the hall provides for the one worker that hands out work. */
import { fail } from '../../kernel/pure/errors.ts';
import type { ActivityRef, WorkerName } from '../../kernel/pure/ids.ts';
import type { HallToolboxes } from '../../kernel/workers/contract.ts';
import { stewardName } from './contract.ts';
import { createStewardToolbox, type StewardDesk } from './toolbox.ts';

/** @param deskOf the way to the hall's operations: in the hall itself, or from the process of a worker */
export function stewardToolboxes(deskOf: (activity: ActivityRef, worker: WorkerName) => StewardDesk): HallToolboxes {
  return (name, { worker, activity }) => {
    if (name !== stewardName) return undefined;
    if (worker !== stewardName) throw notYours(worker);
    return createStewardToolbox(deskOf(activity, worker), activity);
  };
}

function notYours(worker: string): Error {
  return fail(
    'forbidden',
    `The worker "${worker}" names the toolbox "${stewardName}", which the hall gives to the worker "${stewardName}" alone.`,
    'Take it out of the toolboxes in its package.json.',
    { worker, toolbox: stewardName },
  );
}
