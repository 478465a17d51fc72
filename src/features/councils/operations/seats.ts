/** Who sits in a council: from names to workers and the person, and who might be asked where nobody was named. */
import { nearestOf } from '../../../kernel/pure/nearest.ts';
import type { WorkerCatalogue, WorkerPackage } from '../../../kernel/workers/contract.ts';
import { findByIdentity } from '../../../kernel/workers/identities.ts';
import type { Invitee } from '../contract.ts';
import type { ResolvedInvitees } from '../rules/invitees.ts';
import type { Mode } from '../rules/modes.ts';
import { isUserToken, userNameAdvice } from '../rules/user-name.ts';
import { unfit, unfitWords } from './refusals.ts';

/** Among the names: somebody is to propose the others. */
export const auto = 'auto';

/** In order; the same worker, or the person, sits once. */
export function seatsOf(
  catalogue: WorkerCatalogue,
  { resolved }: ResolvedInvitees,
  userName: string | null,
): Invitee[] {
  const seats: Invitee[] = [];
  for (const name of resolved) {
    if (isUserToken(name, userName)) {
      if (userName === null)
        throw unfit('It is not known what you are called, so you cannot be given a seat.', userNameAdvice);
      seats.push({ name: userName, role: 'attendee', worker: null });
      continue;
    }
    const worker = requireWorker(catalogue, name);
    if (!seats.some((seat) => seat.worker === worker.name)) {
      seats.push({ name, role: worker.identity.displayTitle, worker: worker.name });
    }
  }
  return seats;
}

function requireWorker(catalogue: WorkerCatalogue, name: string): WorkerPackage {
  const found = findByIdentity(catalogue, name);
  if (found !== undefined) return found;
  const names = namesFor(catalogue);
  const near = nearestOf(name, names);
  throw unfitWords(
    `Nobody named ${JSON.stringify(name.slice(0, 60))} is installed; there are ${names.join(', ')}.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}See: guild-hall worker list --councillors`,
  );
}

export function requireSpeakers(
  catalogue: WorkerCatalogue,
  invitees: readonly Invitee[],
  given: readonly string[],
  mode: Mode,
) {
  const agents = invitees.filter(({ worker }) => worker !== null);
  if (agents.length >= 1 && invitees.length >= 2) return;
  const names = namesFor(catalogue).join(', ');
  const hint = `Name them: --invitees <A,B>, or let somebody propose them: --invitees ${auto}`;
  if (given.length === 0)
    throw unfit(
      `The mode ${mode.name} brings no councillors of its own, and nobody was invited; there are ${names}.`,
      hint,
    );
  const who = agents.length === 0 ? 'nobody but you' : `only ${agents[0]!.name}`;
  throw unfit(`A council needs two speakers, and ${who} is invited; there are ${names}.`, hint);
}

/** Councillors first: they are made for it. */
function namesFor(catalogue: WorkerCatalogue): string[] {
  const all = [...catalogue.workers.values()];
  return [...all.filter(({ byInvitation }) => byInvitation), ...all.filter(({ byInvitation }) => !byInvitation)].map(
    ({ identity }) => identity.name,
  );
}

const proposed = 3;

/** Those whose words are nearest to the charter's. Shown at the first yield, where the person may still say no. */
export function proposeInvitees(catalogue: WorkerCatalogue, charter: string, given: readonly string[]): string[] {
  const words = new Set(wordsOf(charter));
  const named = given.filter((name) => name !== auto);
  const candidates = [...catalogue.workers.values()]
    .filter(({ byInvitation }) => byInvitation === true)
    .map(({ identity, posture }) => ({
      name: identity.name,
      near: nearness(words, `${identity.displayTitle} ${identity.description}`) * 3 + nearness(words, posture),
    }))
    .filter(({ name }) => !named.includes(name))
    .toSorted((a, b) => b.near - a.near || a.name.localeCompare(b.name));
  return [...named, ...candidates.slice(0, Math.max(0, proposed - named.length)).map(({ name }) => name)];
}

function nearness(words: ReadonlySet<string>, text: string): number {
  return new Set(wordsOf(text).filter((word) => words.has(word))).size;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
