import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyLog, created, withNumbers } from '../../../../test/help/session-logs.ts';
import type { HallEvent } from '../../../kernel/pure/events.ts';
import type { NewSessionEvent, SessionEvent, SessionMessage, SessionView } from '../contract.ts';
import { eventsAfterCrash, nextPrompt } from '../rules/recovery.ts';
import { infoOf, isBusy, openPermissionsOf, runningOf } from './reading.ts';
import { emptySession, foldSession, foldSessionView } from './session.ts';

const fold = (events: readonly SessionEvent[]) => events.reduce(foldSession, emptySession());
const say = (promptId: string): NewSessionEvent => ({ type: 'PromptSubmitted', promptId, text: promptId, images: [] });
const start = (promptId: string): NewSessionEvent => ({ type: 'TurnStarted', promptId });
const text = (words: string): NewSessionEvent => ({ type: 'AgentText', text: words });
const end = (promptId: string, stopReason: 'done' | 'failed' = 'done'): NewSessionEvent => {
  const usage = { inputTokens: 3, outputTokens: 2, costUsd: 0.5, contextUsed: 5, contextWindow: 9 };
  return { type: 'TurnCompleted', promptId, stopReason, usage };
};
const question: NewSessionEvent = {
  type: 'PermissionRequested',
  requestId: 'q',
  callId: 'c',
  name: 'Bash',
  title: 'ls',
  input: {},
  diffs: [],
  options: [{ id: 'yes', name: 'Yes', kind: 'allow_once' }],
};
const shape = (message: SessionMessage): string => `${message.role} ${message.promptId} ${message.state}`;

test('[UC-6.2] a log gives the same state live, replayed from any place, and with lines that come twice', () => {
  fc.assert(
    fc.property(anyLog, fc.nat(60), fc.nat(60), (log, first, second) => {
      const whole = fold(log);
      const [from, to] = [Math.min(first, second), Math.max(first, second)];
      // Read up to `to`, then every line again from `from` on, as after a reconnect.
      expect(log.slice(from).reduce(foldSession, fold(log.slice(0, to)))).toEqual(whole);
      expect(whole.seq).toBe(log.at(-1)!.seq);
    }),
  );
});

test('of a call that tells of changes without end so many are kept', () => {
  const diff = (nth: number) => ({ path: `f${nth}`, oldText: null, newText: 'x' });
  const update = (nth: number): NewSessionEvent => ({
    type: 'ToolCallUpdated',
    callId: 'c',
    output: '',
    diffs: Array.from({ length: 100 }, (_, at) => diff(nth * 100 + at)),
    title: null,
  });
  const call: NewSessionEvent = {
    type: 'ToolCallStarted',
    callId: 'c',
    name: 'Edit',
    title: '',
    kind: 'edit',
    input: {},
  };
  const diffs = [diff(0), diff(1)];
  const over: NewSessionEvent = { type: 'ToolCallCompleted', callId: 'c', ok: true, summary: '', diffs };
  const updates = Array.from({ length: 20 }, (_, nth) => update(nth));
  const state = fold(withNumbers([created, say('p'), start('p'), call, ...updates, over, end('p')]));
  const [part] = state.messages.flatMap((message) => (message.role === 'agent' ? message.parts : []));
  expect(part).toMatchObject({ type: 'tool', state: 'done' });
  expect(part?.type === 'tool' ? part.diffs : []).toHaveLength(500);
  expect(state.changedFiles).toEqual(Array.from({ length: 500 }, (_, nth) => `f${nth}`));
});

test('[UC-6.2] what a page folds from the stream is what the hall folds from the file', () => {
  fc.assert(
    fc.property(anyLog, fc.nat(60), fc.integer({ min: 1, max: 9 }), (log, cut, step) => {
      const before = fold(log.slice(0, Math.max(1, cut)));
      let view: SessionView = { session: before, earlier: 0, cursor: 'e.1' };
      for (let at = 0; at < log.length; at += step) {
        const events = log.slice(at, at + step);
        const event = { epoch: 'e', seq: at + 2, at: '', project: 'tally', subject: `session:${before.id}` };
        view = foldSessionView(view, {
          ...event,
          type: 'session.logged',
          data: { id: before.id, events },
        } as HallEvent);
      }
      expect(view.session).toEqual(fold(log));
    }),
  );
});

