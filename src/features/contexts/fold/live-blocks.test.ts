import { expect, test } from 'vitest';
import type { AgentMessage, MessagePart, SessionInfo, SessionMessage } from '../../sessions/contract/state.ts';
import { newestSession, nextBlocksOf, standingOf } from './live-blocks.ts';

const fenced = (value: unknown, kind = 'next'): string => `\`\`\`conclave:${kind}\n${JSON.stringify(value)}\n\`\`\``;
const next = (label: string): string => fenced({ label, command: `/req ${label}`, metaContext: 'dictation' });

const answer = (seq: number, texts: readonly string[], state: AgentMessage['state'] = 'done'): AgentMessage => ({
  role: 'agent',
  seq,
  at: '',
  promptId: `p${seq}`,
  parts: texts.map((text): MessagePart => ({ type: 'text', text })),
  state,
  error: null,
  retry: null,
  usage: null,
  renewed: false,
  endedAt: null,
});

const session = (...messages: SessionMessage[]) => ({ id: 'one' as SessionInfo['id'], messages });

const info = (id: string, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id: id as SessionInfo['id'],
  title: `Session ${id}`,
  agent: 'claude' as SessionInfo['agent'],
  createdAt: '',
  lastAt: '',
  state: 'idle',
  metaContextId: null,
  from: null,
  ...more,
});

const alone = { sessions: [info('one')], metaContexts: [] };
const at = { message: 4, position: 0 };
const why = (standing: ReturnType<typeof standingOf>) => (standing.works ? 'works' : standing.reason);

test('the block in the last answer of a session that stands alone works [UC-3.6]', () => {
  expect(standingOf(session(answer(4, [next('a')])), alone, at)).toEqual({
    works: true,
    next: { label: 'a', command: '/req a', metaContext: 'dictation' },
  });
});

test('none works in an answer that grows or was cut off, in an earlier answer, or where none stands [UC-3.4, UC-3.6]', () => {
  const first = answer(4, [next('a')]);
  expect(why(standingOf(session(answer(4, [next('a')], 'running')), alone, at))).toBe('unfinished');
  expect(why(standingOf(session(answer(4, [next('a')], 'interrupted')), alone, at))).toBe('unfinished');
  expect(why(standingOf(session(first, answer(9, ['More.'], 'running')), alone, at))).toBe('older-message');
  expect(why(standingOf(session(first, answer(9, ['More.'])), alone, at))).toBe('older-message');
  expect(why(standingOf(session(first), alone, { message: 4, position: 1 }))).toBe('no-block');
  expect(why(standingOf(session(first), alone, { message: 5, position: 0 }))).toBe('no-block');
  const nameless = answer(4, [fenced({ label: 'a', command: '/req' })]);
  expect(why(standingOf(session(nameless), alone, at))).toBe('no-block');
});

test('one that began a session does not work again, wherever that is asked; others of the answer do [UC-3.5, CTX-EVT-18]', () => {
  const from = { clickId: 'click-1234', block: { sessionId: info('one').id, message: 4, position: 0 }, label: 'a' };
  const known = { sessions: [info('two', { from }), info('one')], metaContexts: [] };
  const spoken = session(answer(4, [next('a'), next('b')]));
  expect(standingOf(spoken, known, at)).toMatchObject({
    works: false,
    reason: 'used',
    why: 'It is used: it began “Session two”.',
    usedBy: 'two',
  });
  expect(why(standingOf(spoken, known, { message: 4, position: 1 }))).toBe('works');
});

test('of a context only the newest session that still exists leads on [UC-3.3, UC-3.4]', () => {
  const inContext = (id: string) => info(id, { metaContextId: 'c' });
  const metaContexts = [{ id: 'c', name: 'dictation', sessionIds: ['zero', 'one', 'two'] }];
  const spoken = session(answer(4, [next('a')]));
  const three = { sessions: [inContext('two'), inContext('one'), inContext('zero')], metaContexts };
  expect(standingOf(spoken, three, at)).toMatchObject({
    reason: 'older-phase',
    why: 'It is of an earlier phase; “dictation” has gone on since.',
  });
  expect(why(standingOf(spoken, { ...three, sessions: [inContext('one'), inContext('zero')] }, at))).toBe('works');
  expect(why(standingOf(spoken, { sessions: [], metaContexts }, at))).toBe('removed');
  expect(newestSession(metaContexts[0]!, three.sessions)?.id).toBe('two');
  expect(newestSession(metaContexts[0]!, [])).toBeUndefined();
});

test('places are counted over all texts of an answer, and over blocks of every kind', () => {
  const slice = fenced({ slice: 'a', label: 'A' }, 'eventmodel');
  const parts = answer(4, [`${slice}\n\n${next('a')}`, 'Words.', next('b')]).parts;
  const thought: MessagePart = { type: 'thought', text: next('never') };
  expect(
    nextBlocksOf({ parts: [thought, ...parts] }).map(({ position, next: { label } }) => [position, label]),
  ).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});
