/** What follows from a signal: a receipt, a speech, a status. */
import { scrub } from '../../secrets/scrub.ts';
import type { Speech } from '../contract.ts';
import { isSamePrompt } from '../delivery/evidence.ts';
import { firstWaiting, settle } from '../delivery/queue.ts';
import { keyOf } from '../delivery/steps.ts';
import { newestDelivered, receiptsTold, settleByAnswer } from '../delivery/underway.ts';
import { type LiveTerminal, nudge } from '../live.ts';
import { writeHeard } from './hear.ts';
import { withoutPassages } from './passages.ts';
import type { ToldSignal } from './signals.ts';
import { tell } from './tell.ts';

/** A longer question fills no screen. UTF-16 units. */
const maxQuestion = 8_000;

/** Resolves when what it says is on disk elsewhere, or nobody needs it any more. */
export async function takeSignal(live: LiveTerminal, told: ToldSignal): Promise<void> {
  const { signal } = told;
  if (signal.kind === 'spoke') {
    // Before it is known that its turn is over: nothing may be put in until these words are told, or put off on disk.
    live.isTelling = true;
    try {
      await takeSpeech(live, told, signal.text);
    } finally {
      live.isTelling = false;
      nudge(live);
    }
    return;
  }
  live.toldDialog = signal.kind === 'dialog' ? signal.text.slice(0, maxQuestion) : undefined;
  live.isInTurn = signal.kind === 'prompted' || (signal.kind === 'dialog' && live.isInTurn);
  if (signal.kind === 'prompted') {
    live.isTurnUnknown = false;
    await takePrompt(live, signal.text);
  }
  nudge(live);
}

/** Of a message so much stands in the prompt itself, however long it is. UTF-16 units. */
const surelyTyped = 15_000;

/** A prompt that nobody here sent was typed by the person. */
async function takePrompt(live: LiveTerminal, text: string): Promise<void> {
  const message = firstWaiting(live);
  const { step } = live;
  if (message === undefined || step === undefined || step === 'none') return;
  if (step.key !== keyOf(message.id) || !isSamePrompt(text, message.text.slice(0, surelyTyped))) return;
  await settle(live, message, { state: 'delivered', at: live.terminals.ctx.clock.nowIso() });
}

async function takeSpeech(live: LiveTerminal, told: ToldSignal, said: string): Promise<void> {
  const { name } = told;
  const text = said.trim();
  // Told again, they change nothing: another turn may have begun meanwhile.
  if (!live.afters.has(name)) {
    const endsTurn = live.isInTurn || live.isTurnUnknown;
    live.toldDialog = undefined;
    live.isInTurn = false;
    live.isTurnUnknown = false;
    nudge(live);
    if (text !== '') await settleByAnswer(live, endsTurn);
  }
  if (text === '') return;
  await receiptsTold(live);
  const after = noteAfter(live, told);
  const speech: Speech = {
    id: `${live.id}-${name.replace(/\.json$/, '')}`,
    terminal: live.id,
    text: await scrub(text),
    own: await scrub(withoutPassages(live.passages, text)),
    source: 'signal',
    after,
    at: live.terminals.ctx.clock.nowIso(),
  };
  try {
    await tell(live.terminals, speech);
  } catch (error) {
    // They are told again, perhaps by the next hall: what is delivered meanwhile comes after them.
    await writeHeard(live);
    throw error;
  }
  live.afters.delete(name);
}

/** Words behind others that were refused: they are told later, and what is delivered meanwhile comes after them, too. */
export async function putOffSpeech(live: LiveTerminal, told: ToldSignal): Promise<void> {
  if (live.afters.has(told.name)) return;
  noteAfter(live, told);
  await writeHeard(live);
}

/** What was delivered before these words: as it was when they were first seen, however late somebody takes them. */
function noteAfter(live: LiveTerminal, { name }: ToldSignal): string | null {
  const noted = live.afters.get(name);
  if (noted !== undefined) return noted;
  const after = newestDelivered(live);
  live.afters.set(name, after);
  return after;
}
