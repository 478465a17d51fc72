/** The person of a council: answers by what the session file asks, over the ends of halls, and remembers what was taken. */
import type { CouncilQuestion, CouncilSession } from '../../../src/features/councils/contract.ts';
import { questionName } from '../../../src/features/councils/contract/asking.ts';
import { listSessionIds, readSession } from '../../../src/features/councils/store/session-file.ts';
import type { HallClient } from '../../../src/interfaces/cli/client.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { delay } from '../parts/hall-process.ts';
import { type Place, projectName } from './place.ts';

const charter = 'Who owns the cache of the tally, and when is it emptied?';
const remark = 'What does it cost us to keep it?';

export interface Person {
  readonly place: Place;
  /** Of the hall that answers now. */
  client: HallClient | undefined;
  id: string | undefined;
  session: CouncilSession | undefined;
  /** Each says of a later session whether what was acknowledged is in it. */
  readonly taken: { readonly what: string; readonly holds: (session: CouncilSession) => boolean }[];
  readonly wrong: string[];
  readonly lost: string[];
  acknowledged: number;
  hasPaused: boolean;
  isOver: boolean;
}

export function makePerson(place: Place): Person {
  return {
    place,
    client: undefined,
    id: undefined,
    session: undefined,
    taken: [],
    wrong: [],
    lost: [],
    acknowledged: 0,
    hasPaused: false,
    isOver: false,
  };
}

/** Until the council is at its end, or `isOver` is set. */
export async function attend(person: Person): Promise<void> {
  while (!person.isOver) {
    await look(person);
    const { client, session } = person;
    if (session?.status === 'saved') return;
    if (client !== undefined) await act(person, client, session);
    await delay(10);
  }
}

/** Reads the file as it is on disk, and holds it against what was seen and acknowledged before. */
export async function look(person: Person): Promise<void> {
  const { place } = person;
  try {
    person.id ??= (await listSessionIds(place.root))[0];
    if (person.id === undefined) return;
    const session = await readSession(place.root, person.id);
    if (session === undefined) return void person.lost.push('the session file is gone');
    compare(person, session);
    person.session = session;
  } catch (error) {
    person.wrong.push(error instanceof Error ? error.message : String(error));
  }
}

function compare({ session: before, taken, lost }: Person, now: CouncilSession): void {
  if (before === now) return;
  const seen = before?.transcript ?? [];
  const isKept = JSON.stringify(now.transcript.slice(0, seen.length)) === JSON.stringify(seen);
  if (!isKept) lost.push(`an entry of ${seen.length} that was seen is not in the file of ${now.transcript.length}`);
  for (const { what, holds } of taken) if (!holds(now)) lost.push(`acknowledged and not in the file: ${what}`);
}

async function act(person: Person, client: HallClient, session: CouncilSession | undefined): Promise<void> {
  const about = { project: projectName, id: person.id };
  if (session === undefined) {
    const { isInPlace: inPlace } = person.place;
    const call = { project: projectName, inPlace, charter, invitees: ['Researcher', 'Writer'], turns: 5 };
    await call1(person, client, 'council.run', call, () => {});
    return;
  }
  if (session.status === 'paused' || session.status === 'halted') {
    if (session.trouble !== null || session.status === 'halted')
      person.wrong.push(`it was stopped: ${session.halt?.line ?? session.trouble ?? ''}`);
    person.hasPaused = true;
    await call1(person, client, 'council.resume', { ...about, continue: true }, () => {});
    return;
  }
  const { question } = session;
  if (session.status !== 'asking' || question === null) return;
  const { answer, text, holds } = plan(person, session, question);
  const input = { ...about, answer, question: questionName(question), ...(text !== undefined && { text }) };
  await call1(person, client, 'council.answer', input, () => {
    person.taken.push({ what: `${answer} at ${questionName(question)}`, holds });
    if (answer === 'pause') person.hasPaused = true;
  });
}

interface Planned {
  readonly answer: string;
  readonly text?: string;
  readonly holds: (session: CouncilSession) => boolean;
}

/** The same at every run, whatever happens to the hall. */
function plan(person: Person, session: CouncilSession, question: CouncilQuestion): Planned {
  if (question.kind === 'pin') {
    const answer = { 'SP-1': 'extract', 'SP-2': 'drop' }[question.pin] ?? 'keep';
    const holds = ({ pins }: CouncilSession): boolean =>
      pins.find(({ id }) => id === question.pin)?.disposition === answer;
    return { answer, holds };
  }
  if (question.kind === 'review') {
    const answer = question.draft === 'memory:Researcher' ? 'drop' : 'accept';
    return { answer, holds: ({ reviews }) => reviews.some(({ draft }) => draft === question.draft) };
  }
  if (question.at === 'post-research' && !hasSaid(session))
    return { answer: 'interject', text: remark, holds: hasSaid };
  if (question.at === 'discuss-cadence' && !person.hasPaused) return { answer: 'pause', holds: () => true };
  const passed = session.passed.length;
  return { answer: 'continue', holds: (later) => later.passed.length > passed };
}

function hasSaid({ transcript }: CouncilSession): boolean {
  return transcript.some((entry) => entry.kind === 'turn' && entry.turn.body === remark);
}

/** A call that the hall does not live to answer is made again when the file says that it is still to be made. */
async function call1(
  person: Person,
  client: HallClient,
  operation: string,
  input: unknown,
  onTaken: () => void,
): Promise<void> {
  try {
    await client.call(operation, input, AbortSignal.timeout(20_000));
    person.acknowledged += 1;
    onTaken();
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    // Another answer was quicker on disk than the file that we had read.
    if (error.code !== 'unavailable' && error.code !== 'conflict') person.wrong.push(`${operation}: ${error.message}`);
  }
}
