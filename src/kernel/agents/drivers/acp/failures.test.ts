import { RequestError } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { acpEntries } from './entries.ts';
import { failureInWords, failureOfLoad, failureOfRequest, failureOfStop, looksLikeFailure } from './failures.ts';
import { createMeter } from './meter.ts';

const entries = acpEntries({});
const codex = entries.find(({ name }) => name === 'codex')!;
const claude = entries.find(({ name }) => name === 'claude-acp')!;
const limits = { maxTurns: 3, maxBudgetUsd: null, silenceMs: 1_000 };
const meter = createMeter('large', limits, 3);

describe('what agents answer in place of a result', () => {
  test.each([
    [-32_603, 'Internal error', { details: 'API Error: 429 slow down' }, 'rate_limit'],
    [-32_603, 'Internal error', { errorKind: 'rate_limit' }, 'rate_limit'],
    [-32_603, 'Internal error: API Error: 529 overloaded', undefined, 'overloaded'],
    [-32_603, 'Internal error', { error: { message: 'status 401 no such key' } }, 'auth'],
    [400, 'bad request', undefined, 'protocol'],
    [503, 'away', undefined, 'overloaded'],
    [-32_000, 'Authentication required', undefined, 'auth'],
    [-32_002, 'Resource not found: 123', undefined, 'expired_session'],
    [-32_603, 'Internal error', 'Session 123 not found', 'expired_session'],
    [-32_601, '"Method not found": session/prompt', undefined, 'protocol'],
    [-32_603, 'Internal error', undefined, 'protocol'],
  ] as const)('%i %s %j is %s', (code, message, data, errorClass) => {
    const failure = failureOfRequest(codex, meter, new RequestError(code, message, data));
    expect(failure).toMatchObject({ errorClass, hint: expect.stringMatching(/.{15}/) });
  });

  test('who brings his own model is told where its key goes', () => {
    const refused = new RequestError(-32_000, 'Authentication required');
    expect(failureOfRequest(codex, meter, refused).hint).toContain('variables: [OPENAI_API_KEY]');
    expect(failureOfRequest(claude, meter, refused).hint).toContain('config.yaml');
  });

  test.each([-32_002, -32_603, -32_602])('a session that it cannot load is expired (%i)', (code) => {
    expect(failureOfLoad(codex, new RequestError(code, 'No previous sessions found')).errorClass).toBe(
      'expired_session',
    );
  });
});

describe('what agents say in place of an error', () => {
  test.each([
    ['unexpected status 400 Bad Request: no', 'protocol'],
    ['unexpected status 401 Unauthorized', 'auth'],
    ['stream error: stream disconnected before completion; status 503', 'overloaded'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
    ["You've hit your usage limit. Try again later.", 'rate_limit'],
  ] as const)('%s is %s', (text, errorClass) => {
    expect(looksLikeFailure(text)).toBe(true);
    expect(failureInWords(codex, meter, text)?.errorClass).toBe(errorClass);
  });

  test.each(['The API Error: 400 means a bad request.', 'Statuses are numbers.', 'I found an unexpected status 400.'])(
    'an answer about errors is an answer: %s',
    (text) => {
      expect(looksLikeFailure(text)).toBe(false);
      expect(failureInWords(codex, meter, text)).toBeUndefined();
    },
  );
});

test.each([
  ['end_turn', undefined],
  ['max_tokens', 'budget'],
  ['max_turn_requests', 'max_turns'],
  ['refusal', 'protocol'],
  ['cancelled', 'aborted'],
  ['something new', 'protocol'],
] as const)('a turn that ended by %s is %s', (reason, errorClass) => {
  expect(failureOfStop(reason, limits)?.errorClass).toBe(errorClass);
});