test('a log that was cut anywhere ends as interrupted, never as running, and nobody waits for an answer in it', () => {
  fc.assert(
    fc.property(anyLog, fc.nat(60), (log, cut) => {
      const found = fold(log.slice(0, 1 + cut));
      const more = eventsAfterCrash(found);
      const mended = fold([
        ...log.slice(0, 1 + cut),
        ...(more.map((event, index) => ({
          ...event,
          seq: found.seq + index + 1,
          at: '2026-03-01T00:00:00.000Z',
        })) as SessionEvent[]),
      ]);
      expect(runningOf(mended)).toBeUndefined();
      expect(openPermissionsOf(mended)).toEqual([]);
      expect(eventsAfterCrash(mended)).toEqual([]);
      const parts = mended.messages.flatMap((message) => (message.role === 'agent' ? message.parts : []));
      expect(parts.filter((part) => part.type === 'tool' && part.state === 'running')).toEqual([]);
      expect(parts.filter((part) => part.type === 'permission' && part.outcome === null)).toEqual([]);
      // Words that waited still wait, and are the next to be sent.
      expect(isBusy(mended)).toBe(mended.messages.some(({ state }) => state === 'queued'));
    }),
  );
});

test('what an event does not touch stays the same object', () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      let state = emptySession();
      for (const event of log) {
        const next = foldSession(state, event);
        const changed = state.messages.filter((message) => !next.messages.includes(message));
        expect(changed.length).toBeLessThanOrEqual(2);
        state = next;
      }
    }),
  );
});

test('no two answers run at once, whatever a log says', () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      let state = emptySession();
      for (const event of log) {
        state = foldSession(state, event);
        expect(state.messages.filter(({ state: word }) => word === 'running').length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('an answer stands behind its prompt, and words that wait below both', () => {
  const events = [created, say('a'), start('a'), text('one'), say('b'), say('c'), end('a'), start('b'), text('two')];
  const state = fold(withNumbers(events));
  expect(state.messages.map(shape)).toEqual([
    'person a sent',
    'agent a done',
    'person b sent',
    'agent b running',
    'person c queued',
  ]);
  expect(nextPrompt(state)).toBeUndefined();
  const later = fold(withNumbers([...events, end('b', 'failed')]));
  expect(nextPrompt(later)?.promptId).toBe('c');
  expect(nextPrompt(fold(withNumbers([...events, end('b'), { type: 'SessionClosed' }])))).toBeUndefined();
});

test('words that were taken back are not sent', () => {
  const state = fold(withNumbers([created, say('a'), { type: 'PromptWithdrawn', promptId: 'a' }]));
  expect(state.messages.map(shape)).toEqual(['person a withdrawn']);
  expect(nextPrompt(state)).toBeUndefined();
});

test('the line of a list says what is going on', () => {
  const wordAfter = (...events: NewSessionEvent[]) => infoOf(fold(withNumbers([created, ...events]))).state;
  expect(wordAfter()).toBe('idle');
  expect(wordAfter(say('a'))).toBe('running');
  expect(wordAfter(say('a'), start('a'))).toBe('running');
  expect(wordAfter(say('a'), start('a'), question)).toBe('waiting');
  const answered: NewSessionEvent = { type: 'PermissionResolved', requestId: 'q', outcome: { optionId: 'yes' } };
  expect(wordAfter(say('a'), start('a'), question, answered)).toBe('running');
  expect(wordAfter(say('a'), start('a'), end('a'))).toBe('idle');
  expect(wordAfter(say('a'), start('a'), end('a'), { type: 'SessionClosed' })).toBe('closed');
});

test('usage is summed over turns, and a turn without an end counts what it told', () => {
  const told: NewSessionEvent = {
    type: 'UsageUpdated',
    usage: { inputTokens: 10, outputTokens: 1, costUsd: null, contextUsed: 7, contextWindow: 9 },
  };
  const cut: NewSessionEvent = { type: 'TurnCompleted', promptId: 'b', stopReason: 'interrupted', usage: null };
  const state = fold(withNumbers([created, say('a'), start('a'), end('a'), say('b'), start('b'), told, cut]));
  expect(state.usage).toEqual({
    inputTokens: 13,
    outputTokens: 3,
    costUsd: 0.5,
    contextUsed: 7,
    contextWindow: 9,
  });
});

test('files that a tool changed are named once, in order, and only where it went well', () => {
  const call = (callId: string): NewSessionEvent => ({
    type: 'ToolCallStarted',
    callId,
    name: 'Edit',
    title: 'Edit',
    kind: 'edit',
    input: null,
  });
  const done = (callId: string, ok: boolean, ...paths: string[]): NewSessionEvent => ({
    type: 'ToolCallCompleted',
    callId,
    ok,
    summary: '',
    diffs: paths.map((path) => ({ path, oldText: null, newText: 'x' })),
  });
  const events = [
    call('1'),
    done('1', true, 'b', 'a'),
    call('2'),
    done('2', false, 'c'),
    call('3'),
    done('3', true, 'a'),
  ];
  expect(fold(withNumbers([created, say('a'), start('a'), ...events])).changedFiles).toEqual(['b', 'a']);
});
