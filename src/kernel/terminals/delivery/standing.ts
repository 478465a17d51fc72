/** How a program stands: what it does by its screen, its signals, and the time since it wrote something. Pure. */
import type { Manner, ScreenText, TerminalStatus } from '../contract.ts';

/** A program that wrote nothing for so long, and shows nothing else, has finished. Milliseconds. */
export const quietMs = 330;
/** One that has written nothing yet is taken to read its input after. Milliseconds. */
const silentStartMs = 1_500;
/** One that writes without an end is not starting any more after. Milliseconds. */
const longStartMs = 5_000;
/** A turn whose end was not told is over when the program has shown its idle screen for so long: it was interrupted. */
const untoldEndMs = 2_000;
/** A person who typed something and no Enter is waited for so long after the last key. */
const halfLineMs = 30_000;
/** What the person's last key led to is seen after. Milliseconds. */
const justTypedMs = 250;

export interface Seen {
  readonly screen: ScreenText;
  readonly nowMs: number;
  /** When it wrote last; undefined where it never did. */
  readonly lastOutputMs: number | undefined;
  readonly startedMs: number;
  /** Once it has been seen ready it is not starting any more. */
  readonly wasReady: boolean;
  readonly hasEnded: boolean;
  /** It told that it took a message, and not that its turn is over. */
  readonly isInTurn: boolean;
  /** What it asks, by a signal that nothing has followed. */
  readonly toldDialog: string | undefined;
}

export interface Standing {
  readonly status: TerminalStatus;
  readonly question?: string;
  /** When this may change with nothing but time; undefined where only a sign can change it. Milliseconds from now. */
  readonly againInMs?: number;
}

type Looks = Pick<Manner, 'isIdle' | 'isBusy' | 'dialogOf'>;

export function standingOf(manner: Looks, seen: Seen): Standing {
  if (seen.hasEnded) return { status: 'ended' };
  // Answered where the hall does not see it, and nothing told of that: its input is there again.
  const isOver = manner.isIdle?.(seen.screen) === true;
  const question = manner.dialogOf?.(seen.screen) ?? (isOver ? undefined : seen.toldDialog);
  if (question !== undefined) return { status: 'dialog', question };
  const silentMs = seen.nowMs - (seen.lastOutputMs ?? seen.startedMs);
  const working = workOf(manner, seen, silentMs);
  const isUp = seen.wasReady || neverStops(manner, seen, silentMs);
  if (working !== undefined) return { status: isUp ? 'busy' : 'starting', ...working };
  return { status: 'idle' };
}

/** It has been writing all the time, and longer than anything needs to come up. */
function neverStops({ isIdle }: Looks, { nowMs, startedMs }: Seen, silentMs: number): boolean {
  return isIdle === undefined && silentMs < quietMs && nowMs - startedMs > longStartMs;
}

/** Undefined where it is free. */
function workOf(manner: Looks, seen: Seen, silentMs: number): { againInMs?: number } | undefined {
  if (manner.isBusy?.(seen.screen) === true) return {};
  if (manner.isIdle !== undefined) {
    if (!manner.isIdle(seen.screen)) return {};
    if (!seen.isInTurn) return undefined;
    return silentMs >= untoldEndMs ? undefined : { againInMs: untoldEndMs - silentMs };
  }
  if (seen.isInTurn && silentMs < untoldEndMs) return { againInMs: untoldEndMs - silentMs };
  // What is typed before it reads its input may be thrown away: many do so when they set up their terminal.
  const isComingUp = !seen.wasReady && seen.lastOutputMs === undefined;
  const enoughMs = isComingUp ? silentStartMs : quietMs;
  return silentMs >= enoughMs ? undefined : { againInMs: enoughMs - silentMs };
}

/** The person's half-written line. */
export interface Typed {
  readonly isHalfLine: boolean;
  readonly lastKeyMs: number;
  /** What was typed since the last line ended. */
  readonly line: string;
}

/** So much of a line is known. UTF-16 units. */
const maxTypedLine = 4_000;

export interface TypedMore {
  readonly typed: Typed;
  /** Whole lines, whose echo will be seen. */
  readonly lines: readonly string[];
}

/** What the person's keys leave behind: half a line, or nothing. Sequences of the terminal (arrows, the mouse) write nothing. */
export function typedAfter(before: Typed, bytes: string, nowMs: number): TypedMore {
  const written = bytes.replaceAll(/\u001B(?:\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z]|[^[O])/g, '');
  let { isHalfLine, line } = before;
  const lines: string[] = [];
  for (const character of written) {
    if ('\r\n'.includes(character)) lines.push(line);
    // Enter, Ctrl-C, Ctrl-D, Ctrl-U end it; so does Escape alone.
    if ('\r\n\u0003\u0004\u0015\u001B'.includes(character)) [isHalfLine, line] = [false, ''];
    else if ('\u007F\b'.includes(character)) line = line.slice(0, -1);
    else if (character >= ' ') [isHalfLine, line] = [true, (line + character).slice(0, maxTypedLine)];
  }
  return { typed: { isHalfLine, lastKeyMs: nowMs, line }, lines: lines.filter((each) => each.trim() !== '') };
}

/** How long the person is to be waited for still; 0 for not at all. Milliseconds. */
export function personHoldsFor(typed: Typed | undefined, nowMs: number): number {
  if (typed === undefined) return 0;
  return Math.max(0, typed.lastKeyMs + (typed.isHalfLine ? halfLineMs : justTypedMs) - nowMs);
}
