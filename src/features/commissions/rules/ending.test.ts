import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AttemptResult, endClassSchema, type JournalEntry } from '../contract/journal.ts';
import { decideEnding, type EndCause, type EndFacts } from './ending.ts';
import { budgetReason, hintOf, reasonOf, turnLimitReason, usageLimitReason } from './reasons.ts';
import { decideRetry } from './retry.ts';

const at = '2026-02-14T09:30:00.000Z';
const result: AttemptResult = { version: 1, token: 't'.repeat(20), at, summary: 'Done', artifacts: [] };
type Ended = Extract<JournalEntry, { kind: 'ended' }>;
const ended = (more: Partial<Ended>): Ended => {
  return { n: 9, at, kind: 'ended', how: 'done', class: null, reason: '', hint: '', retryAfterMs: null, ...more };
};
const clean = { code: 0, signal: null };
const plain: EndFacts = { result: null, ended: null, exit: clean, cause: 'exit' };

describe('without a result', () => {
  const limit = ended({ how: 'failed', class: 'max_turns', reason: 'turn limit reached (150)', hint: 'More turns.' });
  test.each<[string, Partial<EndFacts>, string, string]>([
    ['[COM-14.4] a clean exit', { ended: ended({}) }, 'failed', 'completed without submitting result'],
    ['[COM-14.4] a clean exit without a word', {}, 'failed', 'completed without submitting result'],
    ['[COM-14.7] a crash', { exit: { code: 3, signal: null } }, 'failed', 'process crashed (exit code 3)'],
    ['[COM-14.7] a signal', { exit: { code: null, signal: 'SIGSEGV' } }, 'failed', 'process crashed (SIGSEGV)'],
    [
      'a crash after its own end',
      { ended: ended({}), exit: { code: 1, signal: null } },
      'failed',
      'process crashed (exit code 1)',
    ],
    [
      '[COM-13.4] silence',
      { cause: 'unresponsive', exit: { code: null, signal: 'SIGKILL' } },
      'failed',
      'process unresponsive',
    ],
    ['[COM-27.2] lost on restart', { cause: 'restart', exit: 'unknown' }, 'failed', 'process lost on restart'],
    ['[COM-2.6] a limit', { ended: limit }, 'failed', 'turn limit reached (150)'],
    [
      '[COM-2.6] a limit while the hall was away',
      { ended: limit, cause: 'restart', exit: 'unknown' },
      'failed',
      'turn limit reached (150)',
    ],
    [
      'an end while the hall was away',
      { ended: ended({}), cause: 'restart', exit: 'unknown' },
      'failed',
      'completed without submitting result',
    ],
    ['nobody saw its exit', { exit: 'unknown' }, 'failed', 'process ended without a word'],
    ['stopped from outside', { ended: ended({ how: 'stopped' }) }, 'failed', 'process stopped from outside'],
    [
      'cancelled',
      { cause: 'cancel', reason: 'No longer needed', ended: ended({ how: 'stopped' }) },
      'cancelled',
      'No longer needed',
    ],
    [
      'not started',
      { cause: 'not_started', reason: 'There is no toolbox mail', exit: 'unknown' },
      'failed',
      'There is no toolbox mail',
    ],
  ])('%s', (_name, facts, to, reason) => {
    const ending = decideEnding({ ...plain, ...facts });
    expect(ending).toMatchObject({ to, reason, anomalies: [] });
    if (to === 'failed') expect(ending.hint).not.toBe('');
  });

  test.each(endClassSchema.options)('the class %s has a reason and a hint of its own', (name) => {
    const ending = decideEnding({ ...plain, ended: ended({ how: 'failed', class: name }) });
    expect(ending).toEqual({
      to: 'failed',
      reason: reasonOf[name],
      hint: hintOf[name],
      anomalies: [],
      errorClass: name,
    });
  });
});

