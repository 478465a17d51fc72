import { describe, expect, test } from 'vitest';
import { classOfRetry, decideCrash, decideFailure, decideSilence, type FailureFacts } from './failures.ts';

const facts = (given: Partial<FailureFacts>): FailureFacts => ({
  model: 'local',
  limits: { maxTurns: 150, maxBudgetUsd: 2, silenceMs: 1 },
  text: '',
  subtype: 'success',
  terminalReason: 'api_error',
  status: null,
  apiError: null,
  spentUsd: null,
  lastRetryDelayMs: null,
  ...given,
});

describe('the class of a failure', () => {
  test.each<[string, Partial<FailureFacts>]>([
    ['auth', { status: 401 }],
    ['auth', { apiError: 'oauth_org_not_allowed' }],
    ['rate_limit', { status: 429 }],
    ['rate_limit', { apiError: 'billing_error' }],
    ['overloaded', { status: 502, apiError: 'unknown' }],
    ['overloaded', { text: 'Connection refused', apiError: 'unknown' }],
    ['protocol', { status: 400, apiError: 'unknown' }],
    ['protocol', { status: 400, terminalReason: 'prompt_too_long' }],
    ['protocol', { subtype: 'error_during_execution', terminalReason: null, text: 'whatever' }],
    ['max_turns', { subtype: 'error_max_turns', status: 529 }],
    ['budget', { terminalReason: 'budget_exhausted' }],
    ['budget', { status: 402, apiError: 'billing_error', text: 'API Error: 402 budget reached ($2.10 of $2.00)' }],
    ['budget', { status: 402, apiError: 'billing_error', text: 'token limit reached (9 of 9 output tokens): no more' }],
    [
      'budget',
      { terminalReason: 'api_error', text: "Claude's response exceeded the 900 output token maximum. Set it." },
    ],
    ['rate_limit', { status: 402, apiError: 'billing_error', text: 'Your credit is used up' }],
    ['aborted', { subtype: 'error_during_execution', terminalReason: 'aborted_tools' }],
    ['expired_session', { subtype: 'error_during_execution', text: 'No conversation found with session ID: x' }],
  ])('%s %j', (errorClass, given) => {
    const failure = decideFailure(facts(given));
    expect(failure.errorClass).toBe(errorClass);
    expect(failure.hint).toMatch(/\S{2,} \S/);
  });

  test('of a try that is repeated', () => {
    expect(classOfRetry('unknown', 401)).toBe('auth');
    expect(classOfRetry('rate_limit', null)).toBe('rate_limit');
    expect(classOfRetry('overloaded', 529)).toBe('overloaded');
    expect(classOfRetry('unknown', null)).toBe('overloaded');
  });
});

describe('words', () => {
  test('a wrong key names the model and where to look', () => {
    const { message, hint } = decideFailure(
      facts({ status: 401, text: 'Failed to authenticate. API Error: 401 bad key' }),
    );
    expect(message).toBe('The model refused the key. It said: 401 bad key.');
    expect(hint).toBe('Check the key of model "local" in config.yaml; see: guild-hall doctor');
  });

  test('the wait is the one that the service names, else the one that was announced', () => {
    const named = decideFailure(facts({ status: 429, text: 'Quota used up, retry after 30 s', lastRetryDelayMs: 500 }));
    expect(named).toMatchObject({ retryAfterMs: 30_000, hint: 'Wait 30 s, then send the message again.' });
    expect(decideFailure(facts({ status: 429, lastRetryDelayMs: 1_500 }))).toMatchObject({ retryAfterMs: 1_500 });
    expect(decideFailure(facts({ status: 429 }))).toMatchObject({ retryAfterMs: null });
  });

  test('the budget says what was spent of what', () => {
    expect(decideFailure(facts({ subtype: 'error_max_budget_usd', spentUsd: 2.345 })).message).toBe(
      'budget reached ($2.35 of $2.00)',
    );
    const small = facts({ subtype: 'error_max_budget_usd', spentUsd: 0.0123 });
    expect(decideFailure({ ...small, limits: { ...small.limits, maxBudgetUsd: 0.01 } }).message).toBe(
      'budget reached ($0.0123 of $0.0100)',
    );
  });

  test('a crash gives the last words, and knows an unknown session by them', () => {
    const crash = decideCrash('Claude Code process exited with code 1', 'a\nError: no space left\n');
    expect(crash.errorClass).toBe('crashed');
    expect(crash.message).toContain('(process exited with code 1). Its last words: a\nError: no space left');
    expect(decideCrash('exited', 'No conversation found with session ID: x').errorClass).toBe('expired_session');
    expect(decideSilence(1_234).message).toContain('1.2 s');
  });
});
