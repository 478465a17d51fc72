/** The person of a gathering: takes part over the ends of halls, and remembers what was acknowledged. */
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import type { HallClient } from '../../../src/interfaces/cli/client.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { delay } from '../parts/hall-process.ts';
import { projectName } from './place.ts';

export interface Person {
  /** Of the hall that answers now. */
  client: HallClient | undefined;
  readonly structure: string;
  /** Known when the start was acknowledged, or when a gathering of this round is found. */
  id: string | undefined;
  readonly earlier: ReadonlySet<string>;
  view: GatheringView | undefined;
  /** Ids of messages that were acknowledged. */
  readonly taken: { readonly id: string; readonly text: string }[];
  readonly wrong: string[];
  said: number;
  isOver: boolean;
}

export function makePerson(structure: string, earlier: ReadonlySet<string>): Person {
  return {
    client: undefined,
    structure,
    id: undefined,
    earlier,
    view: undefined,
    taken: [],
    wrong: [],
    said: 0,
    isOver: false,
  };
}

/** Until the gathering is closed, or `isOver` is set. */
export async function attend(person: Person): Promise<void> {
  while (!person.isOver) {
    const { client } = person;
    if (client !== undefined) {
      try {
        await act(person, client);
      } catch (error) {
        note(person, error);
      }
    }
    if (person.view?.gathering.stage === 'closed') return;
    await delay(25);
  }
}

async function act(person: Person, client: HallClient): Promise<void> {
  if (person.id === undefined) return begin(person, client);
  const view = (await client.call('gathering.show', { id: person.id })) as GatheringView;
  if (view.gathering.id === person.id) person.view = view;
  if (view.gathering.stage === 'closed' || !view.allowed.includes('say')) return;
  const isMine = view.you !== null && view.gathering.turn?.holder === view.you;
  // Now and then a word out of turn: it is kept for theirs.
  if (!isMine && (view.kept.length > 0 || person.said % 3 !== 1)) return;
  person.said += 1;
  const text = isMine ? `Mo says ${person.said}. I pass` : `Mo keeps ${person.said}.`;
  const answer = (await client.call('gathering.say', { id: person.id, text })) as { readonly message: string };
  person.taken.push({ id: answer.message, text });
}

async function begin(person: Person, client: HallClient): Promise<void> {
  // A start that was not acknowledged may have been done all the same.
  const listed = (await client.call('gathering.list', { project: projectName })) as {
    readonly gatherings: readonly { readonly id: string }[];
  };
  const found = listed.gatherings.find(({ id }) => !person.earlier.has(id));
  if (found !== undefined) {
    person.id = found.id;
    return;
  }
  const started = (await client.call('gathering.start', {
    project: projectName,
    rhythm: 'daily',
    openingQuestion: 'What is alive in the tally?',
    participants: ['Ada=circle', 'Grace=circle', 'Lin=circle'],
    harvester: 'Hal=circle',
    human: 'Mo',
    structure: person.structure,
    beatsPerTurn: 1,
    beatIntervalSeconds: 1,
  })) as { readonly id: string };
  person.id = started.id;
}

/** A call that the hall does not live to answer says nothing; nor does one that came a moment too late. */
function note({ wrong }: Person, error: unknown): void {
  if (!(error instanceof HallError)) throw error;
  if (error.code !== 'unavailable' && error.code !== 'conflict') wrong.push(`${error.code}: ${error.message}`);
}
