/** Listening to a screen: what a program said there since it was listened last, once it is done. */
import type { Speech, SpeechSource, ScreenText } from '../contract.ts';
import { scrub } from '../../secrets/scrub.ts';
import { keyOf } from '../delivery/steps.ts';
import { newestDelivered, receiptsTold } from '../delivery/underway.ts';
import { inOneLine } from '../delivery/text.ts';
import type { LiveTerminal } from '../live.ts';
import { readScreen } from '../screen/screen.ts';
import { awaitedFor, heardIn, joined } from './echo.ts';
import { newLines } from './growth.ts';
import { hashOf, type HeardState } from './heard-file.ts';
import { withoutPassages } from './passages.ts';
import { tell } from './tell.ts';

/** A line that waits for input: marks at its end, and few words before. */
const promptLine = /^.{0,80}[$#%>❯›»:]\s*$/u;

/** What is on the screen now is old, whatever it is. */
export async function countAsHeard(live: LiveTerminal): Promise<void> {
  live.heard = readScreen(live.screen).lines.map(hashOf);
  live.isUnheard = false;
  live.awaited = [];
  await writeHeard(live);
}

/**
 * Tells what was said since. On disk before it is told, so that it is told again after a crash, with the same id.
 * Call it when the program is done, and never twice at a time.
 */
export async function hear(live: LiveTerminal, source: SpeechSource): Promise<void> {
  await receiptsTold(live);
  const after = newestDelivered(live);
  const shown = readScreen(live.screen);
  live.isUnheard = false;
  const lines = saidLines(live, shown);
  live.heard = shown.lines.map(hashOf);
  const said = heardIn(lines, live.kind.manner, live.passages, live.awaited);
  live.awaited = said.awaited;
  const text = joined(said.lines);
  if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return;
  const speech: Speech = {
    id: `${live.id}-${live.pending.next}`,
    terminal: live.id,
    text: await scrub(text),
    own: await scrub(withoutPassages(live.passages, text)),
    source,
    after,
    at: live.terminals.ctx.clock.nowIso(),
  };
  live.pending = { next: live.pending.next + 1, speech };
  await writeHeard(live);
  await tellPending(live);
}

function saidLines(live: LiveTerminal, shown: ScreenText): string[] {
  const hashes = shown.lines.map(hashOf);
  const lineOf = new Map(hashes.map((hash, at) => [hash, shown.lines[at]!]));
  // The line of the cursor is where the next input goes, unless the program left it in the middle of its words.
  const cursor = shown.lines[shown.cursorLine];
  const isPrompt = cursor !== undefined && promptLine.test(cursor);
  const end = isPrompt ? shown.cursorLine : hashes.length;
  return newLines(live.heard, [...hashes.slice(0, end), ...hashes.slice(isPrompt ? end + 1 : end)]).map((hash) =>
    lineOf.get(hash)!,
  );
}

/** What has not been told. @throws nothing: it stays pending and is told later */
export async function tellPending(live: LiveTerminal): Promise<void> {
  const { speech } = live.pending;
  if (speech === undefined) return;
  try {
    await tell(live.terminals, speech);
    live.pending = { ...live.pending, speech: undefined };
    await writeHeard(live);
  } catch (error) {
    live.terminals.ctx.log.warn({ err: error, terminal: live.id }, 'what was said was not taken; it is told again');
  }
}

export async function writeHeard(live: LiveTerminal): Promise<void> {
  const { next, speech } = live.pending;
  const upTo = live.lastTyped;
  const pending =
    speech === undefined
      ? undefined
      : {
          id: speech.id,
          text: speech.text,
          own: speech.own,
          at: speech.at,
          source: speech.source,
          after: speech.after,
        };
  await live.heardFile.write({
    next,
    lines: [...live.heard],
    awaited: [...live.awaited],
    ...(upTo === undefined ? {} : { upTo }),
    ...(pending === undefined ? {} : { pending }),
    ...(live.afters.size === 0 ? {} : { afters: Object.fromEntries(live.afters) }),
  });
}

/** Takes up what an earlier hall knew. */
export function takeHeard(live: LiveTerminal, state: HeardState): void {
  live.heard = state.lines;
  const ids = [...live.ledger.messages.keys()];
  live.lastTyped = state.upTo;
  const since = [...live.ledger.messages.values()].slice(ids.indexOf(state.upTo ?? '') + 1);
  const { step } = live;
  const typed = since.filter(
    ({ message, receipt }) =>
      receipt.state === 'delivered' || (step !== undefined && step !== 'none' && step.key === keyOf(message.id)),
  );
  // In lines or in one: that was decided by a hall that nobody can ask.
  const words = typed.map(({ message: { text } }) => live.kind.manner.words?.(text) ?? text);
  const shapes = words.flatMap((text) => [text, ...(text.includes('\n') ? [inOneLine(text)] : [])]);
  live.awaited = [...state.awaited, ...shapes.flatMap(awaitedFor)];
  for (const [name, after] of Object.entries(state.afters ?? {})) live.afters.set(name, after);
  const { pending } = state;
  live.pending = { next: state.next, speech: pending === undefined ? undefined : { ...pending, terminal: live.id } };
}
