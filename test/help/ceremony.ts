/** Gatherings of plain values: a circle, its clock, and what each member was told, without a hall. */
import {
  gatheringIdSchema,
  type Gathering,
  type Notice,
  type Seat,
} from '../../src/features/gatherings/contract/gathering.ts';
import {
  begun,
  type Founding,
  type Input,
  step,
  type Words,
} from '../../src/features/gatherings/rules/ceremony/machine.ts';
import { dueOf, later } from '../../src/features/gatherings/rules/ceremony/due.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { terminalIdSchema } from '../../src/kernel/terminals/contract.ts';

export const startAt = '2026-03-02T09:00:00.000Z';

/** Speakers of these names in this order, then the harvester `Scribe`; `Mo` is the person. */
export function sampleSeats(names: readonly string[]): Seat[] {
  return [...names, 'Scribe'].map((name, index) => ({
    number: index + 1,
    name,
    role: index < names.length ? 'speaker' : 'harvester',
    terminal: name === 'Mo' ? null : terminalIdSchema.parse(`terminal-${index + 1}`),
    isSpawned: true,
    state: 'here',
  }));
}

export function sampleFounding(names: readonly string[], changes: Partial<Founding> = {}): Founding {
  const seats = sampleSeats(names);
  return {
    id: gatheringIdSchema.parse('circle'),
    project: projectNameSchema.parse('sample'),
    rhythm: 'daily',
    question: 'What is alive?',
    structure: { inhale: 1, hold: 1, exhale: 1 },
    beatsPerTurn: 3,
    beatIntervalSeconds: 60,
    graceSeconds: 20,
    extraBeats: 2,
    harvestSeconds: 300,
    startedBy: 'person',
    startedAt: startAt,
    seats,
    seedTexts: Object.fromEntries(seats.map(({ number, name }) => [number, `Seed of ${name}`])),
    ...changes,
  };
}

/** A gathering that goes on, with all that went out so far. */
export interface Circle {
  gathering: Gathering;
  at: string;
  readonly log: Notice[];
  readonly withdrawn: string[];
  /** Of the speeches. */
  said: number;
}

export function sampleCircle(names: readonly string[], changes: Partial<Founding> = {}): Circle {
  const gathering = begun(sampleFounding(names, changes));
  const circle: Circle = { gathering, at: startAt, log: [], withdrawn: [], said: 0 };
  sendOut(circle);
  return circle;
}

/** As the hall does: what is to go out is kept once by its id. @returns what went out */
export function sendOut(circle: Circle): Notice[] {
  const { outbox } = circle.gathering;
  const fresh = outbox.filter(({ id }) => circle.log.every((each) => each.id !== id));
  circle.log.push(...fresh);
  circle.gathering = { ...circle.gathering, outbox: [] };
  return fresh;
}

type Given<Some> = Some extends Input ? Omit<Some, 'at'> : never;

/** One input, now. @returns what goes out because of it */
export function put(circle: Circle, input: Given<Input>): Notice[] {
  const { next, withdraw } = step(circle.gathering, { ...input, at: circle.at } as Input);
  circle.gathering = next;
  circle.withdrawn.push(...withdraw);
  return sendOut(circle);
}

/** Seconds go by. */
export function wait(circle: Circle, seconds: number): void {
  circle.at = later(circle.at, seconds);
}

/** Till the clock has something to do, and it does it. */
export function waitForClock(circle: Circle, producing = false): Notice[] {
  const due = dueOf(circle.gathering);
  if (due === null) return [];
  if (due.at > circle.at) circle.at = due.at;
  return put(circle, { kind: 'clock', producing, pulse: 'all is well' });
}

/** Its announcement reaches the holder. */
export function arrive(circle: Circle): void {
  put(circle, { kind: 'arrived', turn: circle.gathering.turn!.number });
}

/** Words of a member, after what reached it last: of the holder they are of its turn. */
export function words(circle: Circle, text: string, changes: Partial<Words> = {}): Given<Words> {
  const { turn } = circle.gathering;
  const from = changes.from ?? turn?.holder ?? 0;
  const isPerson = circle.gathering.seats.some(({ number, terminal }) => number === from && terminal === null);
  const after = circle.log.findLast(({ to }) => to.includes(from))?.id ?? null;
  const source = isPerson ? 'person' : 'signal';
  return {
    kind: 'words',
    from,
    id: `speech-${(circle.said += 1)}`,
    text,
    own: text,
    after: isPerson ? null : after,
    source,
    ...changes,
  };
}

/** The holder, whom the piece has reached, says something. */
export function say(circle: Circle, text: string, changes: Partial<Words> = {}): Notice[] {
  if (circle.gathering.turn?.arrivedAt === null) arrive(circle);
  return put(circle, words(circle, text, changes));
}

export function holderOf({ gathering }: Circle): string | undefined {
  return gathering.seats.find(({ number }) => number === gathering.turn?.holder)?.name;
}

/** Everybody passes at once. @returns who had the piece, in order */
export function passOn(circle: Circle, turns: number): string[] {
  return Array.from({ length: turns }, () => {
    const name = holderOf(circle) ?? '';
    if (name !== '') say(circle, 'I pass');
    return name;
  });
}

/** Lines that a member was told, in order. */
export function linesTo({ log }: Circle, number: number): string[] {
  return log.filter(({ to }) => to.includes(number)).flatMap(({ text }) => text.split('\n'));
}
