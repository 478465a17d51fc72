/**
 * Whether a worker still shows life. Pure. Times are milliseconds of a clock that only goes forward; what passes
 * between two looks counts as silence at most as two ticks, so that a sleep of machine or hall kills nobody.
 */
import type { JournalEntry } from '../contract/journal.ts';
import type { Heartbeat } from '../contract/words.ts';

export interface Beat {
  readonly heartbeat: Heartbeat;
  /** Without any sign of life; sleep does not count. */
  readonly silentMs: number;
  /** When it was looked at last, or showed life. */
  readonly seenMs: number;
  /** Tool calls without a result; `leftMs`: how long each still counts as life, null: until its result comes. */
  readonly tools: readonly { readonly callId: string; readonly leftMs: number | null }[];
}

export interface BeatStep {
  readonly beat: Beat;
  readonly change?: { readonly from: Heartbeat; readonly to: Heartbeat };
}

export function startBeat(nowMs: number): Beat {
  return { heartbeat: 'healthy', silentMs: 0, seenMs: nowMs, tools: [] };
}

/** Any line of the journal is life. One that was declared lost stays so. */
export function beatOnLife(beat: Beat, entry: JournalEntry, nowMs: number): BeatStep {
  if (beat.heartbeat === 'lost') return { beat };
  return stepTo(beat, { ...beat, silentMs: 0, seenMs: Math.max(nowMs, beat.seenMs), tools: toolsAfter(beat, entry) });
}

function toolsAfter({ tools }: Beat, entry: JournalEntry): Beat['tools'] {
  switch (entry.kind) {
    case 'tool':
      return [
        ...tools.filter(({ callId }) => callId !== entry.callId),
        { callId: entry.callId, leftMs: entry.limitMs },
      ];
    case 'tool_result':
      return tools.filter(({ callId }) => callId !== entry.callId);
    case 'started':
    case 'ended':
      return [];
    default:
      return tools;
  }
}

/** `thresholdMs`: silence after which it is lost, half of it stale; `tickMs`: how often this is called. */
export function beatOnTick(
  beat: Beat,
  nowMs: number,
  { thresholdMs, tickMs }: { readonly thresholdMs: number; readonly tickMs: number },
): BeatStep {
  if (beat.heartbeat === 'lost') return { beat };
  const passedMs = Math.min(Math.max(0, nowMs - beat.seenMs), 2 * tickMs);
  const livelyMs = Math.max(0, ...beat.tools.map(({ leftMs }) => Math.min(leftMs ?? passedMs, passedMs)));
  const silentMs = livelyMs > 0 ? passedMs - livelyMs : beat.silentMs + passedMs;
  const tools = beat.tools.map(({ callId, leftMs }) => ({
    callId,
    leftMs: leftMs === null ? null : Math.max(0, leftMs - passedMs),
  }));
  const heartbeat = heartbeatOf(silentMs, thresholdMs);
  return stepTo(beat, { heartbeat, silentMs, seenMs: Math.max(nowMs, beat.seenMs), tools }, heartbeat);
}

function heartbeatOf(silentMs: number, thresholdMs: number): Heartbeat {
  if (silentMs >= thresholdMs) return 'lost';
  return silentMs >= thresholdMs / 2 ? 'stale' : 'healthy';
}

function stepTo({ heartbeat: from }: Beat, beat: Beat, to: Heartbeat = 'healthy'): BeatStep {
  return from === to
    ? { beat: { ...beat, heartbeat: to } }
    : { beat: { ...beat, heartbeat: to }, change: { from, to } };
}
