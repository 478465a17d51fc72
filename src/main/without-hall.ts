/** Operations that the command line can run by itself when no hall runs. */
import { bindDoctor } from '../features/doctor/operations.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { silentLog } from '../kernel/log/log.ts';
import { createRegistry, type BoundOperation } from '../kernel/operations/operations.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import { fail } from '../kernel/pure/errors.ts';
import { doctorContext } from './doctor-context.ts';

/** @param name of the doctor's operations */
export function operationHere(home: HomePaths, name: string): BoundOperation {
  const ctx = doctorContext({ clock: systemClock, log: silentLog, home });
  const operation = createRegistry(bindDoctor(ctx)).find(name);
  if (operation) return operation;
  throw fail('internal', `"${name}" cannot be run without a hall.`, 'guild-hall up --detach');
}
