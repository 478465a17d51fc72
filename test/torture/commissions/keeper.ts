/** Keeps a hall running on a home while somebody kills it; calls go on at the next one. */
import type { HallClient } from '../../../src/interfaces/cli/client.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { delay, killHall, type RunningHall, startHall, stopHall } from '../parts/hall-process.ts';
import type { Findings } from './findings.ts';
import type { Place } from './place.ts';

export interface Keeper {
  readonly place: Place;
  readonly findings: Findings;
  /** Undefined while none answers. */
  hall: RunningHall | undefined;
  /** Moments of kills, milliseconds since 1970. */
  readonly kills: number[];
  isClosed: boolean;
}

export function makeKeeper(place: Place, findings: Findings): Keeper {
  return { place, findings, hall: undefined, kills: [], isClosed: false };
}

export async function bringUp(keeper: Keeper, env: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const hall = await startHall(keeper.place, env, { program: keeper.place.program });
  if (hall === 'died') return false;
  keeper.hall = hall;
  keeper.findings.restartMs.push(hall.readyMs);
  return true;
}

export async function requireUp(keeper: Keeper): Promise<void> {
  if (!(await bringUp(keeper))) throw new Error('the hall died at its start, and nobody had killed it');
}

export async function takeDown(keeper: Keeper): Promise<void> {
  const { hall } = keeper;
  keeper.hall = undefined;
  if (hall !== undefined) await stopHall(hall);
}

export async function kill(keeper: Keeper): Promise<void> {
  const { hall } = keeper;
  keeper.hall = undefined;
  keeper.kills.push(Date.now());
  if (hall !== undefined) await killHall(hall);
}

/** Starts a hall and kills it while it starts. */
export async function killWhileStarting(keeper: Keeper, afterMs: number): Promise<void> {
  let killed: Promise<void> | undefined;
  const hall = await startHall(
    keeper.place,
    {},
    {
      program: keeper.place.program,
      onStarted: (pid) => {
        killed = delay(afterMs).then(() => {
          keeper.kills.push(Date.now());
          process.kill(pid, 'SIGKILL');
        });
      },
    },
  );
  await killed;
  if (hall !== 'died') await killHall(hall);
}

/** Asks until a hall has answered. A refusal is thrown. */
export async function callUntilAnswered<T>(keeper: Keeper, operation: string, input: unknown): Promise<T> {
  for (;;) {
    if (keeper.isClosed) throw new Error('the run is over');
    const { hall } = keeper;
    if (hall !== undefined) {
      try {
        return (await callOnce(hall.client, operation, input)) as T;
      } catch (error) {
        if (error instanceof HallError && error.code !== 'unavailable') throw error;
      }
    }
    await delay(20);
  }
}

async function callOnce(client: HallClient, operation: string, input: unknown): Promise<unknown> {
  return await client.call(operation, input, AbortSignal.timeout(20_000));
}
