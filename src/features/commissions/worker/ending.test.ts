import { expect, test } from 'vitest';
import type { AgentErrorClass } from '../../../kernel/agents/contract.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { crashedEntry, type EndFacts, failedEntry, notActivated } from './ending.ts';

const facts: EndFacts = {
  maxTurns: 150,
  maxBudgetUsd: 1,
  spentUsd: 1.02,
  timeAfter: (ms) => `14:${String(ms / 60_000).padStart(2, '0')}`,
};

function failure(errorClass: AgentErrorClass, message: string, retryAfterMs: number | null = null) {
  return { type: 'error', errorClass, message, hint: 'Say it again.', retryAfterMs, sessionId: null } as const;
}

test.each([
  ['max_turns', 'turn limit reached (150)', null, 'turn limit reached (150)'],
  ['budget', 'budget reached ($1.10 of $1.00)', null, 'budget reached ($1.10 of $1.00)'],
  ['budget', 'no more money', null, 'budget reached ($1.02 of $1.00)'],
  ['rate_limit', "The model's limit is reached.", 5 * 60_000, 'usage limit until 14:05'],
  ['rate_limit', "The model's limit is reached. It said: come back.", 2000, 'usage limit reached: come back'],
  [
    'auth',
    'The model refused the key. It said: invalid x-api-key.',
    null,
    'the model endpoint refused the credential: invalid x-api-key',
  ],
  ['overloaded', 'It cannot be reached.', null, 'the model endpoint is overloaded'],
  ['crashed', 'The agent gave no sign of life for 180 s, so the turn was ended.', null, 'process unresponsive'],
  [
    'crashed',
    "The agent's process ended before the turn was done (exit 3).",
    null,
    "The agent's process ended before the turn was done (exit 3).",
  ],
] as const)('%s: “%s” is told as a person reads it', (errorClass, message, retryAfterMs, reason) => {
  const entry = failedEntry(failure(errorClass, message, retryAfterMs), facts);
  expect(entry).toMatchObject({ how: 'failed', class: errorClass, reason, retryAfterMs });
  expect(entry.hint).not.toBe('');
  expect(entry.hint).not.toContain('Say it again');
});

test('where a sandbox is required and missing, the hint tells how to have one [SEC-SANDBOX-STATE]', () => {
  const words = failure('crashed', 'No agent is started without a sandbox: bubblewrap (bwrap) is not installed.');
  const { hint } = failedEntry({ ...words, hint: 'sudo apt-get install bubblewrap' }, facts);
  expect(hint).toMatch(/^sudo apt-get install bubblewrap\b.*again/);
});

test('what could not be activated and what nobody thought of have their own words', () => {
  expect(notActivated(fail('not_found', 'No toolbox "build".', 'Put it there.'))).toMatchObject({
    class: 'activation',
    reason: 'No toolbox "build".',
    hint: 'Put it there.',
  });
  expect(crashedEntry(new Error('x'.repeat(1000))).reason).toBe(`process crashed: ${'x'.repeat(300)}`);
});
