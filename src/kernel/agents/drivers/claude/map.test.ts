import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../contract.ts';
import { createMapState, finishTurn, type MapState, mapSdkMessage } from './map.ts';

const folder = join(import.meta.dirname, '../../../../../test/fixtures/turns');
const limits = { maxTurns: 2, maxBudgetUsd: 0.5, silenceMs: 1_000 };

function newState(): MapState {
  return createMapState({ model: 'the-model', limits });
}

function readTurn(name: string): SDKMessage[] {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SDKMessage);
}

function mapTurn(name: string, state = newState()): AgentEvent[] {
  return readTurn(name).flatMap((message) => mapSdkMessage(state, message));
}

/** Events in short: `text:Good ` … without ids. */
function brief(events: readonly AgentEvent[]): string[] {
  return events.map((event) => {
    if (event.type === 'text' || event.type === 'thought') return `${event.type}:${event.text}`;
    if (event.type === 'tool_call') return `call ${event.name} ${JSON.stringify(event.input)}`;
    if (event.type === 'tool_result') return `result ${event.name} ${event.ok} ${event.summary}`;
    if (event.type === 'retry') return `retry ${event.attempt} ${event.errorClass}`;
    if (event.type === 'error') return `error ${event.errorClass}: ${event.message}`;
    if (event.type === 'end') return `end ${event.reason}`;
    return event.type;
  });
}

describe('recorded turns', () => {
  test.each<[string, string[]]>([
    ['text', ['session', 'text:Good ', 'text:morning, ', 'text:hall.', 'usage', 'end done']],
    [
      'thought-and-tools',
      [
        'session',
        'thought:Let me ',
        'thought:see.',
        'text:I note.',
        'call note {"text":"fox"}',
        'call note {"text":"bad"}',
        'result note true kept: fox',
        'result note false kept: bad',
        'text:Noted.',
        'usage',
        'end done',
      ],
    ],
    [
      'cut-then-whole',
      [
        'session',
        'text:Half ',
        'text:of',
        'retry 1 overloaded',
        'text: it, ',
        'text:and the rest.',
        'usage',
        'end done',
      ],
    ],
    ['garbage-then-whole', ['session', 'text:Half ', 'text:of', 'text: it, and the rest.', 'usage', 'end done']],
    [
      'cut-then-other',
      [
        'session',
        'text:Half ',
        'text:of',
        'retry 1 overloaded',
        'text:\n\nSomething ',
        'text:else.',
        'usage',
        'end done',
      ],
    ],
    ['auth', ['session', 'retry 1 auth', 'error auth: The model refused the key. It said: 401 scripted 401.']],
    [
      'rate-limit',
      [
        'session',
        'retry 1 rate_limit',
        "error rate_limit: The model's limit is reached. It said: (429) · scripted 429.",
      ],
    ],
    [
      'overloaded',
      [
        'session',
        'retry 1 overloaded',
        "error overloaded: The model's service is overloaded or cannot be reached. It said: 529 scripted 529.",
      ],
    ],
    [
      'max-turns',
      [
        'session',
        'call note {"text":"x"}',
        'result note true kept: x',
        'call note {"text":"x"}',
        'result note true kept: x',
        'usage',
        'error max_turns: turn limit reached (2)',
      ],
    ],
    [
      'budget',
      [
        'session',
        'call note {"text":"x"}',
        'result note false No result: the turn ended first.',
        'usage',
        'error budget: budget reached ($3.00 of $0.50)',
      ],
    ],
  ])('%s', (name, expected) => {
    expect(brief(mapTurn(name))).toEqual(expected);
  });

  test('an unknown model names what to look at', () => {
    const last = mapTurn('unknown-model').at(-1);
    expect(last).toMatchObject({ type: 'error', errorClass: 'protocol', hint: expect.stringContaining('"the-model"') });
  });

  test('a reached quota says when to try again', () => {
    const last = mapTurn('rate-limit').at(-1);
    expect(last).toMatchObject({
      type: 'error',
      retryAfterMs: expect.any(Number),
      hint: expect.stringMatching(/^Wait \d+ s/),
    });
  });

  test('usage of a resumed turn is that of the turn, though the SDK counts on', () => {
    const result = readTurn('resumed').find((message) => message.type === 'result');
    expect(Object.values(result!.modelUsage)[0]).toMatchObject({ inputTokens: 200 });
    expect(mapTurn('resumed').find((event) => event.type === 'usage')).toMatchObject({
      usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, contextUsed: 120, contextWindow: 200_000 },
    });
  });

  test('the same broken-off turn is an interrupt, a silence or a failure, by what the hall asked for', () => {
    const interrupted = { ...newState(), asked: 'interrupt' as const };
    expect(brief(mapTurn('interrupted', interrupted)).at(-1)).toBe('end interrupted');
    const silent = { ...newState(), asked: 'silence' as const, silentMs: 61_000 };
    expect(brief(mapTurn('interrupted', silent)).at(-1)).toBe(
      'error crashed: The agent gave no sign of life for 61 s, so the turn was ended.',
    );
    expect(brief(mapTurn('interrupted')).at(-1)).toBe('error aborted: The turn was broken off before its end.');
  });

  test('a turn that was done before it could be stopped is done, and says no more', () => {
    const state = { ...newState(), asked: 'interrupt' as const };
    expect(brief(mapTurn('text', state)).at(-1)).toBe('end done');
    expect(mapTurn('text', state)).toEqual([]);
  });

  test.each(readdirSync(folder))('%s ends once, whatever follows', (file) => {
    const name = file.replace('.jsonl', '');
    const state = newState();
    const events = [...mapTurn(name, state), ...mapTurn(name, state), ...finishTurn(state)];
    expect(events.filter((event) => event.type === 'end' || event.type === 'error').length).toBe(1);
  });
});

