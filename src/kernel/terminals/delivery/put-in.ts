/** One message into one program: wait until it is free, paste, see the words stand there, Enter, see them taken. */
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../../artifacts/write.ts';
import { faultPoint } from '../../clock/fault.ts';
import { fail } from '../../pure/errors.ts';
import type { OutgoingMessage, PaneId } from '../contract.ts';
import { type LiveTerminal, nudge, type Step, untilNextLook } from '../live.ts';
import { awaitedFor } from '../speech/echo.ts';
import { withPassage } from '../speech/passages.ts';
import { type Before, beforeEnter, hasInput, pictureOf, showsSign, standsAtCursor, wasTaken } from './evidence.ts';
import { personHoldsFor } from './standing.ts';
import { enterStep, keyOf, noteEntered, pasteStep, readStep } from './steps.ts';
import { fitted } from './text.ts';

/** How long the end of a paste is looked for before Enter is pressed all the same. Milliseconds. */
const seenMs = 150;
/** Where the program's input can be seen, the words are waited for so long before they count as swallowed. Milliseconds. */
const swallowedMs = 5_000;
/** How long a sign is waited for after each Enter. Milliseconds. */
const enterWaitsMs = [250, 500, 1_000] as const;
/** A program that tells of what it takes has so long to tell it, once its screen says that it did. Milliseconds. */
const receiptMs = 5_000;
/** Of a program that tells nothing, something but the echo is waited for so long. Milliseconds. */
const signMs = 250;
/** So often words are put into a program that shows nothing of them. */
const mostPastes = 3;
/** Somebody else's words in the input are waited for so long. Milliseconds. */
const foreignInputMs = 30_000;

/** So many lines that were typed are waited for to be echoed. */
export const maxAwaited = 2_000;

/**
 * `left`: the hall lets go of the terminal; the message waits for the next one. `settled`: what came of it is known from
 * elsewhere.
 */
export type Outcome = 'taken' | 'settled' | 'left' | { readonly why: string };

type Turn = Outcome | 'again';

export async function putIn(live: LiveTerminal, message: OutgoingMessage): Promise<Outcome> {
  const key = keyOf(message.id);
  for (;;) {
    if (isSettled(live, message)) return 'settled';
    if (live.isLeft) return 'left';
    const turn = await nextTurn(live, message, key);
    if (turn !== 'again') return turn;
  }
}

async function nextTurn(live: LiveTerminal, message: OutgoingMessage, key: string): Promise<Turn> {
  const { pane, terminals } = live;
  if (live.end !== undefined || pane === undefined) return endedOutcome(live, message, key);
  live.step ??= await readStep(terminals.tmux, pane);
  const step = live.step === 'none' || live.step.key !== key ? undefined : live.step;
  if (step === undefined) return pasteWhenFree(live, pane, message, key);
  if (step.did === 'pasted') return firstEnter(live, pane, message, step);
  return untilTaken(live, pane, message, { step, before: undefined });
}

function isSettled(live: LiveTerminal, message: OutgoingMessage): boolean {
  return live.ledger.messages.get(message.id)?.receipt.state !== 'queued';
}

/** The last words that it took may have been those that ended it. */
function endedOutcome(live: LiveTerminal, message: OutgoingMessage, key: string): Outcome {
  const { step, end, kind } = live;
  const wasEntered = step !== undefined && step !== 'none' && step.key === key && step.did === 'entered';
  if (wasEntered && wasTaken(kind.manner, live.shown, message.text, undefined)) return 'taken';
  return { why: `The program in this terminal has ended${end === undefined ? '' : ` (${end.why})`}.` };
}

