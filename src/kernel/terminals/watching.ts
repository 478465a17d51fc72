/** Looking at a terminal: when something came, or when time alone changes how it stands. Nothing runs in between. */
import { deferred } from '../pure/deferred.ts';
import { standingOf } from './delivery/standing.ts';
import { pump } from './delivery/queue.ts';
import { settleByScreen } from './delivery/underway.ts';
import { type LiveTerminal, wakeWaiters, within } from './live.ts';
import { readScreen } from './screen/screen.ts';
import type { TerminalState } from './shapes.ts';
import { countAsHeard, hear, tellPending } from './speech/hear.ts';
import { announce } from './speech/tell.ts';

/** Between two looks, while somebody waits for what comes of a delivery, and else. Milliseconds. */
const gapMs = { hurried: 8, calm: 80 } as const;
/** Of what has scrolled off a look reads so many rows: a message that is being typed may be that long. */
const scrolledRows = 100;
/** What was said and not taken is told again after. Milliseconds. */
const tellAgainMs = 500;

/** Until the hall leaves the terminal, or its program has ended. */
export async function watchTerminal(live: LiveTerminal): Promise<void> {
  const { clock } = live.terminals.ctx;
  try {
    await tellPending(live);
    while (!live.isLeft) {
      live.due = deferred();
      const againInMs = await lookSafely(live);
      const lookedMs = clock.monotonicMs();
      if (live.standing.status === 'ended' && live.pending.speech === undefined) break;
      await gap(live);
      const leftMs = againInMs === undefined ? undefined : lookedMs + againInMs - clock.monotonicMs();
      await within(live, live.due.promise, leftMs);
    }
  } finally {
    wakeWaiters(live);
    if (live.isLeft) announce(live.terminals, ({ onLeft }) => onLeft?.(live.id));
    live.left.resolve();
  }
}

/** A screen that nobody can make sense of is looked at again: the terminal is not given up for it. */
async function lookSafely(live: LiveTerminal): Promise<number | undefined> {
  try {
    return await look(live);
  } catch (error) {
    live.terminals.ctx.log.error({ err: error, terminal: live.id }, 'a look at a terminal failed');
    return tellAgainMs;
  }
}

/** Signs that come close upon each other lead to one look. */
async function gap(live: LiveTerminal): Promise<void> {
  live.hurry = deferred();
  await live.terminals.ctx.clock.sleep(gapMs.hurried);
  const isHurried = live.waiters.size > 0 || live.delivering !== undefined;
  if (!isHurried) await within(live, live.hurry.promise, gapMs.calm - gapMs.hurried);
}

/** @returns when to look again though nothing comes; undefined for never */
async function look(live: LiveTerminal): Promise<number | undefined> {
  const { ctx } = live.terminals;
  const { manner } = live.kind;
  live.isUnseen = false;
  live.shown = readScreen(live.screen, scrolledRows);
  const nowMs = ctx.clock.monotonicMs();
  const before = live.standing;
  noticeInput(live, nowMs);
  const standing = standingOf(manner, {
    screen: live.shown,
    nowMs,
    lastOutputMs: isPaused(live) ? nowMs : live.lastOutputMs,
    startedMs: live.startedMs,
    wasReady: live.wasReady,
    hasEnded: live.end !== undefined,
    isInTurn: live.isInTurn,
    toldDialog: live.toldDialog,
  });
  const { status } = standing;
  // Before anybody can see that it is free: what is put in then comes after what was heard.
  if (manner.speech !== 'signal' && (status === 'idle' || status === 'ended') && (await settleByScreen(live)))
    await listen(live, status);
  live.standing = standing;
  if (status === 'idle') noteReady(live, nowMs);
  if (status !== before.status || live.standing.question !== before.question) tellStatus(live);
  if (status === 'ended' && before.status !== 'ended') tellEnd(live);
  wakeWaiters(live);
  pump(live);
  if (live.pending.speech === undefined) return live.standing.againInMs;
  return Math.min(tellAgainMs, live.standing.againInMs ?? tellAgainMs);
}

/** It wrote more than can be worked off: what it does meanwhile is not known, and it is not silent. */
function isPaused({ pane, terminals }: LiveTerminal): boolean {
  const flow = pane === undefined ? undefined : terminals.tmux.panes.get(pane)?.flow;
  return flow === 'stopped' || flow === 'held';
}

function noteReady(live: LiveTerminal, nowMs: number): void {
  live.wasReady = true;
  live.readyMs ??= nowMs;
}

/** What a program shows before it is ready for the first time is no speech. */
async function listen(live: LiveTerminal, status: 'idle' | 'ended'): Promise<void> {
  if (live.pending.speech !== undefined) {
    await tellPending(live);
    if (live.pending.speech !== undefined) return;
  }
  if (!live.isUnheard) return;
  if (!live.wasReady && status === 'idle') await countAsHeard(live);
  else await hear(live, live.kind.manner.speech);
}

function noticeInput(live: LiveTerminal, nowMs: number): void {
  const text = live.kind.manner.inputOf?.(live.shown)?.trim() ?? '';
  if (text === '') live.input = undefined;
  else if (live.input?.text !== text) live.input = { text, sinceMs: nowMs };
}

function tellEnd(live: LiveTerminal): void {
  const { exitCode = null, cause: why = null } = live.end ?? {};
  announce(live.terminals, ({ onEnd }) => onEnd?.({ terminal: live.id, exitCode, why }));
}

function tellStatus(live: LiveTerminal): void {
  const change = { terminal: live.id, ...stateOf(live) };
  announce(live.terminals, ({ onStatus }) => onStatus?.(change));
}

export function stateOf(live: LiveTerminal): TerminalState {
  const { status, question } = live.standing;
  const waiting = [...live.ledger.messages.values()].filter(({ receipt }) => receipt.state === 'queued').length;
  return {
    status,
    waiting,
    ...(question === undefined ? {} : { question }),
    ...(live.end === undefined ? {} : { exitCode: live.end.exitCode }),
  };
}
