/**
 * Sits down at a gathering: prints what is said as it comes, tells the person of their turn, and says what they type. Who
 * leaves does not end it. A hall that starts again meanwhile is found again.
 */
import type {
  GatheringEvents,
  GatheringStatus,
  GatheringView,
} from '../../features/gatherings/contract/gathering-views.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import { awaitHall } from './away.ts';
import type { HallClient } from './client.ts';
import { type AnswerFollow, type FollowParts, isGone, leftByInterrupt } from './follow.ts';
import { commandHelp } from './gathering-words.ts';
import { noteTyping, sayTyped } from './gathering-saying.ts';
import { promptOf, type Sitting, tell, tellQuietly } from './gathering-sitting.ts';
import { endText, gatheringRenderers, isHeard, messageText, renderStatus } from './render/gatherings.ts';

/** Where the person takes part and sits at a terminal, they are in it at once. */
export const startAndFollowGathering: AnswerFollow = {
  run: async (parts, client, answer, asJson) => {
    const status = answer as GatheringStatus;
    const canSit = !asJson && status.you !== null && parts.terminal.isTty && parts.prompt?.open !== undefined;
    if (canSit) return await sit(parts, client, status.id);
    const render = gatheringRenderers['gathering.start'] as unknown as typeof renderStatus;
    parts.terminal.out(asJson ? `${JSON.stringify(status)}\n` : render(status, parts.terminal));
    return 0;
  },
};

export const followGathering: AnswerFollow = {
  run: async (parts, client, answer, asJson) => {
    const view = answer as GatheringView;
    if (!asJson) return await sit(parts, client, view.gathering.id);
    parts.terminal.out(`${JSON.stringify(view)}\n`);
    return 0;
  },
};

async function sit(parts: FollowParts, client: HallClient, id: string): Promise<number> {
  const leaving = new AbortController();
  const sitting: Sitting = {
    parts,
    client,
    id,
    view: undefined,
    line: undefined,
    printed: 0,
    typed: new Set(),
    typedAt: '',
    leaving,
    sending: Promise.resolve(),
  };
  const leave = (): void => leaving.abort();
  const stopListening = parts.onInterrupt(leave);
  try {
    return await walk(sitting, leave);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    sitting.line?.close();
    sayNext(sitting);
    return leftByInterrupt;
  } finally {
    leaving.abort();
    sitting.line?.close();
    stopListening();
    await sitting.sending;
  }
}

/** Looks, and follows; again whenever the stream left something out or the hall was away. */
async function walk(sitting: Sitting, leave: () => void): Promise<number> {
  const { leaving } = sitting;
  for (;;) {
    leaving.signal.throwIfAborted();
    try {
      await look(sitting);
      if (sitting.view!.gathering.stage === 'closed') return sayEnd(sitting);
      openLine(sitting, leave);
      await watch(sitting);
    } catch (error) {
      if (leaving.signal.aborted || !isGone(error)) throw error;
      await findAgain(sitting);
    }
  }
}

async function look(sitting: Sitting): Promise<void> {
  const { client, id, leaving } = sitting;
  const isFirst = sitting.view === undefined;
  const view = (await client.call('gathering.join', { id }, leaving.signal)) as GatheringView;
  sitting.view = view;
  if (isFirst) sayBefore(sitting, view);
  for (const message of view.messages) hear(sitting, message);
  redraw(sitting);
}

function sayBefore(sitting: Sitting, { gathering, earlier }: GatheringView): void {
  const { parts, id } = sitting;
  const { terminal: term } = parts;
  tellQuietly(sitting, `gathering ${id}`);
  if (earlier > 0)
    tellQuietly(sitting, `… ${earlier} earlier messages: ${term.hint(`guild-hall gathering show ${id}`)}`);
  if (gathering.stage !== 'closed' && parts.prompt?.open !== undefined) tellQuietly(sitting, commandHelp);
}

