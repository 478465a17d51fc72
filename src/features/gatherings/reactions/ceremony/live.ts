/** What the hall holds of its gatherings while it runs. All of it is in files as well. */
import type { TerminalId } from '../../../../kernel/terminals/contract.ts';
import type { Gatherings, GatheringsContext, LiveGathering } from '../../context.ts';
import type { Gathering, GatheringId, Seat } from '../../contract/gathering.ts';
import type { GatheringEvents, GatheringEventType, GatheringFacts } from '../../contract/gathering-views.ts';
import { openMessageLog } from '../../relay/message-log.ts';
import { createRelay } from '../../relay/relay.ts';
import type { Receipt } from '../../contract/words.ts';
import type { KeptMessage } from '../../rules/conversation.ts';
import { gatheringMessages } from '../../store/ceremony/place.ts';

export function createGatherings(): Gatherings {
  return { known: new Map(), live: new Map(), rows: new Map(), problems: new Map(), stopListening: undefined };
}

/** The gathering that the terminal is in, until it is closed. */
export function gatheringOf(ctx: GatheringsContext, terminal: TerminalId): LiveGathering | undefined {
  const id = ctx.conversations.byTerminal.get(terminal);
  return id === undefined ? undefined : ctx.gatherings.live.get(id as GatheringId);
}

export function seatOf({ seats }: Pick<Gathering, 'seats'>, terminal: TerminalId): Seat | undefined {
  return seats.find((seat) => seat.terminal === terminal);
}

export function saidIn({ relay }: LiveGathering): KeptMessage[] {
  return [...relay.log.messages.values()];
}

/** It is in one of its rounds. */
export function isRunning({ stage }: Pick<Gathering, 'stage'>): boolean {
  return stage !== 'closing' && stage !== 'closed';
}

/** What is told at the doors. */
export function factsOf({ outbox: _outbox, kept: _kept, ...facts }: Gathering): GatheringFacts {
  return facts;
}

/** Makes its clock look anew. */
export function wake(live: LiveGathering): void {
  live.waking.abort();
}

/** Works in its terminal, or types. */
export function isProducing(
  ctx: GatheringsContext,
  live: LiveGathering,
  { terminal }: Pick<Seat, 'terminal'>,
): boolean {
  if (terminal === null) return live.typedMs !== undefined && ctx.clock.monotonicMs() - live.typedMs < typingMs;
  const status = ctx.terminalsOf.find(terminal)?.status;
  return status === 'busy' || status === 'dialog';
}

/** So long after a key the person is taken to be typing. Milliseconds. */
const typingMs = 10_000;

/** Held in memory from now on. */
export async function holdGathering(
  ctx: GatheringsContext,
  record: Gathering,
  onReceipt: (live: LiveGathering, message: KeptMessage, to: number, receipt: Receipt) => void,
): Promise<LiveGathering> {
  const live: LiveGathering = {
    record,
    relay: createRelay({
      key: record.id,
      members: record.seats,
      log: await openMessageLog(ctx, gatheringMessages(ctx, record.id)),
      onReceipt: (message, to, receipt) => onReceipt(live, message, to, receipt),
    }),
    isTakenUp: false,
    died: new Set(),
    typedMs: undefined,
    isClosing: false,
    waking: new AbortController(),
    leaving: new AbortController(),
  };
  ctx.gatherings.known.set(record.id, record);
  ctx.gatherings.live.set(record.id, live);
  return live;
}

export function publishOf<Type extends GatheringEventType>(
  ctx: GatheringsContext,
  { id, project }: Pick<Gathering, 'id' | 'project'>,
  type: Type,
  data: Omit<GatheringEvents[Type], 'id'>,
): void {
  ctx.events.publish({ type, project, subject: `gathering:${id}`, data: { id, ...data } });
}
