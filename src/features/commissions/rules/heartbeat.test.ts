import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../contract/journal.ts';
import { type Beat, beatOnLife, beatOnTick, startBeat } from './heartbeat.ts';

const settings = { thresholdMs: 180_000, tickMs: 5000 };
const line = { n: 1, at: '2026-02-14T09:30:00.000Z' };
const text: JournalEntry = { ...line, kind: 'text', text: 'x' };
const tool = (limitMs: number | null): JournalEntry => {
  return { ...line, kind: 'tool', callId: 'c1', name: 'Bash', input: '', limitMs };
};
const toolResult: JournalEntry = { ...line, kind: 'tool_result', callId: 'c1', name: 'Bash', ok: true, summary: '' };

/** Ticks until `ms` have passed; every change with its time. */
function wait(from: Beat, ms: number): { beat: Beat; changes: [number, string][] } {
  let beat = from;
  const changes: [number, string][] = [];
  for (let passed = settings.tickMs; passed <= ms; passed += settings.tickMs) {
    const step = beatOnTick(beat, from.seenMs + passed, settings);
    ({ beat } = step);
    if (step.change) changes.push([passed, `${step.change.from} → ${step.change.to}`]);
  }
  return { beat, changes };
}

describe('silence', () => {
  test('[COM-24.5] stale at half the threshold, lost at the threshold, once each', () => {
    expect(wait(startBeat(0), 400_000).changes).toEqual([
      [90_000, 'healthy → stale'],
      [180_000, 'stale → lost'],
    ]);
  });

  test.each<JournalEntry>([
    text,
    { ...line, kind: 'progress', text: 'x' },
    { ...line, kind: 'thought', text: 'x' },
    { ...line, kind: 'alive' },
    toolResult,
  ])('[COM-13.1] [COM-13.2] any sign of life makes it healthy again: $kind', (entry) => {
    const stale = wait(startBeat(0), 120_000).beat;
    const { beat, change } = beatOnLife(stale, entry, 120_000);
    expect(change).toEqual({ from: 'stale', to: 'healthy' });
    expect(wait(beat, 85_000).changes).toEqual([]);
  });

  test('one that was lost stays lost', () => {
    const lost = wait(startBeat(0), 180_000).beat;
    expect(beatOnLife(lost, text, 181_000)).toEqual({ beat: lost });
    expect(beatOnTick(lost, 999_000, settings)).toEqual({ beat: lost });
  });
});

describe('a tool in flight', () => {
  test('counts as life up to its own limit', () => {
    const { beat } = beatOnLife(startBeat(0), tool(600_000), 0);
    expect(wait(beat, 2_000_000).changes).toEqual([
      [690_000, 'healthy → stale'],
      [780_000, 'stale → lost'],
    ]);
  });

  test('without a limit until its result comes', () => {
    const { beat } = beatOnLife(startBeat(0), tool(null), 0);
    const long = wait(beat, 9_000_000);
    expect(long.changes).toEqual([]);
    const after = beatOnLife(long.beat, toolResult, 9_000_000).beat;
    expect(wait(after, 180_000).changes).toHaveLength(2);
  });

  test('what was open ends with the session', () => {
    const { beat } = beatOnLife(startBeat(0), tool(null), 0);
    const end: JournalEntry = {
      ...line,
      kind: 'ended',
      how: 'done',
      class: null,
      reason: '',
      hint: '',
      retryAfterMs: null,
    };
    expect(beatOnLife(beat, end, 1).beat.tools).toEqual([]);
  });
});

describe('sleep', () => {
  test('of eight hours is no silence', () => {
    const before = wait(startBeat(0), 60_000).beat;
    const { beat, change } = beatOnTick(before, 60_000 + 8 * 3_600_000, settings);
    expect([beat.silentMs, change]).toEqual([70_000, undefined]);
    expect(wait(beat, 100_000).changes).toEqual([[20_000, 'healthy → stale']]);
  });

  test('a clock that does not go on, or goes back, is no silence', () => {
    expect(beatOnTick(startBeat(1000), 500, settings).beat).toMatchObject({ silentMs: 0, seenMs: 1000 });
  });
});

test('whatever comes: no more silence than passed, none is lost while a tool may run, and lost is the end', () => {
  const event = fc.oneof(
    fc.record({ is: fc.constant('tick' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
    fc.record({ is: fc.constant('life' as const), ms: fc.nat(20_000), entry: fc.constantFrom(text, toolResult) }),
    fc.record({
      is: fc.constant('life' as const),
      ms: fc.nat(20_000),
      entry: fc.constantFrom(tool(null), tool(60_000)),
    }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      let beat = startBeat(0);
      let now = 0;
      let sinceLife = 0;
      for (const one of events) {
        now += one.ms;
        const before: Beat = beat;
        const step = one.is === 'tick' ? beatOnTick(beat, now, settings) : beatOnLife(beat, one.entry, now);
        sinceLife = one.is === 'tick' ? sinceLife + Math.min(one.ms, 2 * settings.tickMs) : 0;
        ({ beat } = step);
        expect(step.change !== undefined).toBe(before.heartbeat !== beat.heartbeat);
        if (before.heartbeat === 'lost') expect(beat).toBe(before);
        else {
          expect(beat.silentMs).toBeLessThanOrEqual(sinceLife);
          if (beat.tools.some(({ leftMs }) => leftMs === null)) expect(beat.silentMs).toBe(0);
          if (beat.heartbeat === 'lost') expect(sinceLife).toBeGreaterThanOrEqual(settings.thresholdMs);
        }
      }
    }),
  );
});
