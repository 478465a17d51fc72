/** Following a log and waiting for an end, with a hall that says only what a test lets it say. */
import { expect, test } from 'vitest';
import type { CommissionLogs, CommissionsAwaited, JournalEntry } from '../../features/commissions/contract.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import { followCommissionLogs } from './commission-logs.ts';
import { followCommissionWait, waitExits } from './commission-wait.ts';
import type { AnswerFollow } from './follow.ts';
import { createTerminal } from './terminal.ts';

const id = 'job-20260301-093000-k3f9';
const at = '2026-03-01T09:30:00.000Z';
const entry = (n: number, text: string): JournalEntry => ({ n, at, kind: 'progress', text });
const event = (type: string, data: unknown, subject: string | null = `commission:${id}`): HallEvent =>
  ({ type, project: 'shop', subject, data, epoch: 'e', seq: 1, at }) as HallEvent;
const journal = (attempt: number, n: number, text: string): HallEvent =>
  event('commission.journal', { id, attempt, entry: entry(n, text) });
const status = (to: string): HallEvent => event('commission.status', { id, to, reason: '' });

interface World {
  readonly events: readonly HallEvent[];
  readonly answers?: readonly unknown[];
  readonly asJson?: boolean;
  /** The hall goes when it has said everything; else the person leaves. */
  readonly goes?: boolean;
  readonly isTty?: boolean;
}

async function follow(how: AnswerFollow, answer: unknown, world: World) {
  let [out, err] = ['', ''];
  let leave = (): void => {};
  const calls: [string, unknown][] = [];
  const answers = [...(world.answers ?? [])];
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      calls.push([name, input]);
      return answers.shift();
    },
    events: async function* () {
      yield* world.events;
      if (world.goes) throw fail('unavailable', 'No hall is running.', 'guild-hall up');
      leave();
    },
  };
  const streams = {
    out: { write: (text: string) => (out += text) },
    err: { write: (text: string) => (err += text), ...(world.isTty ? { isTTY: true, columns: 80 } : {}) },
  };
  const parts = {
    terminal: createTerminal(streams, { NO_COLOR: '1', TERM: 'xterm' }),
    onInterrupt: (listener: () => void) => {
      leave = listener;
      return () => {};
    },
    sleep: async (_ms: number, signal: AbortSignal) =>
      await new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const exitCode = await how.run(parts, client, answer, world.asJson ?? false).catch((error: Error) => error.message);
  return { exitCode, out, err, calls };
}

const logs: CommissionLogs = {
  id: id as CommissionLogs['id'],
  project: 'shop' as CommissionLogs['project'],
  title: 'Job',
  status: 'in_progress',
  attempt: 1,
  entries: [entry(1, 'one')],
  next: 2,
  hasMore: false,
  cursor: 'e.1',
};

test('a log goes on where it was, without a gap, and ends with the commission', async () => {
  const { exitCode, out, calls } = await follow(followCommissionLogs, logs, {
    events: [
      journal(1, 1, 'one'),
      journal(1, 2, 'two'),
      journal(1, 5, 'five'),
      status('completed'),
      journal(1, 9, 'never'),
    ],
    answers: [
      { ...logs, entries: [entry(3, 'three'), entry(4, 'four')], next: 5 },
      { ...logs, entries: [entry(6, 'six')], next: 7 },
    ],
  });
  expect(exitCode).toBe(0);
  expect(out).toBe('▸ one\n▸ two\n▸ three\n▸ four\n▸ five\n▸ six\n');
  const asked = { id, project: 'shop', limit: 1000, attempt: 1 };
  expect(calls).toEqual([
    ['commission.logs', { ...asked, from: 3 }],
    ['commission.logs', { ...asked, from: 6 }],
  ]);
});

test('one that has not begun is waited for; a new attempt begins at its first line', async () => {
  const idle = { ...logs, status: 'pending', attempt: 0, entries: [], next: 1 };
  const { out } = await follow(followCommissionLogs, idle, {
    events: [
      status('dispatched'),
      journal(1, 1, 'first'),
      journal(2, 1, 'second'),
      journal(1, 2, 'late'),
      status('failed'),
    ],
    answers: [{ ...logs, attempt: 2, entries: [], next: 2 }],
    asJson: true,
  });
  const told = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
  expect(told).toEqual(['first', 'second']);
});

test('what has ended is shown and left; Ctrl-C leaves; a hall that goes is said to be gone', async () => {
  expect(await follow(followCommissionLogs, { ...logs, status: 'failed' }, { events: [] })).toMatchObject({
    exitCode: 0,
    out: '▸ one\n',
    calls: [],
  });
  expect((await follow(followCommissionLogs, logs, { events: [] })).exitCode).toBe(130);
  expect((await follow(followCommissionLogs, logs, { events: [], goes: true })).exitCode).toContain('go on without it');
});

