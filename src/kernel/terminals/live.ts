/** What is held of the terminals of one hall while it runs. Shapes, and the ways to wait for a change. */
import type { BackgroundContext } from '../background/background.ts';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import type { LogContext } from '../log/log.ts';
import { deferred, type Deferred } from '../pure/deferred.ts';
import { fail } from '../pure/errors.ts';
import type { PaneId, ScreenText, TerminalId } from './contract.ts';
import type { Before } from './delivery/evidence.ts';
import type { Ledger } from './delivery/ledger.ts';
import type { Standing, Typed } from './delivery/standing.ts';
import type { Screen } from './screen/screen.ts';
import type { Listener, TerminalKind, TerminalsOptions } from './shapes.ts';
import type { Awaited } from './speech/echo.ts';
import type { HeardFile, Pending } from './speech/heard-file.ts';
import type { Passages } from './speech/passages.ts';
import type { SignalWatch } from './speech/signals.ts';
import type { Tmux } from './tmux/state.ts';

export type TerminalsContext = ClockContext & IdContext & LogContext & BackgroundContext;

/** All terminals of one hall. */
export interface Terminals {
  readonly ctx: TerminalsContext;
  readonly options: TerminalsOptions;
  readonly tmux: Tmux;
  readonly live: Map<TerminalId, LiveTerminal>;
  readonly byPane: Map<PaneId, LiveTerminal>;
  readonly listeners: Set<Listener>;
  /** Ids of terminals whose start is under way. */
  readonly starting: Set<TerminalId>;
  isClosed: boolean;
}

/** How far the message that was last put in has come, as its pane knows it. */
export interface Step {
  readonly key: string;
  readonly did: 'pasted' | 'entered';
  /** How often Enter was pressed. */
  readonly times: number;
}

/** The message that was put in last, or is now. */
export interface Putting {
  readonly id: string;
  /** `entering`: Enter is on its way. */
  readonly stage: 'pasting' | 'entering' | 'entered';
  /** How the screen was before Enter; undefined where nobody saw it. */
  readonly before: Before | undefined;
  /** How often it was pasted. */
  readonly pastes?: number;
  /** The person pressed Enter behind it: the words may have gone in by that. */
  readonly isByPerson?: boolean;
}

export interface Viewer {
  readonly onBytes: (bytes: Uint8Array) => void;
  readonly onSize: ((size: { readonly cols: number; readonly rows: number }) => void) | undefined;
  /** Resolved with the first picture; bytes before it are not for this viewer. */
  readonly first: Deferred<{ readonly snapshot: Buffer; readonly cols: number; readonly rows: number }>;
  hasFirst: boolean;
}

export interface LiveTerminal {
  readonly terminals: Terminals;
  readonly id: TerminalId;
  readonly kind: TerminalKind;
  readonly folder: string;
  readonly pane: PaneId | undefined;
  readonly screen: Screen;
  readonly ledger: Ledger;
  readonly heardFile: HeardFile;
  readonly viewers: Set<Viewer>;
  signals: SignalWatch | undefined;
  /** Its screen is being put up anew; what comes meanwhile is written behind it. */
  filling: Promise<void> | undefined;

  /** What the screen showed at the last look. */
  shown: ScreenText;
  standing: Standing;
  startedMs: number;
  lastOutputMs: number | undefined;
  wasReady: boolean;
  /** See `TerminalRequest`; undefined when what comes is let in. */
  holdMs: number | undefined;
  /** When it was ready for the first time. */
  readyMs: number | undefined;
  isInTurn: boolean;
  /** An earlier hall saw it last: the end of a turn of its time may not have been told. */
  isTurnUnknown: boolean;
  /** What it said by a signal is being told: what is put in meanwhile would seem to come before it. */
  isTelling: boolean;
  toldDialog: string | undefined;
  typed: Typed | undefined;
  /** What stands in its input, and since when it is the same. */
  input: { readonly text: string; readonly sinceMs: number } | undefined;
  /** `cause`: what ended it where that was not itself: a signal, the end of tmux. */
  end: { readonly exitCode: number | null; readonly why: string; readonly cause: string | null } | undefined;

  /** Undefined where it has to be asked for. */
  step: Step | 'none' | undefined;
  /** Undefined where this hall has put nothing in. */
  putting: Putting | undefined;
  /** By message, until everybody has been told what came of it. Never rejected. */
  readonly settling: Map<string, Promise<void>>;
  /** Runs while something is being delivered. */
  delivering: Promise<void> | undefined;

  passages: Passages;
  /** Hashes of the lines that were heard last, or are no speech. */
  heard: readonly string[];
  awaited: Awaited;
  /** Id of the message that was typed last. */
  lastTyped: string | undefined;
  pending: Pending;
  /** By the name of its signal: what was delivered before words that wait for their taker. */
  readonly afters: Map<string, string | null>;
  /** Something was shown since the last look. */
  isUnseen: boolean;
  /** Something was shown since it was listened last. */
  isUnheard: boolean;

  /** Somebody waits for the next look. */
  readonly waiters: Set<Deferred<void>>;
  /** Somebody began to wait; resolved by `untilNextLook`. */
  hurry: Deferred<void>;
  /** A look is due; resolved by `nudge`. */
  due: Deferred<void>;
  /** Resolves when nothing of it runs any more. */
  readonly left: Deferred<void>;
  isLeft: boolean;
}

/** @throws `not_found` */
export function requireLive(terminals: Terminals, id: TerminalId): LiveTerminal {
  const live = terminals.live.get(id);
  if (live !== undefined) return live;
  throw fail('not_found', `There is no terminal "${id}".`, 'See which there are: guild-hall terminal list', { id });
}

/** @throws `not_found`; `conflict` for one whose program has ended */
export function requireRunning(terminals: Terminals, id: TerminalId): LiveTerminal & { readonly pane: PaneId } {
  const live = requireLive(terminals, id);
  const { pane, end } = live;
  if (pane !== undefined && end === undefined) return live as LiveTerminal & { readonly pane: PaneId };
  throw fail(
    'conflict',
    `The terminal "${id}" has ended.`,
    'Start another one: guild-hall terminal start --name <name> -- <command>',
    { id },
  );
}

/** Has the terminal looked at soon. */
export function nudge(live: LiveTerminal): void {
  live.due.resolve();
}

/** Tells everybody who waits that there was a look. */
export function wakeWaiters(live: LiveTerminal): void {
  for (const waiter of live.waiters) waiter.resolve();
  live.waiters.clear();
}

/** Resolves at the next look, or after `ms`, or when the hall leaves the terminal. */
export async function untilNextLook(live: LiveTerminal, ms?: number): Promise<void> {
  if (live.isLeft) return;
  const next = deferred();
  live.waiters.add(next);
  live.hurry.resolve();
  try {
    await within(live, next.promise, ms);
  } finally {
    live.waiters.delete(next);
  }
}

/** Waits for `promise` at most `ms`, without leaving a timer behind. */
export async function within(live: LiveTerminal, promise: Promise<void>, ms?: number): Promise<void> {
  const { clock } = live.terminals.ctx;
  if (ms === undefined) {
    await promise;
    return;
  }
  const done = new AbortController();
  // Aborted when the promise came first.
  const late = clock.sleep(Math.max(1, ms), done.signal).catch(() => undefined);
  try {
    await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}