async function pasteWhenFree(live: LiveTerminal, pane: PaneId, message: OutgoingMessage, key: string): Promise<Turn> {
  const holdMs = holdsFor(live);
  if (holdMs !== 0) {
    await untilNextLook(live, holdMs);
    return 'again';
  }
  const takesPaste = live.shown.takesPaste || live.kind.manner.takesPaste === true;
  const words = live.kind.manner.words?.(message.text) ?? message.text;
  const { text, rest } = fitted(words, takesPaste, restPathOf(live, key));
  if (rest !== '') {
    await writeRest(live, key, rest);
    if (!isFree(live)) return 'again';
  }
  // From here on nobody takes it back.
  if (isSettled(live, message)) return 'settled';
  const pastes = (live.putting?.id === message.id ? (live.putting.pastes ?? 0) : 0) + 1;
  live.putting = { id: message.id, stage: 'pasting', before: undefined, pastes };
  const picture = pictureOf(live.shown);
  expectEcho(live, message, text);
  faultPoint('deliver:before:paste');
  live.step = await pasteStep(live.terminals.tmux, pane, key, { text, takesPaste });
  faultPoint('deliver:after:paste');
  const canBeSeen = hasInput(live.kind.manner, live.shown) !== undefined;
  const deadline = live.terminals.ctx.clock.monotonicMs() + (canBeSeen ? swallowedMs : seenMs);
  await waitFor(live, deadline, () => {
    const isEntered = live.putting?.isByPerson === true;
    return isEntered || isThere(live, text, picture) || live.standing.status === 'dialog';
  });
  return 'again';
}

function isFree(live: LiveTerminal): boolean {
  return !live.isLeft && live.end === undefined && holdsFor(live) === 0;
}

/** Undefined: until something changes; 0: not at all. */
function holdsFor(live: LiveTerminal): number | undefined {
  if (live.standing.status !== 'idle' || live.isUnseen || live.isTelling || hasUnheard(live)) return undefined;
  const nowMs = live.terminals.ctx.clock.monotonicMs();
  const person = personHoldsFor(live.typed, nowMs);
  const foreign = live.input === undefined ? 0 : Math.max(0, live.input.sinceMs + foreignInputMs - nowMs);
  return Math.max(person, foreign, firstHoldOf(live, nowMs));
}

function firstHoldOf({ holdMs, readyMs }: LiveTerminal, nowMs: number): number {
  return holdMs === undefined || readyMs === undefined ? 0 : Math.max(0, readyMs + holdMs - nowMs);
}

/** What may be words was not listened to yet: they came before these. */
function hasUnheard({ isUnheard, kind, pending }: LiveTerminal): boolean {
  return isUnheard && kind.manner.speech !== 'signal' && pending.speech === undefined;
}

function isThere(live: LiveTerminal, text: string, picture: string): boolean {
  if (pictureOf(live.shown) === picture) return false;
  return standsAtCursor(live.shown, text) || hasInput(live.kind.manner, live.shown) === true;
}

function expectEcho(live: LiveTerminal, message: OutgoingMessage, typed: string): void {
  live.lastTyped = message.id;
  live.passages = withPassage(live.passages, message.text);
  live.awaited = [...live.awaited, ...awaitedFor(typed)].slice(-maxAwaited);
}

/** The words stand there, as far as is known; a question may have come up meanwhile. */
async function firstEnter(live: LiveTerminal, pane: PaneId, message: OutgoingMessage, step: Step): Promise<Turn> {
  if (live.putting?.id === message.id && live.putting.isByPerson === true) {
    live.putting = { ...live.putting, stage: 'entered' };
    live.step = await noteEntered(live.terminals.tmux, pane, step.key);
    return untilTaken(live, pane, message, { step: live.step, before: undefined });
  }
  if (live.standing.status === 'dialog') {
    await untilNextLook(live);
    return 'again';
  }
  if (isGone(live, message.text)) {
    const isLast = live.putting?.id === message.id && (live.putting.pastes ?? 0) >= mostPastes;
    if (isLast) return { why: `The program shows nothing of the words, though they were put in ${mostPastes} times.` };
    live.step = 'none';
    return 'again';
  }
  const before = beforeEnter(live.kind.manner, live.shown, message.text);
  faultPoint('deliver:before:enter');
  const putting = { id: message.id, before };
  live.putting = { ...putting, stage: 'entering' };
  const entered = await enterStep(live.terminals.tmux, pane, step.key, 1);
  live.step = entered;
  live.putting = { ...putting, stage: 'entered' };
  faultPoint('deliver:after:enter');
  return untilTaken(live, pane, message, { step: entered, before });
}

