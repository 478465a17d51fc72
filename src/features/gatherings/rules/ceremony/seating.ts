/** Who is to sit in a gathering, from the words that it is asked for with. Refused before anything is started. Pure. */
import { type ErrorFacts, fail, type HallError } from '../../../../kernel/pure/errors.ts';
import type { TerminalId } from '../../../../kernel/terminals/contract.ts';
import { terminalNameSchema } from '../../../terminals/contract.ts';
import type { Seat } from '../../contract/gathering.ts';
import { plainName } from './piece.ts';

/** A running terminal, as far as it can be asked to come. */
export interface Guest {
  readonly id: TerminalId;
  readonly name: string;
  readonly isAlive: boolean;
  readonly isShell: boolean;
  /** Id of the conversation or gathering that it is in. */
  readonly takenBy: string | undefined;
}

/** Somebody who is to come: a running terminal, one that is to be started, or the person. */
export type Invited = { readonly name: string } & (
  | { readonly terminal: TerminalId }
  | { readonly entry: string }
  | { readonly isPerson: true }
);

export interface Asked {
  readonly participants: readonly string[];
  readonly harvester: string;
  /** Name of the person; undefined where they take no part. */
  readonly human: string | undefined;
}

/** What there is. */
export interface Known {
  /** Names of the ready agents. */
  readonly entries: readonly string[];
  /** Names of all terminals that live. */
  readonly taken: readonly string[];
  /** The terminal that is meant. @throws HallError where several are */
  readonly find: (given: string) => Guest | undefined;
}

export interface Seating {
  /** In their order. */
  readonly speakers: readonly Invited[];
  readonly harvester: Invited;
}

/** @throws HallError that names the field */
export function seatingOf(asked: Asked, known: Known): Seating {
  const human = personOf(asked.human);
  if (human !== undefined && plainName(asked.harvester) === plainName(human.name))
    throw refuse('harvester', 'The person cannot be the harvester.', 'Name a terminal, or an agent to start.');
  const harvester = invitedBy(asked.harvester, 'harvester', known);
  const named = asked.participants.map((given) =>
    human !== undefined && plainName(given) === plainName(human.name) ? human : invitedBy(given, 'participants', known),
  );
  // Named among the participants too, it is taken out of the speaking order.
  const speakers = named.filter((each) => !isSame(each, harvester));
  const all = human === undefined || speakers.includes(human) ? speakers : [...speakers, human];
  requireOnce([...all, harvester]);
  if (all.length >= 2) return { speakers: all, harvester };
  throw refuse(
    'participants',
    `A gathering needs two speakers or more, the person included; here ${all.length === 1 ? 'is one' : 'is none'}.`,
    'Name another terminal, or an agent to start: --participants Ada,Grace=claude',
  );
}

/** With their numbers; the harvester has the last. @param terminals by name, of those that were started */
export function seatsOf(
  { speakers, harvester }: Seating,
  terminals: ReadonlyMap<string, TerminalId>,
  endsSpawned: boolean,
): Seat[] {
  return [...speakers, harvester].map((invited, index) => ({
    number: index + 1,
    name: invited.name,
    role: index < speakers.length ? 'speaker' : 'harvester',
    terminal:
      'terminal' in invited ? invited.terminal : 'entry' in invited ? (terminals.get(invited.name) ?? null) : null,
    isSpawned: 'entry' in invited && endsSpawned,
    state: 'here',
  }));
}

function personOf(name: string | undefined): Invited | undefined {
  if (name === undefined) return undefined;
  const plain = name.normalize('NFC').trim();
  if (terminalNameSchema.safeParse(plain).success || /^[\p{L}\p{N}][\p{L}\p{N} .'_-]{0,58}[\p{L}\p{N}.]$/u.test(plain))
    return { name: plain, isPerson: true };
  throw refuse(
    'human',
    `${JSON.stringify(shortened(name))} is no name.`,
    'Letters and digits, in one line: --human Mo',
  );
}

function invitedBy(given: string, field: Field, known: Known): Invited {
  const words = given.trim();
  const [name = '', entry, ...more] = words.split('=').map((word) => word.trim());
  if (entry !== undefined) return started({ name, entry: [entry, ...more].join('=') }, field, known);
  const guest = known.find(words);
  if (guest?.isAlive === true) return guestOf(guest, field);
  if (known.entries.includes(words)) return started({ name: words, entry: words }, field, known);
  if (guest !== undefined)
    throw refuse(
      field,
      `The terminal ${JSON.stringify(shortened(guest.name))} has ended.`,
      'Name one that runs: guild-hall terminal list',
    );
  throw fail(
    'not_found',
    `There is no terminal ${JSON.stringify(shortened(words))}, and no agent of that name that could be started.`,
    `Name a terminal (guild-hall terminal list), or one of: ${known.entries.join(', ')}.`,
    { field },
  );
}

function started(wanted: { name: string; entry: string }, field: Field, known: Known): Invited {
  const { name, entry } = wanted;
  if (!known.entries.includes(entry)) {
    const hint = `Give one of these behind the name: ${known.entries.join(', ')}.`;
    throw refuse(field, `There is no agent ${JSON.stringify(shortened(entry))} that could be started.`, hint);
  }
  const issue = terminalNameSchema.safeParse(name).error?.issues[0]?.message;
  if (issue !== undefined)
    throw refuse(
      field,
      `${JSON.stringify(shortened(name))} is no name of a terminal: ${issue}.`,
      `For example: Ada=${entry}`,
    );
  if (known.taken.some((each) => plainName(each) === plainName(name))) {
    const hint = `Leave out "=${entry}" to ask that one to come, or take another name: ${name}-2=${entry}`;
    throw fail('conflict', `The name ${JSON.stringify(shortened(name))} is taken by a terminal that lives.`, hint, {
      field,
    });
  }
  return wanted;
}

function guestOf({ id, name, isShell, takenBy }: Guest, field: Field): Invited {
  if (isShell) {
    const message = `${JSON.stringify(shortened(name))} is a shell: what is said there is run as commands.`;
    throw fail('forbidden', message, 'Name a terminal with an agent in it: guild-hall terminal list', { field });
  }
  if (takenBy === undefined) return { name, terminal: id };
  throw fail(
    'conflict',
    `${JSON.stringify(shortened(name))} takes part in another conversation or gathering: ${takenBy}.`,
    'A terminal is in one at a time: end that one first, or name another.',
    { field, id: takenBy },
  );
}

function isSame(one: Invited, other: Invited): boolean {
  if ('terminal' in one && 'terminal' in other) return one.terminal === other.terminal;
  return (
    'entry' in one && 'entry' in other && one.entry === other.entry && plainName(one.name) === plainName(other.name)
  );
}

function requireOnce(all: readonly Invited[]): void {
  const seen = new Set<string>();
  for (const { name } of all) {
    const plain = plainName(name);
    if (seen.has(plain)) {
      const hint = 'Give each a name of its own, like Ada=claude,Grace=claude.';
      throw refuse('participants', `Two members would be called ${JSON.stringify(shortened(name))}.`, hint);
    }
    seen.add(plain);
  }
}

type Field = 'participants' | 'harvester' | 'human';

function refuse(field: Field, message: string, hint: string): HallError {
  const details: NonNullable<ErrorFacts['details']> = { field };
  return fail('invalid', message, hint, details);
}

function shortened(text: string): string {
  return text.slice(0, 100);
}
