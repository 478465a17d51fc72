/**
 * Goes along with a council step by step: what has landed since, once a turn, a question or an end is among it. It reads
 * and asks nobody, so it can be left and called again at any time.
 */
import { councilEntrySchema, type CouncilNext, councilNextSchema } from '../../features/councils/contract.ts';
import { howToAnswerStep, howToGoAlong, questionText } from './council-asking.ts';
import { endOf, type Following, hasCome, whileAway } from './council-ends.ts';
import { councilExits } from './council-follow.ts';
import { createCouncilScreen, printAside } from './council-screen.ts';
import { type AnswerFollow, type FollowParts, leftByInterrupt } from './follow.ts';
import type { HallClient } from './client.ts';

export const followNext: AnswerFollow = {
  exits: councilExits,
  malformedExit: 3,
  run: async (parts, client, answer, asJson) => {
    const following = openStep(parts, client, councilNextSchema.parse(answer), asJson);
    const stopListening = parts.onInterrupt(() => following.leaving.abort());
    try {
      return await printStep(following, await waitForStep(following, councilNextSchema.parse(answer)));
    } catch (error) {
      if (!following.leaving.signal.aborted) throw error;
      return leftByInterrupt;
    } finally {
      stopListening();
      following.leaving.abort();
    }
  },
};

function openStep(parts: FollowParts, client: HallClient, step: CouncilNext, asJson: boolean): Following {
  const { id, project, from } = step;
  const screen = createCouncilScreen(parts.terminal, parts.sleep, asJson);
  const leaving = new AbortController();
  return { parts, client, screen, id, project, asJson, shown: from, leaving, view: undefined, asked: false };
}

async function waitForStep(following: Following, first: CouncilNext): Promise<CouncilNext> {
  let step = first;
  while (!isStep(step)) {
    const { cursor, id, project, from } = step;
    let hasListened = false;
    step = await whileAway(following, async () => {
      // A hall that was started again says at once how it stands.
      if (!hasListened) {
        hasListened = true;
        await untilSomething(following, cursor);
      }
      const { client, leaving } = following;
      return councilNextSchema.parse(await client.call('council.next', { id, project, from }, leaving.signal));
    });
  }
  return step;
}

function isStep({ status, asked, entries }: CouncilNext): boolean {
  const goesOn = status === 'running' || (status === 'asking' && asked === null);
  return !goesOn || entries.some(({ kind }) => kind === 'turn');
}

/** Until a turn has landed, it asks, or it stands otherwise. */
async function untilSomething({ client, id, project, leaving }: Following, after: string): Promise<void> {
  for await (const { type, data, project: of } of client.events({
    subject: `council:${id}`,
    after,
    signal: leaving.signal,
  })) {
    if (of !== null && of !== project) continue;
    if (type === 'council.asked' || type === 'council.status') return;
    if (type === 'council.entry' && councilEntrySchema.parse((data as { entry: unknown }).entry).kind === 'turn')
      return;
  }
  leaving.signal.throwIfAborted();
}

/** @returns the exit code */
async function printStep(following: Following, step: CouncilNext): Promise<number> {
  const { parts, asJson, screen } = following;
  const { terminal: term } = parts;
  if (asJson) term.out(`${JSON.stringify(step)}\n`);
  for (const entry of step.entries) await hasCome(following, entry);
  if (step.status !== 'running' && step.status !== 'asking') return endOf(following, step);
  if (asJson) return 0;
  if (step.asked !== null)
    printAside(screen, `${questionText(step.asked, term)}\n${howToAnswerStep(step, step.asked, term)}`);
  printAside(screen, howToGoAlong(step, term));
  return 0;
}
