import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry, NewJournalEntry } from '../contract/journal.ts';
import { emptyLog, foldLive, type LiveLog, liveOf, mostItems } from './live.ts';

const timeOf = (n: number): string => new Date(Date.UTC(2026, 1, 14, 9, 30, n)).toISOString();
const journal = (...entries: NewJournalEntry[]): JournalEntry[] =>
  entries.map((entry, index) => ({ ...entry, n: index + 1, at: timeOf(index + 1) }) as JournalEntry);
const call = (callId: string): NewJournalEntry => ({
  kind: 'tool',
  callId,
  name: 'Read',
  input: 'a.md',
  limitMs: 1000,
});
const answer = (callId: string, ok = true): NewJournalEntry => {
  return { kind: 'tool_result', callId, name: 'Read', ok, summary: '3 lines' };
};
const text = (words: string): NewJournalEntry => ({ kind: 'text', text: words });
const end: NewJournalEntry = { kind: 'ended', how: 'done', class: null, reason: '', hint: '', retryAfterMs: null };

describe('the live log', () => {
  test('joins words, and gives each call its result', () => {
    const log = liveOf(
      journal(text('I '), text('look.'), call('c1'), call('c2'), answer('c2', false), text('So.'), answer('c1'), {
        kind: 'alive',
      }),
    );
    const tool = { kind: 'tool', name: 'Read', input: 'a.md', isOpen: false };
    expect(log).toEqual({
      n: 8,
      isCut: false,
      usage: null,
      items: [
        { kind: 'text', n: 1, at: timeOf(1), text: 'I look.' },
        { ...tool, n: 3, at: timeOf(3), callId: 'c1', result: { ok: true, summary: '3 lines', at: timeOf(7) } },
        { ...tool, n: 4, at: timeOf(4), callId: 'c2', result: { ok: false, summary: '3 lines', at: timeOf(5) } },
        { kind: 'text', n: 6, at: timeOf(6), text: 'So.' },
      ],
    });
  });

  test('keeps thoughts apart from words, and what the worker reported as it is', () => {
    const entries = journal({ kind: 'thought', text: 'Hm' }, text('A'), { kind: 'progress', text: 'Half' }, text('B'));
    expect(liveOf(entries).items.map(({ kind }) => kind)).toEqual(['thought', 'text', 'progress', 'text']);
    expect(liveOf(entries).items[2]).toEqual(entries[2]);
  });

  test('leaves no call open when the attempt is over', () => {
    const { items } = liveOf(journal(call('c1'), end));
    expect(items[0]).toMatchObject({ isOpen: false, result: null });
  });

  test('tells what was used, and that a result whose call was left out is no item', () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.1 };
    expect(liveOf(journal(answer('c0'), { kind: 'usage', usage }))).toEqual({ ...emptyLog, n: 2, usage });
  });

  test('holds so many items and says that there were more; very long words are several', () => {
    const many = journal(...Array.from({ length: mostItems + 7 }, (_, index) => call(`c${index}`)));
    const log = liveOf(many);
    expect([log.items.length, log.isCut, log.items[0]!.n]).toEqual([mostItems, true, 8]);
    const long = liveOf(journal(...Array.from({ length: 50 }, () => text('x'.repeat(1000)))));
    expect(long.items.map((item) => ('text' in item ? item.text.length : 0))).toEqual([20_000, 20_000, 10_000]);
  });
});

test('followed live, replayed and read at once it is the same', () => {
  const entry = fc.constantFrom<NewJournalEntry>(
    text('a'),
    { kind: 'thought', text: 't' },
    call('c1'),
    call('c2'),
    answer('c1'),
    answer('c2', false),
    { kind: 'alive' },
    { kind: 'progress', text: 'p' },
    end,
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), fc.array(fc.nat(40), { maxLength: 6 }), (given, again) => {
      const entries = journal(...given);
      const whole = liveOf(entries);
      let live: LiveLog = emptyLog;
      for (const one of entries) {
        live = foldLive(live, one);
        // What came before is told again.
        for (const n of again) if (n < one.n) expect(foldLive(live, entries[n]!)).toBe(live);
      }
      expect(live).toEqual(whole);
      const from = Math.min(again[0] ?? 0, entries.length);
      expect(entries.slice(from).reduce(foldLive, liveOf(entries.slice(0, from)))).toEqual(whole);
    }),
  );
});
