/** A hall of the built program on a home of its own, for the benches of commissions, and what they share. */
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Place, makePlace, removePlace } from '../../test/torture/commissions/place.ts';
import { type RunningHall, startHall, stopHall } from '../../test/torture/parts/hall-process.ts';

export interface CommissionBench {
  readonly place: Place;
  readonly hall: RunningHall;
  readonly close: () => Promise<void>;
}

/** @param settings lines of `config.yaml`; left out, those of the torture runs */
export async function openBench(settings?: readonly string[]): Promise<CommissionBench> {
  const place = await makePlace();
  if (settings !== undefined) writeFileSync(join(place.home, 'config.yaml'), `${settings.join('\n')}\n`);
  const hall = await startHall(place, {}, { program: place.program });
  if (hall === 'died') throw new Error('the hall died at its start');
  const close = async (): Promise<void> => {
    await stopHall(hall);
    removePlace(place, false);
  };
  return { place, hall, close };
}

/** Looks every millisecond. Resolves with the monotonic time at which it was so. */
export async function whenSo(what: string, isSo: () => boolean, withinMs = 60_000): Promise<number> {
  const patience = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > patience) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(1);
  }
  return performance.now();
}

export function whenThere(path: string): Promise<number> {
  return whenSo(path, () => existsSync(path));
}

export function whenGone(path: string): Promise<number> {
  return whenSo(path, () => !existsSync(path));
}

export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? Number.NaN;
}

export function ratiosOf(hall: readonly number[], byHand: readonly number[]): readonly number[] {
  return hall.map((ms, index) => ms / byHand[index]!);
}

/** Of the machine, for the table: a busy one slows both sides, and not evenly. */
export function machineNow(): string {
  return `${cpus().length} cores, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`;
}

export interface Row {
  readonly name: string;
  readonly value: string;
}

export function printRows(rows: readonly Row[], json: string | undefined, facts: unknown): void {
  for (const { name, value } of rows) process.stdout.write(`${name.padEnd(46)}${value}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(facts, null, 2)}\n`);
}

export function msOf(values: readonly number[]): string {
  return `${quantile(values, 0.5).toFixed(0)} ms, p95 ${quantile(values, 0.95).toFixed(0)} ms`;
}