describe('single messages', () => {
  const message = (value: object): SDKMessage => value as SDKMessage;
  const assistant = (content: object[], more: object = {}): SDKMessage =>
    message({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm', content }, ...more });
  const toolResult = (content: unknown): SDKMessage =>
    message({
      type: 'user',
      parent_tool_use_id: null,
      message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    });

  test('what a helper agent says is not the turn’s own', () => {
    expect(
      mapSdkMessage(newState(), assistant([{ type: 'text', text: 'inner' }], { parent_tool_use_id: 'x' })),
    ).toEqual([]);
  });

  test('a result without a call says nothing; a call has one result', () => {
    const state = newState();
    expect(mapSdkMessage(state, toolResult('early'))).toEqual([]);
    mapSdkMessage(state, assistant([{ type: 'tool_use', id: 't', name: 'Read', input: {} }]));
    expect(mapSdkMessage(state, toolResult('one'))).toMatchObject([{ name: 'Read', summary: 'one' }]);
    expect(mapSdkMessage(state, toolResult('two'))).toEqual([]);
  });

  test('output of several kinds becomes text, and long output is cut with a mark', () => {
    const state = newState();
    const call = assistant([{ type: 'tool_use', id: 't', name: 'Read', input: {} }]);
    mapSdkMessage(state, call);
    const parts = [
      { type: 'text', text: 'see' },
      { type: 'image', source: {} },
    ];
    expect(mapSdkMessage(state, toolResult(parts))).toMatchObject([{ summary: 'see\n[image]' }]);
    mapSdkMessage(state, call);
    const [cut] = mapSdkMessage(state, toolResult('x'.repeat(2_001)));
    expect(cut).toMatchObject({ summary: expect.stringMatching(/^x+\n\[cut: 2001 characters in all\]$/) });
    expect((cut as { summary: string }).summary.length).toBe(2_000);
  });

  test('a list of things to do is a plan too', () => {
    const input = { todos: [{ content: 'Look', status: 'pending' }] };
    const events = mapSdkMessage(newState(), assistant([{ type: 'tool_use', id: 't', name: 'TodoWrite', input }]));
    expect(events[1]).toEqual({ type: 'plan', entries: [{ text: 'Look', status: 'pending' }] });
  });

  test('a price that nobody knows is null, not a guess', () => {
    const usage = { inputTokens: 5, outputTokens: 6, cacheReadInputTokens: 7, cacheCreationInputTokens: 8, costUSD: 1 };
    const result = (costBasis: string): SDKMessage =>
      message({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'x',
        model_usage_since_last_result: {
          a: { ...usage, contextWindow: 10, costBasis },
          b: { ...usage, contextWindow: 20 },
        },
      });
    expect(mapSdkMessage(newState(), result('unknown'))[0]).toMatchObject({
      usage: { costUsd: null, inputTokens: 10, contextWindow: 20 },
    });
    expect(mapSdkMessage(newState(), result('list'))[0]).toMatchObject({
      usage: { costUsd: 2, cacheReadTokens: 14, cacheWriteTokens: 16 },
    });
  });

  test('an unknown session is known by its words', () => {
    const errors = ['No conversation found with session ID: 9999'];
    const result = message({ type: 'result', subtype: 'error_during_execution', is_error: true, num_turns: 0, errors });
    expect(brief(mapSdkMessage(newState(), result))).toEqual([
      'error expired_session: The agent no longer knows this session.',
    ]);
  });
});