/** The input is seen to be empty, and the words are nowhere: something swallowed the paste. */
function isGone(live: LiveTerminal, text: string): boolean {
  const { shown, kind } = live;
  if (hasInput(kind.manner, shown) !== false) return false;
  const cursor = { ...shown, cursorLine: shown.lines.length - 1, cursorColumn: shown.lines.at(-1)?.length ?? 0 };
  return !standsAtCursor(cursor, text);
}

interface Entered {
  readonly step: Step;
  readonly before: Before | undefined;
}

async function untilTaken(
  live: LiveTerminal,
  pane: PaneId,
  message: OutgoingMessage,
  { step, before }: Entered,
): Promise<Turn> {
  const { clock } = live.terminals.ctx;
  const waitMs = enterWaitsMs[Math.min(step.times, enterWaitsMs.length) - 1]!;
  const isTaken = (): boolean => wasTaken(live.kind.manner, live.shown, message.text, before);
  // The first look after Enter may still show what was before it.
  await freshLook(live);
  await waitFor(live, clock.monotonicMs() + waitMs, () => isSettled(live, message) || isTaken());
  if (isTaken() && live.kind.manner.hasReceipts && live.end === undefined)
    await waitFor(live, clock.monotonicMs() + receiptMs, () => isSettled(live, message) || live.end !== undefined);
  if (isTaken()) {
    const hasSign = (): boolean => isSettled(live, message) || showsSign(live.kind.manner, live.shown, before);
    await waitFor(live, clock.monotonicMs() + signMs, hasSign);
  }
  if (isSettled(live, message) || isTaken()) return 'taken';
  if (live.isLeft || live.end !== undefined) return 'again';
  if (live.standing.status === 'dialog') {
    // Another Enter would answer its question.
    await untilNextLook(live);
    return 'again';
  }
  if (step.times >= enterWaitsMs.length || !mayEnterAgain(live, message)) return notTaken(live, message, step);
  faultPoint('deliver:before:enter-again');
  live.step = await enterStep(live.terminals.tmux, pane, step.key, step.times + 1);
  faultPoint('deliver:after:enter-again');
  return untilTaken(live, pane, message, { step: live.step, before });
}

/** Where the input is not known, something may ask there that the hall does not know: Enter would answer it. */
function mayEnterAgain({ kind, shown }: LiveTerminal, { text }: OutgoingMessage): boolean {
  return kind.manner.inputOf !== undefined || kind.manner.isBusy !== undefined || standsAtCursor(shown, text);
}

/** What stands in the input goes in with the next Enter, whoever presses it: who is told may not say it again blindly. */
function notTaken({ kind, shown }: LiveTerminal, { text }: OutgoingMessage, { times }: Step): Outcome {
  const stands = hasInput(kind.manner, shown) === true || standsAtCursor(shown, text);
  const rest = stands ? ' They stand in its input, and the next Enter there sends them.' : '';
  return {
    why: `The program did not take the words, though Enter was pressed ${times === 1 ? 'once' : `${times} times`}.${rest}`,
  };
}

async function freshLook(live: LiveTerminal): Promise<void> {
  nudge(live);
  await untilNextLook(live);
}

async function waitFor(live: LiveTerminal, deadlineMs: number, holds: () => boolean): Promise<void> {
  const { clock } = live.terminals.ctx;
  for (let left = deadlineMs - clock.monotonicMs(); left > 0; left = deadlineMs - clock.monotonicMs()) {
    if (holds() || live.isLeft || live.end !== undefined) return;
    await untilNextLook(live, left);
  }
}

function restPathOf(live: LiveTerminal, key: string): string {
  return join(live.kind.restFolder, `message-${key.slice(0, 12)}.md`);
}

/** The program may write in that folder: what it put in the place of the folder is not followed. */
async function writeRest(live: LiveTerminal, key: string, rest: string): Promise<void> {
  const { restFolder } = live.kind;
  await mkdir(restFolder, { recursive: true, mode: 0o700 });
  if (!(await lstat(restFolder)).isDirectory())
    throw fail(
      'conflict',
      `The rest of a message cannot be written: ${restFolder} is no folder.`,
      'Take away what lies there.',
    );
  await writeAtomically(restPathOf(live, key), rest, { mode: 0o600 });
}