const stands = (more: object): CommissionsAwaited['commissions'][number] =>
  ({
    id,
    project: 'shop',
    title: 'Job',
    worker: 'writer',
    path: `.lore/commissions/${id}.md`,
    status: 'in_progress',
    queuedAt: null,
    queue: null,
    missing: [],
    attempt: 1,
    branch: null,
    merge: { state: 'none', files: [] },
    progress: 'half done',
    heartbeat: 'healthy',
    startedAt: at,
    reason: '',
    hint: '',
    isStuck: false,
    openQuestions: 0,
    summary: null,
    ...more,
  }) as never;
const awaited = (isOver: boolean, ...more: readonly object[]): CommissionsAwaited => ({
  commissions: more.map(stands),
  isOver,
  cursor: 'e.1',
});
const merged = { status: 'completed', merge: { state: 'merged', files: [] }, summary: 'done' };

test.each([
  ['merged', [merged], waitExits.completed],
  ['one of two failed', [merged, { id: 'other', status: 'failed', reason: 'exit code 3' }], waitExits.failed],
  ['cancelled', [{ status: 'cancelled' }], waitExits.cancelled],
  ['failed counts more than cancelled', [{ status: 'cancelled' }, { id: 'other', status: 'failed' }], waitExits.failed],
  ['not merged', [{ status: 'completed', merge: { state: 'gate_failed', files: [] } }], waitExits.unmerged],
  ['given up', [{ status: 'completed', merge: { state: 'dismissed', files: [] } }], waitExits.completed],
] as const)('a wait ends with a code of its own: %s', async (_what, more, code) => {
  const over = awaited(true, ...more);
  const first = awaited(false, ...more.map(({ status: _status, ...rest }) => rest));
  const { exitCode, err } = await follow(followCommissionWait, first, { events: [status('x')], answers: [over] });
  expect([exitCode, err]).toEqual([code, '']);
});

test('only what concerns it makes a wait look again', async () => {
  const { calls } = await follow(followCommissionWait, awaited(false, {}), {
    events: [
      event('commission.status', {}, 'commission:another'),
      journal(1, 1, 'one'),
      event('commission.timeline', {}),
      event('meeting.turn', {}, null),
      event('commission.queue', {}, null),
    ],
    answers: [awaited(false, {}), awaited(false, {}), awaited(false, {})],
  });
  expect(calls).toEqual([
    ['commission.wait', { id: [id], project: 'shop' }],
    ['commission.wait', { id: [id], project: 'shop' }],
  ]);
});

test('one that is blocked looks again when another one of its project ends, and says what to do where nothing comes', async () => {
  const blocked = { status: 'blocked', queuedAt: at, missing: ['other'] };
  const stuck = { ...blocked, isStuck: true, reason: 'It waits for other, which failed.', hint: 'Try it again: x' };
  const { exitCode, out } = await follow(followCommissionWait, awaited(false, blocked), {
    events: [event('commission.status', {}, 'commission:other')],
    answers: [awaited(true, stuck)],
  });
  expect(out).toContain('It waits for other, which failed. Try it again: x');
  expect(exitCode).toBe(`${id} does not start by itself: what it waits for does not come.`);
});

test('on a terminal a wait says how it stands, and takes that back', async () => {
  const { out, err } = await follow(followCommissionWait, awaited(false, {}), {
    events: [event('commission.timeline', {}), event('commission.changed', {})],
    answers: [awaited(false, { progress: 'nearly' }), awaited(true, merged)],
    isTty: true,
  });
  expect(err).toContain('● in progress');
  expect(err).toContain('◐ 0 s · in progress · healthy · half done');
  expect(err).toContain('nearly');
  expect(err.endsWith('\r\u001b[2K')).toBe(true);
  expect(out).toBe(`✓ completed, merged  ${id}\n  done\n`);
});

test('nobody waits for what nobody dispatched; Ctrl-C leaves; a hall that goes is said to be gone', async () => {
  const idle = await follow(followCommissionWait, awaited(true, { status: 'pending' }), { events: [] });
  expect(idle.exitCode).toContain('Nobody has dispatched');
  expect((await follow(followCommissionWait, awaited(false, {}), { events: [] })).exitCode).toBe(130);
  const gone = await follow(followCommissionWait, awaited(false, {}), { events: [], goes: true });
  expect(gone.exitCode).toContain('go on without it');
});
