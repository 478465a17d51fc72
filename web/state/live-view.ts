/**
 * Something that goes on while it is looked at: the view that was read, with every later event folded in. Events are
 * heard before the view is asked for, so that none falls between; what is known twice changes nothing. No React here.
 */
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { type HallEvent, parseCursor } from '../../src/kernel/pure/events.ts';
import { inBackground } from './background.ts';

/** Where the view comes from: the link to the hall, or a test. */
export interface LiveSource<View extends { readonly cursor: string }> {
  readonly eventListeners: Set<(event: HallEvent) => void>;
  readonly resetListeners: Set<() => void>;
  readonly read: () => Promise<View>;
  readonly fold: (view: View, event: HallEvent) => View;
  /** The event may change the view: by being folded in, or because it is then to be read anew. */
  readonly isAbout: (event: HallEvent) => boolean;
  /** What the event tells of is told by a read alone. */
  readonly tellsMore: (event: HallEvent, view: View) => boolean;
  readonly factsOf: (thrown: unknown) => ErrorFacts;
  /** Runs it when the page is drawn next. @returns takes it back */
  readonly onFrame: (run: () => void) => () => void;
}

export interface LiveState<View> {
  readonly view: View | undefined;
  /** Why it could not be read. What was read before stays. */
  readonly problem: ErrorFacts | undefined;
}

export interface LiveStore<View extends { readonly cursor: string }> {
  readonly source: LiveSource<View>;
  state: LiveState<View>;
  readonly listeners: Set<() => void>;
  /** Heard, and not yet folded in. */
  pending: HallEvent[];
  /** Everything heard since the read that is under way began; null: none is. */
  heard: HallEvent[] | null;
  /** Events were missed: nothing is folded in until it is read anew. */
  hasHole: boolean;
  /** The same since the read that is under way began: that one may be too old. */
  hasNewHole: boolean;
  wantsRead: boolean;
  takeBackFrame: (() => void) | undefined;
  stop: (() => void) | undefined;
}

export function createLiveStore<View extends { readonly cursor: string }>(source: LiveSource<View>): LiveStore<View> {
  return {
    source,
    state: { view: undefined, problem: undefined },
    listeners: new Set(),
    pending: [],
    heard: null,
    hasHole: true,
    hasNewHole: false,
    wantsRead: false,
    takeBackFrame: undefined,
    stop: undefined,
  };
}

interface Holes {
  hasHole: boolean;
  hasNewHole: boolean;
}

/** Begins to listen, then reads. `stop` leaves nothing behind; it may be begun again. */
export function followLive<View extends { readonly cursor: string }>(store: LiveStore<View>): void {
  const { eventListeners, resetListeners } = store.source;
  const hear = (event: HallEvent) => hearEvent(store, event);
  const reset = () => {
    noteHole(store);
    readLiveAgain(store);
  };
  eventListeners.add(hear);
  resetListeners.add(reset);
  store.stop = () => {
    eventListeners.delete(hear);
    resetListeners.delete(reset);
    store.takeBackFrame?.();
    store.takeBackFrame = undefined;
    store.pending = [];
    noteHole(store);
    store.stop = undefined;
  };
  readLiveAgain(store);
}

function noteHole(store: Holes): void {
  store.hasHole = true;
  store.hasNewHole = true;
}

/** Reads it, also while another read is under way: that one may be too old. */
export function readLiveAgain<View extends { readonly cursor: string }>(store: LiveStore<View>): void {
  if (store.heard !== null) {
    store.wantsRead = true;
    return;
  }
  store.heard = [];
  store.wantsRead = false;
  store.hasNewHole = false;
  inBackground(readOnce(store));
}

async function readOnce<View extends { readonly cursor: string }>(store: LiveStore<View>): Promise<void> {
  try {
    const view = await store.source.read();
    if (store.stop !== undefined) takeView(store, view);
  } catch (error) {
    change(store, { problem: store.source.factsOf(error) });
  } finally {
    store.heard = null;
    if (store.wantsRead && store.stop !== undefined) readLiveAgain(store);
  }
}

function takeView<View extends { readonly cursor: string }>(store: LiveStore<View>, read: View): void {
  if (store.hasNewHole) {
    if (store.state.view === undefined) change(store, { view: read, problem: undefined });
    return;
  }
  store.hasHole = false;
  store.pending = [];
  const view = (store.heard ?? []).reduce(store.source.fold, read);
  change(store, { view, problem: undefined });
}

function hearEvent<View extends { readonly cursor: string }>(store: LiveStore<View>, event: HallEvent): void {
  const { source, state } = store;
  if (!source.isAbout(event)) return;
  store.heard?.push(event);
  const { view } = state;
  if (view === undefined) return;
  // Numbers of another count cannot be compared: it is read anew, once.
  const last = store.pending.at(-1)?.epoch ?? parseCursor(view.cursor)?.epoch;
  if (last !== event.epoch && !store.hasHole) noteHole(store);
  if (!store.hasHole) store.pending.push(event);
  if (store.hasHole || source.tellsMore(event, view)) store.wantsRead = true;
  store.takeBackFrame ??= source.onFrame(() => flush(store));
}

/** Folds what came since the last frame: many entries are drawn once. */
function flush<View extends { readonly cursor: string }>(store: LiveStore<View>): void {
  store.takeBackFrame = undefined;
  const { pending, state, source } = store;
  store.pending = [];
  if (state.view !== undefined && pending.length > 0) change(store, { view: pending.reduce(source.fold, state.view) });
  if (store.wantsRead) readLiveAgain(store);
}

/** Changes what is shown by other than events: more of what was before it. */
export function reviseView<View extends { readonly cursor: string }>(
  store: LiveStore<View>,
  revise: (view: View) => View,
): void {
  if (store.state.view !== undefined) change(store, { view: revise(store.state.view) });
}

function change<View extends { readonly cursor: string }>(
  store: LiveStore<View>,
  changed: Partial<LiveState<View>>,
): void {
  store.state = { ...store.state, ...changed };
  for (const listener of store.listeners) listener();
}
