/** One council from its start to its end, while the hall that holds it is killed again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { killHall, type RunningHall, startHall, stopHall } from '../parts/hall-process.ts';
import { leaksIn, leftBy, type Left } from './compare.ts';
import { attend, look, makePerson, type Person } from './person.ts';
import { homeOf, makePlace, type Place, projectName, removePlace } from './place.ts';

/** How a hall ends. */
export type Death =
  /** Milliseconds after it answered; negative: after its process was started. */
  | { readonly kind: 'kill'; readonly afterMs: number }
  /** Politely, so long after it answered. */
  | { readonly kind: 'stop'; readonly afterMs: number }
  /** At the n-th fault point that it passes. */
  | { readonly kind: 'fault'; readonly at: number };

export interface Round {
  readonly left: Left;
  readonly deaths: readonly { readonly kind: Death['kind'] | 'start'; readonly during: string }[];
  readonly acknowledged: number;
  readonly restartMs: readonly number[];
  readonly lost: readonly string[];
  readonly wrong: readonly string[];
  readonly leaked: readonly string[];
  /** Where it is kept for a look; undefined where nothing was found. */
  readonly kept: string | undefined;
}

/** How long the last hall may take to bring the council to its end. */
const endWithinMs = 180_000;

/** @param nextDeath of the next hall; undefined: it may live */
export async function runRound(
  program: string,
  isInPlace: boolean,
  nextDeath: () => Death | undefined,
): Promise<Round> {
  const place = makePlace(isInPlace);
  await prepare(place, program);
  const person = makePerson(place);
  const deaths: { kind: Death['kind'] | 'start'; during: string }[] = [];
  const restartMs: number[] = [];
  const attending = attend(person);
  try {
    for (;;) {
      const death = person.session?.status === 'saved' ? undefined : nextDeath();
      const life = await live(place, program, person, death, attending);
      if (life.readyMs !== undefined) restartMs.push(life.readyMs);
      if (life.died !== undefined) deaths.push({ kind: life.died, during: stageOf(person) });
      if (death === undefined || (life.died === undefined && person.session?.status === 'saved')) break;
    }
  } finally {
    person.isOver = true;
    await attending;
  }
  await look(person);
  const { session, lost, wrong } = person;
  if (session?.status !== 'saved') wrong.push(`it did not come to its end: ${session?.status ?? 'not begun'}`);
  const leaked = leaksIn(place);
  const isClean = lost.length + wrong.length + leaked.length === 0;
  const left = session === undefined ? {} : leftBy(place, session);
  if (isClean) removePlace(place);
  const { acknowledged } = person;
  return { left, deaths, acknowledged, restartMs, lost, wrong, leaked, kept: isClean ? undefined : place.folder };
}

async function prepare(place: Place, program: string): Promise<void> {
  const hall = await startHall(homeOf(place), {}, { program });
  if (hall === 'died') throw new Error('the hall died, and nobody had killed it');
  await hall.client.call('project.add', { path: place.repo, name: projectName });
  await stopHall(hall);
}

interface Life {
  readonly died: Death['kind'] | 'start' | undefined;
  readonly readyMs: number | undefined;
}

async function live(
  place: Place,
  program: string,
  person: Person,
  death: Death | undefined,
  attending: Promise<void>,
): Promise<Life> {
  const env: Record<string, string> = death?.kind === 'fault' ? { GUILD_HALL_FAULT_AT: String(death.at) } : {};
  const hall = await startHall(homeOf(place), env, {
    program,
    onStarted: (pid) => {
      if (death?.kind === 'kill' && death.afterMs < 0) setTimeout(() => killQuietly(pid), -death.afterMs);
    },
  });
  if (hall === 'died') return { died: death?.kind === 'fault' ? 'fault' : 'start', readyMs: undefined };
  person.client = hall.client;
  const isDead = dead(hall);
  const ends: Promise<unknown>[] = [isDead, attending];
  const over = new AbortController();
  const atMost = death === undefined || death.kind === 'fault' ? endWithinMs : Math.max(0, death.afterMs);
  ends.push(
    sleep(atMost, undefined, { signal: over.signal }).catch(() => {
      // It was over before.
    }),
  );
  await Promise.race(ends);
  over.abort();
  person.client = undefined;
  const { readyMs } = hall;
  if (death?.kind === 'kill') {
    await killHall(hall);
    return { died: 'kill', readyMs };
  }
  await stopHall(hall);
  if (death?.kind === 'stop') return { died: 'stop', readyMs };
  return { died: hall.process.signalCode === 'SIGKILL' ? 'fault' : undefined, readyMs };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function dead({ process: child }: RunningHall): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done();
    else child.once('exit', () => done());
  });
}

function stageOf({ session }: Person): string {
  if (session === undefined) return 'before its start';
  return session.status === 'running' ? session.phase : `${session.phase}, ${session.status}`;
}
