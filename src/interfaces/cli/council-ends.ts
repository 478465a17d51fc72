/** What of a council has come, and how following it ends. */
import type { CouncilEntry, CouncilView } from '../../features/councils/contract.ts';
import { councilViewSchema } from '../../features/councils/contract.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { awaitHall } from './away.ts';
import type { HallClient } from './client.ts';
import { type CouncilScreen, endSpeaking, printAside, printEntry, savedText } from './council-screen.ts';
import { type FollowParts, isGone } from './follow.ts';
import { printError } from './report.ts';
import { plainText } from './terminal.ts';

export interface Following {
  readonly parts: FollowParts;
  /** Another one when the hall was started again. */
  client: HallClient;
  readonly screen: CouncilScreen;
  readonly id: string;
  readonly project: string;
  readonly asJson: boolean;
  /** Number of the entry that comes next. */
  shown: number;
  readonly leaving: AbortController;
  /** As it was looked at last. */
  view: CouncilView | undefined;
  /** The next Ctrl-C leaves. */
  asked: boolean;
}

/** Exit codes of the contract. */
const exits = { done: 0, provenance: 1, halted: 2, aborted: 5, trouble: 7 } as const;
/** Not one of the four halts: the seed's own sentence, for standard error. */
const provenanceFailure = /^HALT: dispatch-provenance-check failed/;

export async function printNew(following: Following, transcript: readonly CouncilEntry[]): Promise<void> {
  for (const entry of transcript.slice(following.shown)) await hasCome(following, entry);
}

/** The marker SAVE is the last line: what was written is told before it. */
export async function hasCome(following: Following, entry: CouncilEntry): Promise<void> {
  following.shown += 1;
  if (entry.kind === 'marker' && entry.phase === 'SAVE' && !following.asJson) {
    const { client, id, project, screen, leaving } = following;
    const view = councilViewSchema.parse(await client.call('council.show', { id, project }, leaving.signal));
    printAside(screen, savedText(view, screen.term));
  }
  if (entry.kind === 'line' && provenanceFailure.test(entry.text)) {
    following.parts.terminal.err(`${plainText(entry.text)}\n`);
    return;
  }
  printEntry(following.screen, entry);
}

/** After a HALT line nothing more is said. @returns the exit code */
export function endOf(following: Following, view: Pick<CouncilView, 'status' | 'halt' | 'trouble'>): number {
  const { parts, asJson, id } = following;
  const { terminal: term } = parts;
  endSpeaking(following.screen);
  if (view.status === 'saved') return exits.done;
  if (view.status === 'aborted') {
    if (!asJson)
      term.err(`${term.style('dim', `Aborted. It can be read: ${term.hint(`guild-hall council show ${id}`)}`)}\n`);
    return exits.aborted;
  }
  if (view.halt !== null) return provenanceFailure.test(view.halt) ? exits.provenance : exits.halted;
  if (view.trouble !== null) {
    const hint = `Mend it, then: guild-hall council resume ${id} --continue`;
    term.err(printError(term, { code: 'unavailable', message: view.trouble, hint }));
    return exits.trouble;
  }
  sayNext(following, 'Paused.');
  return exits.done;
}

export function sayNext({ parts: { terminal: term }, asJson, id }: Following, what: string): void {
  if (!asJson) term.err(`${term.style('dim', `${what} Go on: ${term.hint(`guild-hall council resume ${id}`)}`)}\n`);
}

/** Does what needs the hall, and does it again when the hall went away and has come back. */
export async function whileAway<T>(following: Following, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isGone(error) || following.parts.connect === undefined) throw error;
      await findAgain(following);
    }
  }
}

async function findAgain(following: Following): Promise<void> {
  const { parts, id, asJson, leaving, screen } = following;
  endSpeaking(screen);
  const client = await awaitHall(parts, asJson, leaving.signal);
  if (client === undefined) {
    throw fail(
      'unavailable',
      `The hall went away. What the council ${id} had come to is kept; a turn that was being spoken is asked for again.`,
      `guild-hall up --detach, then: guild-hall council resume ${id}`,
    );
  }
  following.client = client;
}