/** Where nobody can type, it is only followed. */
function openLine(sitting: Sitting, leave: () => void): void {
  const { parts, leaving } = sitting;
  if (sitting.line !== undefined || !parts.terminal.isTty || parts.prompt?.open === undefined) return;
  sitting.line = parts.prompt.open({
    onLine: (text) => sayTyped(sitting, text, leave),
    onTyping: () => noteTyping(sitting),
    onEnd: leave,
  });
  redraw(sitting);
  // Its only failure is that it is ended.
  tick(sitting, leaving.signal).catch(() => undefined);
}

/** How much time is left is told anew each second. */
async function tick(sitting: Sitting, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sitting.parts.sleep(1000, signal);
    redraw(sitting);
  }
}

function redraw({ line, view, parts }: Sitting): void {
  if (line !== undefined && view !== undefined) line.ask(promptOf(view, parts.nowIso?.()));
}

/** Until it is closed, or has to be looked at anew. */
async function watch(sitting: Sitting): Promise<void> {
  const { client, id, leaving } = sitting;
  const options = { subject: `gathering:${id}`, after: sitting.view!.cursor, signal: leaving.signal };
  for await (const event of client.events(options)) {
    const isAnew = take(sitting, event);
    redraw(sitting);
    if (isAnew) return;
  }
  leaving.signal.throwIfAborted();
}

/** @returns whether it has to be looked at anew: something was left out, or it is closed */
function take(sitting: Sitting, { type, data }: HallEvent): boolean {
  const view = sitting.view!;
  if (type === 'gathering.message') {
    const { message } = data as GatheringEvents['gathering.message'];
    if (message.number > sitting.printed + 1) return true;
    hear(sitting, message);
  }
  if (type === 'gathering.changed') {
    const { gathering, due, kept, allowed } = data as GatheringEvents['gathering.changed'];
    sitting.view = { ...view, gathering, due, kept, allowed };
  }
  return type === 'gathering.closed';
}

/** What is new is printed, once and in order. */
function hear(sitting: Sitting, message: GatheringView['messages'][number]): void {
  if (message.number <= sitting.printed) return;
  sitting.printed = message.number;
  const { view, parts, typed } = sitting;
  if (!isHeard(view!, message)) return;
  // It stands there as it was typed.
  if (message.from === view!.you && typed.delete(message.text.trim())) return tellQuietly(sitting, 'Said to all.');
  tell(sitting, messageText(view!.gathering, message, parts.terminal));
  if (isPieceOfPerson(view!, message)) tell(sitting, `${parts.terminal.style('bold', 'It is your turn.')}\n`);
  return undefined;
}

/** Whether it brings the piece to the person. */
function isPieceOfPerson(
  { gathering, you }: GatheringView,
  { kind, text }: GatheringView['messages'][number],
): boolean {
  const isPiece = kind === 'piece' || kind === 'banner' || kind === 'note';
  const own = gathering.seats.find(({ number }) => number === you);
  return isPiece && own !== undefined && text.split('\n').includes(`The piece is now with ${own.name} (${own.number})`);
}

function sayEnd(sitting: Sitting): number {
  const { parts, view } = sitting;
  sitting.line?.close();
  sitting.line = undefined;
  const { end } = view!.gathering;
  parts.terminal.out(`\n${end === null ? '○ The gathering is closed.' : endText(end, parts.terminal)}\n`);
  return 0;
}

function sayNext({ parts: { terminal: term }, id }: Sitting): void {
  const words = `You left; the gathering goes on. Back: ${term.hint(`guild-hall gathering join ${id}`)}`;
  term.err(`\n${term.style('dim', words)}\n`);
}

async function findAgain(sitting: Sitting): Promise<void> {
  const { parts, id, leaving } = sitting;
  tellQuietly(sitting, 'The hall went away; it is waited for.');
  const client = await awaitHall(parts, sitting.line !== undefined, leaving.signal);
  if (client === undefined) {
    throw fail(
      'unavailable',
      `The hall went away. What was said in the gathering ${id} is kept.`,
      `guild-hall up --detach, then: guild-hall gathering join ${id}`,
    );
  }
  sitting.client = client;
}
