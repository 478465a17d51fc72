/** What follows from a signal: a receipt, a speech, a status. */
import { scrub } from '../../secrets/scrub.ts';
import type { Speech } from '../contract.ts';
import { isSamePrompt } from '../delivery/evidence.ts';
import { firstWaiting, settle } from '../delivery/queue.ts';
import { keyOf } from '../delivery/steps.ts';
import { type LiveTerminal, nudge } from '../live.ts';
import { withoutPassages } from './passages.ts';
import type { ToldSignal } from './signals.ts';
import { tell } from './tell.ts';

/** Resolves when what it says is on disk elsewhere, or nobody needs it any more. */
export async function takeSignal(live: LiveTerminal, { signal, name }: ToldSignal): Promise<void> {
  live.toldDialog = signal.kind === 'dialog' ? signal.text.slice(0, 2_000) : undefined;
  live.isInTurn = signal.kind === 'prompted' || (signal.kind === 'dialog' && live.isInTurn);
  if (signal.kind === 'prompted') await takePrompt(live, signal.text);
  nudge(live);
  if (signal.kind === 'spoke') await takeSpeech(live, signal.text, name);
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

async function takeSpeech(live: LiveTerminal, said: string, name: string): Promise<void> {
  const text = said.trim();
  if (text === '') return;
  const speech: Speech = {
    id: `${live.id}-${name.replace(/\.json$/, '')}`,
    terminal: live.id,
    text: await scrub(text),
    own: await scrub(withoutPassages(live.passages, text)),
    source: 'signal',
    at: live.terminals.ctx.clock.nowIso(),
  };
  await tell(live.terminals, speech);
}
