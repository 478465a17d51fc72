/**
 * A meeting as it goes on: the view that was read, with every later event folded in. Events are heard before the view
 * is asked for, so that none falls between; what is known twice changes nothing. No React here.
 */
import type { MeetingEvents, MeetingView } from '../../src/features/meetings/contract.ts';
import {
  type Conversation,
  conversationOf,
  type ConversationTurn,
  foldMeetingEvent,
} from '../../src/features/meetings/fold/conversation.ts';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { type HallEvent, parseCursor } from '../../src/kernel/pure/events.ts';
import { inBackground } from './background.ts';

/** Where a conversation comes from: the link to the hall, or a test. */
export interface ConversationSource {
  readonly eventListeners: Set<(event: HallEvent) => void>;
  readonly resetListeners: Set<() => void>;
  readonly read: () => Promise<MeetingView>;
  readonly factsOf: (thrown: unknown) => ErrorFacts;
  /** Runs it when the page is drawn next. @returns takes it back */
  readonly onFrame: (run: () => void) => () => void;
}

/** The opening failed: why, and the first words, which are not lost. */
export interface RolledBack {
  readonly reason: string;
  readonly firstMessage: string;
}

export interface ConversationState {
  readonly conversation: Conversation | undefined;
  /** As it was last read: the record, the files that changed. */
  readonly view: MeetingView | undefined;
  /** Why it could not be read. What was read before stays. */
  readonly problem: ErrorFacts | undefined;
  readonly rolledBack: RolledBack | undefined;
}

export interface ConversationStore {
  readonly source: ConversationSource;
  state: ConversationState;
  readonly listeners: Set<() => void>;
  /** Heard, and not yet folded in. */
  pending: HallEvent[];
  /** Everything heard since the read that is under way began; null: none is. */
  heard: HallEvent[] | null;
  /** How often events were missed, and up to which miss it was read anew since: between, nothing is folded in. */
  misses: number;
  mended: number;
  /** Something changed that events do not tell in full. */
  wantsRead: boolean;
  takeBackFrame: (() => void) | undefined;
  stop: (() => void) | undefined;
}

export function createConversationStore(source: ConversationSource): ConversationStore {
  return {
    source,
    state: { conversation: undefined, view: undefined, problem: undefined, rolledBack: undefined },
    listeners: new Set(),
    pending: [],
    heard: null,
    misses: 1,
    mended: 0,
    wantsRead: false,
    takeBackFrame: undefined,
    stop: undefined,
  };
}

/** Begins to listen, then reads. `stop` leaves nothing behind; it may be begun again. */
export function follow(store: ConversationStore): void {
  const { eventListeners, resetListeners } = store.source;
  const hear = (event: HallEvent) => hearEvent(store, event);
  const reset = () => {
    store.misses += 1;
    readAgain(store);
  };
  eventListeners.add(hear);
  resetListeners.add(reset);
  store.stop = () => {
    eventListeners.delete(hear);
    resetListeners.delete(reset);
    store.takeBackFrame?.();
    store.takeBackFrame = undefined;
    store.pending = [];
    store.misses += 1;
    store.stop = undefined;
  };
  readAgain(store);
}

/** Reads the meeting, also while another read is under way: that one may be too old. */
export function readAgain(store: ConversationStore): void {
  if (store.heard !== null) {
    store.wantsRead = true;
    return;
  }
  store.heard = [];
  store.wantsRead = false;
  inBackground(readOnce(store));
}

async function readOnce(store: ConversationStore): Promise<void> {
  const { misses } = store;
  try {
    const view = await store.source.read();
    if (store.stop !== undefined) takeView(store, view, misses);
  } catch (error) {
    change(store, { problem: store.source.factsOf(error) });
  } finally {
    store.heard = null;
    if (store.wantsRead && store.stop !== undefined) readAgain(store);
  }
}

/** @param misses how many there were when it was asked: with another one since, what was heard has a hole */
function takeView(store: ConversationStore, view: MeetingView, misses: number): void {
  const { conversation: before } = store.state;
  if (misses !== store.misses) {
    if (before === undefined) change(store, { view, problem: undefined, conversation: conversationOf(view) });
    return;
  }
  const read = (store.heard ?? []).reduce(foldMeetingEvent, conversationOf(view));
  store.pending = [];
  store.mended = misses;
  change(store, { view, problem: undefined, conversation: before === undefined ? read : keepIdentity(before, read) });
}

function hearEvent(store: ConversationStore, event: HallEvent): void {
  if (event.subject?.startsWith('meeting:') !== true) return;
  store.heard?.push(event);
  const { conversation } = store.state;
  if (conversation === undefined || event.subject !== `meeting:${conversation.id}`) return;
  if (event.project !== conversation.project) return;
  // Numbers of another count cannot be compared: it is read anew, once.
  const last = store.pending.at(-1)?.epoch ?? parseCursor(conversation.cursor)?.epoch;
  if (last !== event.epoch && !isStale(store)) store.misses += 1;
  if (!isStale(store)) store.pending.push(event);
  if (isStale(store) || tellsMore(event)) store.wantsRead = true;
  store.takeBackFrame ??= store.source.onFrame(() => flush(store));
}

function isStale({ misses, mended }: ConversationStore): boolean {
  return misses !== mended;
}

/** Folds what came since the last frame: many pieces of an answer are drawn once. */
function flush(store: ConversationStore): void {
  store.takeBackFrame = undefined;
  const { pending, state } = store;
  store.pending = [];
  if (state.conversation !== undefined && pending.length > 0) {
    const rolledBack = pending.reduce<RolledBack | undefined>(rolledBackBy, state.rolledBack);
    change(store, { conversation: pending.reduce(foldMeetingEvent, state.conversation), rolledBack });
  }
  if (store.wantsRead) readAgain(store);
}

/** Events after which the record, the files or the notes are others, which are told by a read alone. */
function tellsMore({ type, data }: HallEvent): boolean {
  if (type !== 'meeting.turn') return !foldedInFull.has(type);
  const { event } = data as MeetingEvents['meeting.turn'];
  if (event.type === 'tool_result') return event.ok && /write|edit|link|record/i.test(event.name);
  return event.type === 'turn_end' || event.type === 'error';
}

const foldedInFull = new Set([
  'meeting.agent_retry',
  'meeting.message_queued',
  'meeting.message_unanswered',
  'meeting.turn_started',
  'meeting.turn_usage',
]);

function rolledBackBy(before: RolledBack | undefined, { type, data }: HallEvent): RolledBack | undefined {
  if (type === 'meeting.opening_rolled_back') return data as RolledBack;
  return type === 'meeting.opened' ? undefined : before;
}

function change(store: ConversationStore, changed: Partial<ConversationState>): void {
  store.state = { ...store.state, ...changed };
  for (const listener of store.listeners) listener();
}

/** Turns that a new read tells as they were stay the same objects, so that they are not drawn again. */
export function keepIdentity(before: Conversation, read: Conversation): Conversation {
  const known = new Map(before.turns.map((turn) => [turn.turn, turn]));
  const turns = read.turns.map((turn) => {
    const same = known.get(turn.turn);
    return same !== undefined && isSame(same, turn) ? same : turn;
  });
  const isUnchanged = turns.length === before.turns.length && turns.every((turn, nth) => turn === before.turns[nth]);
  return { ...read, turns: isUnchanged ? before.turns : turns };
}

function isSame(one: ConversationTurn, other: ConversationTurn): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
