/** One gathering from its start to its end, while the hall, a member or tmux is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { killHall, processesOf, type RunningHall, startHall } from '../parts/hall-process.ts';
import { findIn, type Found } from './invariants.ts';
import { attend, makePerson, type Person } from './person.ts';
import { forgetHeard, killQuietly, members, pidOf, type Place, tmuxPid } from './place.ts';

/**
 * What is killed, so long after the hall answered, or after the gathering was seen; `fault`: the hall, at the n-th fault
 * point that it passes.
 */
export type Blow =
  | { readonly what: 'hall' | 'tmux'; readonly afterMs: number; readonly isOnceSeen: boolean }
  | { readonly what: 'member'; readonly nth: number; readonly afterMs: number; readonly isOnceSeen: boolean }
  | { readonly what: 'fault'; readonly at: number };

export interface Round extends Found {
  readonly leaked: readonly string[];
  readonly blows: readonly { readonly what: Blow['what']; readonly during: string }[];
  readonly restartMs: readonly number[];
  readonly acknowledged: number;
  readonly closedBecause: string;
  readonly id: string | undefined;
}

/** How long the last hall may take to bring the gathering to its end. */
const endWithinMs = 150_000;

export interface Wanted {
  readonly program: string;
  readonly structure: string;
  readonly earlier: ReadonlySet<string>;
  /** The next blow; undefined: no more in this gathering. */
  readonly nextBlow: () => Blow | undefined;
}

export async function runRound(place: Place, wanted: Wanted): Promise<Round> {
  forgetHeard(place);
  const person = makePerson(wanted.structure, wanted.earlier);
  const blows: { what: Blow['what']; during: string }[] = [];
  const restartMs: number[] = [];
  const attending = attend(person);
  const isClosed = (): boolean => person.view?.gathering.stage === 'closed';
  let hall: RunningHall | undefined;
  try {
    for (;;) {
      const blow = isClosed() ? undefined : wanted.nextBlow();
      hall = await standing(place, wanted.program, hall, { person, blow, restartMs });
      if (hall === undefined) {
        blows.push({ what: 'fault', during: duringOf(person) });
        continue;
      }
      if (blow === undefined) break;
      const during = await strike(place, hall, blow, { person, attending });
      if (during !== undefined) blows.push({ what: blow.what, during });
      if (hall.process.signalCode !== null) hall = gone(person);
    }
    await Promise.race([attending, sleep(endWithinMs)]);
  } finally {
    person.isOver = true;
    await attending;
  }
  const leaked = await leaksIn(place, person, hall);
  if (hall !== undefined) await killHall(hall);
  const { lost, wrong } = findIn(place, person);
  const why = person.view?.gathering.close?.why.kind ?? 'not closed';
  return {
    lost,
    wrong,
    leaked,
    blows,
    restartMs,
    acknowledged: person.taken.length,
    closedBecause: why,
    id: person.id,
  };
}

function gone(person: Person): undefined {
  person.client = undefined;
}

/** The one that stands, or a new one; undefined where it died at its start. */
async function standing(
  place: Place,
  program: string,
  before: RunningHall | undefined,
  { person, blow, restartMs }: { person: Person; blow: Blow | undefined; restartMs: number[] },
): Promise<RunningHall | undefined> {
  if (before !== undefined && blow?.what !== 'fault') return before;
  // A fault point is for a hall that is started with it.
  if (before !== undefined) {
    gone(person);
    await killHall(before);
  }
  const env: Record<string, string> = blow?.what === 'fault' ? { GUILD_HALL_FAULT_AT: String(blow.at) } : {};
  const hall = await startHall(place, env, { program });
  if (hall === 'died') return undefined;
  restartMs.push(hall.readyMs);
  person.client = hall.client;
  return hall;
}

/** @returns where the gathering was; undefined where nothing was struck */
async function strike(
  place: Place,
  hall: RunningHall,
  blow: Blow,
  { person, attending }: { person: Person; attending: Promise<void> },
): Promise<string | undefined> {
  if (blow.what === 'fault') {
    const dead = new Promise<void>((done) => void hall.process.once('exit', () => done()));
    await Promise.race([dead, attending, sleep(endWithinMs)]);
    return hall.process.signalCode === null ? undefined : duringOf(person);
  }
  for (let tries = 0; blow.isOnceSeen && person.view === undefined && tries < 300; tries += 1) await sleep(100);
  await Promise.race([attending, sleep(blow.afterMs)]);
  const during = duringOf(person);
  if (blow.what === 'hall') {
    gone(person);
    await killHall(hall);
    return during;
  }
  const pid = blow.what === 'member' ? pidOf(place, members[blow.nth % members.length]!) : tmuxPid(place);
  return pid !== undefined && killQuietly(pid) ? during : undefined;
}

function duringOf({ view, id }: Person): string {
  return view?.gathering.stage ?? (id === undefined ? 'before its start' : 'its start');
}

/** What a closed gathering may not leave: its programs, and members that are still taken. */
async function leaksIn(place: Place, person: Person, hall: RunningHall | undefined): Promise<string[]> {
  if (hall === undefined) return ['no hall runs'];
  const own = (): number[] =>
    members.flatMap((name) => pidOf(place, name) ?? []).filter((pid) => processesOf(place).includes(pid));
  const listed = async (): Promise<readonly { readonly name: string }[]> =>
    ((await hall.client.call('terminal.list', {})) as { terminals: { name: string }[] }).terminals;
  // They are told of the close before they end.
  for (let tries = 0; tries < 150 && (own().length > 0 || (await listed()).length > 0); tries += 1) await sleep(100);
  const left = own().map((pid) => `the program ${pid} of a member`);
  const terminals = await listed();
  return [...left, ...terminals.map(({ name }) => `the terminal ${name} after ${person.id}`)];
}
