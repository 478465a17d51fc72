/**
 * What the agent says and does becomes lines of the journal: words gathered into pieces, everything masked. A secret
 * that came up in a tool's words is masked in what is said later too, whatever it is called there.
 */
import type { AgentEvent } from '../../../kernel/agents/contract.ts';
import { rememberFrom } from '../../../kernel/secrets/find.ts';
import { maskKnown, scrubNow, scrubValue } from '../../../kernel/secrets/scrub.ts';
import { emptyMaskState, maskPiece, maskRest, type MaskState, withKnown } from '../../../kernel/secrets/stream.ts';
import type { NewJournalEntry } from '../contract/journal.ts';
import type { Attempt, WorkerContext } from './context.ts';
import { toolLimitMs } from './tool-limits.ts';

/** Words are written when there are so many characters of them, or after so long. */
const pieceLength = 4_000;
const pieceMs = 250;
/** Without a line for so long, a sign of life is written. Milliseconds. */
const aliveMs = 5_000;
const shownInput = 2_000;
/** Of what a tool was given and gave, so many characters are looked through for secrets that may be said again. */
const maxRemembered = 20_000;

type Speech = 'text' | 'thought';

export interface Telling {
  readonly ctx: WorkerContext;
  readonly attempt: Attempt;
  masking: MaskState;
  speech: Speech;
  /** Masked, and not written yet. */
  words: string;
  isFlushDue: boolean;
  /** When a line was written last. Monotonic milliseconds. */
  lastLineMs: number;
}

/** @param prompt the person's words: a secret in them is not for the journal either */
export function startTelling(ctx: WorkerContext, attempt: Attempt, prompt: string): Telling {
  const masking = withKnown(emptyMaskState, rememberFrom(prompt));
  const lastLineMs = ctx.clock.monotonicMs();
  return { ctx, attempt, masking, speech: 'text', words: '', isFlushDue: false, lastLineMs };
}

/** Everything of a turn but its usage and its end. */
export function tell(telling: Telling, event: AgentEvent): void {
  switch (event.type) {
    case 'text':
    case 'thought':
      return tellWords(telling, event.type, event.text);
    case 'tool_call': {
      const { callId, name } = namesOf(telling, event);
      remember(telling, event.input);
      const input = shown(telling, JSON.stringify(maskKnown(scrubValue(event.input), telling.masking.known)) ?? '');
      return note(telling, { kind: 'tool', callId, name, input, limitMs: toolLimitMs(name, event.input) });
    }
    case 'tool_result': {
      const { callId, name } = namesOf(telling, event);
      remember(telling, event.summary);
      return note(telling, { kind: 'tool_result', callId, name, ok: event.ok, summary: shown(telling, event.summary) });
    }
    case 'retry': {
      const { attempt, errorClass, delayMs } = event;
      return note(telling, { kind: 'retry', attempt, errorClass, delayMs });
    }
    default:
      return tellLife(telling);
  }
}

/** A model may call for a tool of any name: of such a one a little is enough. */
const shownName = 200;

function namesOf(telling: Telling, { callId, name }: { readonly callId: string; readonly name: string }) {
  return { callId: callId.slice(0, shownName), name: shown(telling, name).slice(0, shownName) };
}

/** The agent is alive, and perhaps has nothing to show for it: it writes a long file, say. */
export function tellLife(telling: Telling): void {
  if (telling.ctx.clock.monotonicMs() - telling.lastLineMs >= aliveMs) write(telling, { kind: 'alive' });
}

/** What was held back because it might have begun a secret, and what was not enough for a piece. */
export function tellRest(telling: Telling): void {
  telling.words += maskRest(telling.masking);
  telling.masking = { ...emptyMaskState, known: telling.masking.known };
  flush(telling);
}

/** Any other line, after the words that came before it. */
export function note(telling: Telling, entry: NewJournalEntry): void {
  tellRest(telling);
  write(telling, entry);
}

function tellWords(telling: Telling, speech: Speech, text: string): void {
  if (speech !== telling.speech) {
    tellRest(telling);
    telling.speech = speech;
  }
  const step = maskPiece(telling.masking, text);
  telling.masking = step.state;
  telling.words += step.text;
  if (telling.words.length >= pieceLength) flush(telling);
  else if (telling.words !== '') flushSoon(telling);
  tellLife(telling);
}

function flushSoon(telling: Telling): void {
  if (telling.isFlushDue) return;
  telling.isFlushDue = true;
  telling.ctx.spawn('write what the agent says', async () => {
    await telling.ctx.clock.sleep(pieceMs);
    telling.isFlushDue = false;
    flush(telling);
  });
}

function flush(telling: Telling): void {
  const { words } = telling;
  telling.words = '';
  for (let start = 0; start < words.length;) {
    const end = cutBefore(words, start + pieceLength);
    write(telling, { kind: telling.speech, text: words.slice(start, end) });
    start = end;
  }
}

/** Not between the two halves of one sign. */
function cutBefore(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

function write(telling: Telling, entry: NewJournalEntry): void {
  const { ctx, attempt } = telling;
  telling.lastLineMs = ctx.clock.monotonicMs();
  ctx.spawn(`journal ${entry.kind}`, () => attempt.journal.add(entry));
}

function remember(telling: Telling, words: unknown): void {
  const text = (typeof words === 'string' ? words : (JSON.stringify(words) ?? '')).slice(0, maxRemembered);
  telling.masking = withKnown(telling.masking, rememberFrom(text));
}

function shown(telling: Telling, text: string): string {
  const masked = maskKnown(scrubNow(text.slice(0, maxRemembered)), telling.masking.known) as string;
  return masked.length <= shownInput ? masked : `${masked.slice(0, shownInput - 1)}…`;
}