describe('[COM-V14] with a result', () => {
  test.each<[string, Partial<EndFacts>, string[]]>([
    ['[COM-14.1] a clean exit', { ended: ended({}) }, []],
    [
      '[COM-14.5] [COM-14.6] a crash',
      { exit: { code: 1, signal: null } },
      ['The process crashed (exit code 1) after the result was submitted; the result counts'],
    ],
    [
      '[COM-13.6] silence',
      { cause: 'unresponsive', exit: { code: null, signal: 'SIGKILL' } },
      ['The process was unresponsive after the result was submitted; the result counts'],
    ],
    [
      '[COM-15.6] a cancellation',
      { cause: 'cancel', reason: 'Too late' },
      ['It was cancelled after the result was submitted; the result counts (Too late)'],
    ],
    [
      '[COM-27.3] a restart',
      { cause: 'restart', exit: 'unknown' },
      ['The process was lost on restart after the result was submitted; the result counts'],
    ],
    ['its own end while the hall was away', { cause: 'restart', exit: 'unknown', ended: ended({}) }, []],
    [
      'a stream error',
      { ended: ended({ how: 'failed', class: 'overloaded', reason: 'overloaded' }) },
      ['The session failed after the result was submitted; the result counts: overloaded'],
    ],
  ])('%s', (_name, facts, anomalies) => {
    expect(decideEnding({ ...plain, result, ...facts })).toMatchObject({
      to: 'completed',
      anomalies,
      errorClass: null,
    });
  });

  test('whatever else happened it is completed; without one it never is', () => {
    const facts = fc.record({
      ended: fc.option(
        fc.record({
          how: fc.constantFrom('done', 'failed', 'stopped'),
          class: fc.option(fc.constantFrom(...endClassSchema.options)),
        }),
      ),
      exit: fc.oneof(
        fc.constant('unknown' as const),
        fc.record({ code: fc.option(fc.nat(255)), signal: fc.option(fc.constant('SIGKILL')) }),
      ),
      cause: fc.constantFrom<EndCause>('exit', 'unresponsive', 'cancel', 'restart', 'not_started'),
      hasResult: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, ({ ended: end, exit, cause, hasResult }) => {
        const { to, reason } = decideEnding({
          result: hasResult ? result : null,
          ended: end === null ? null : ended(end as Partial<Ended>),
          exit,
          cause,
        });
        expect(to === 'completed').toBe(hasResult);
        expect(reason).not.toBe('');
        if (!hasResult) expect(to).toBe(cause === 'cancel' ? 'cancelled' : 'failed');
      }),
    );
  });
});

describe('words of limits', () => {
  test.each([
    [turnLimitReason(150), 'turn limit reached (150)'],
    [turnLimitReason(null), 'turn limit reached'],
    [budgetReason(1.021, 1), 'budget reached ($1.02 of $1.00)'],
    [budgetReason(null, 0.5), 'budget reached (of $0.50)'],
    [budgetReason(0.0012, 0.001), 'budget reached ($0.0012 of $0.0010)'],
    [budgetReason(null, null), 'budget reached'],
    [usageLimitReason('14:00'), 'usage limit until 14:00'],
    [usageLimitReason(null), 'usage limit reached'],
  ])('%s', (said, expected) => {
    expect(said).toBe(expected);
  });
});

describe('automatic retries', () => {
  const on = { attempts: 2, backoffSeconds: 60 };
  test('[COM-6.12] are off by default, and say so in what they do', () => {
    expect(decideRetry('rate_limit', 0, { attempts: 0, backoffSeconds: 60 }, null)).toBeUndefined();
    expect(decideRetry('rate_limit', 0, on, null)).toEqual({
      afterMs: 60_000,
      reason: 'Automatic retry 1 of 2 after usage limit',
    });
  });

  test('wait longer each time, at least as long as the provider asks, and end', () => {
    expect(decideRetry('overloaded', 1, on, null)).toMatchObject({ afterMs: 120_000 });
    expect(decideRetry('overloaded', 0, on, 3_600_000)).toMatchObject({ afterMs: 3_600_000 });
    expect(decideRetry('overloaded', 0, on, 1e12)).toMatchObject({ afterMs: 86_400_000 });
    expect(decideRetry('overloaded', 2, on, null)).toBeUndefined();
  });

  test('are for usage limits and overload alone', () => {
    for (const name of endClassSchema.options) {
      const isRetried = name === 'rate_limit' || name === 'overloaded';
      expect(decideRetry(name, 0, on, null) !== undefined).toBe(isRetried);
    }
    expect(decideRetry(null, 0, on, null)).toBeUndefined();
  });
});
