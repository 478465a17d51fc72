/** How commissions look on wide and narrow terminals, and in a pipe. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type {
  CommissionGraph,
  CommissionList,
  CommissionLogs,
  CommissionRecord,
  CommissionRow,
  CommissionsAwaited,
  CommissionView,
  JournalEntry,
} from '../../../features/commissions/contract.ts';
import { createTerminal, type Terminal } from '../terminal.ts';
import { commissionRenderers } from './commission-answers.ts';
import { spanOf } from './facts.ts';

const pipe = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
const wide = (columns: number): Terminal =>
  createTerminal(
    { out: { write: () => {}, isTTY: true, columns }, err: { write: () => {}, isTTY: true } },
    { TERM: 'xterm-256color' },
  );
const shown = (name: string, output: unknown, term: Terminal = pipe): string =>
  commissionRenderers[name]!(output as never, term);

const at = '2026-03-01T09:30:00.000Z';
const record: CommissionRecord = {
  id: 'errors-20260301-093000-k3f9' as CommissionRecord['id'],
  project: 'shop' as CommissionRecord['project'],
  path: '.lore/commissions/errors-20260301-093000-k3f9.md',
  title: 'Errors of the \u001b[31mparser',
  date: '2026-03-01',
  status: 'pending',
  tags: [],
  modules: [],
  related: [],
  worker: 'researcher',
  prompt: Array.from({ length: 20 }, (_, line) => `Line ${line}`).join('\n'),
  dependencies: ['.lore/a.md'],
  linkedArtifacts: [],
  maxTurns: 12,
  maxBudgetUsd: null,
  createdBy: 'person',
  createdAt: at,
  queuedAt: null,
  attempt: 0,
  branch: null,
  currentProgress: '',
  result: null,
  completedAt: null,
  merge: { state: 'none', files: [] },
  mergedFrom: null,
  reviewedAt: null,
  usage: null,
  timeline: [{ timestamp: at, attempt: 0, event: 'status', from: null, to: 'pending', reason: 'Created' }],
  problems: [],
};

function row(change: Partial<CommissionRow>): CommissionRow {
  const { prompt: _p, timeline: _t, modules: _m, related: _r, ...facts } = record;
  return { ...facts, queue: null, process: null, missing: [], openQuestions: 0, since: at, reason: '', ...change };
}

const process = {
  pid: 4711,
  attempt: 1,
  startedAt: at,
  lastHeartbeat: at,
  heartbeat: 'stale' as const,
  worktree: '/w/commission-k3f9',
  sandbox: 'none',
  model: 'rehearsal',
  isRehearsal: true,
};

describe('the list', () => {
  const list: CommissionList = {
    commissions: [
      row({ status: 'in_progress', process, currentProgress: 'half done', openQuestions: 1 }),
      row({
        id: 'b-20260301-093001-aaaa' as never,
        queue: { position: 1, because: 'project_limit', text: 'shop is full' },
      }),
      row({ id: 'c-20260301-093002-bbbb' as never, status: 'blocked', missing: ['.lore/a.md'] }),
      row({
        id: 'd-20260301-093003-cccc' as never,
        status: 'completed',
        merge: { state: 'merge_conflict', files: ['x.ts'] },
      }),
      row({ id: 'e-20260301-093004-dddd' as never, status: 'failed', reason: 'process unresponsive' }),
    ],
    limits: {
      running: 1,
      global: 10,
      projects: [{ project: 'shop' as never, running: 1, limit: 3 }],
      waitingForReview: 1,
      reviewLimit: 2,
    },
    problems: [{ file: '.lore/commissions/x y.md', line: 1, column: 1, message: 'no id' }],
  };

  test('in a pipe it is whole and without colours', () => {
    const text = shown('commission.list', list);
    expect(stripVTControlCharacters(text)).toBe(text);
    expect(text).toContain('● in progress');
    expect(text).toContain('◐ queued 1');
    expect(text).toContain('▲ completed, conflict');
    expect(text).toContain('…k3f9  silent since 09:30 UTC · half done · 1 open question\n');
    expect(text).toContain('…aaaa  shop is full\n');
    expect(text).toContain('…bbbb  waits for .lore/a.md · not dispatched\n');
    expect(text).toContain('…cccc  x.ts\n');
    expect(text).toContain('…dddd  process unresponsive\n');
    expect(text).toContain(
      '1 of at most 10 run (shop 1 of 3); 1 finished one to be looked at, at 2 nothing new starts.',
    );
    expect(text).toContain('▲ .lore/commissions/x y.md:1 no id\n');
  });

  test.each([40, 80, 200])('on a terminal of %i columns no line is wider', (columns) => {
    const lines = stripVTControlCharacters(shown('commission.list', list, wide(columns))).split('\n');
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
  });

  test('none at all says how to make one', () => {
    expect(shown('commission.list', { ...list, commissions: [], problems: [] })).toContain(
      'guild-hall commission create',
    );
  });
});

const view: CommissionView = {
  commission: {
    ...record,
    status: 'in_progress',
    attempt: 1,
    currentProgress: 'half done',
    timeline: [
      ...record.timeline,
      { timestamp: '2026-03-02T10:00:00.000Z', attempt: 1, event: 'question', id: 'q1.1', text: 'Which?' },
      {
        timestamp: '2026-03-02T10:00:01.000Z',
        attempt: 1,
        event: 'gate',
        ok: false,
        command: 'npm test',
        output: 'a\nb\n',
      },
      { timestamp: '2026-03-02T10:00:02.000Z', attempt: 1, event: 'comment', path: 'src/a.ts', line: 3, text: 'Here' },
    ],
  },
  workerTitle: 'Researcher',
  phase: 'running',
  process,
  dependencies: [{ on: '.lore/a.md', isThere: true, commission: null }],
  dependents: [],
  undispatched: [],
  queue: null,
  openQuestions: [{ id: 'q1.1', text: 'Which?', at }],
  allowed: ['cancel', 'answer', 'comment'],
  changedFiles: [{ path: '.lore/n.md', status: 'A' }],
  branches: ['claude/commission/x'],
  conflicts: [{ kind: 'meeting', id: 'm-1', title: 'M', files: ['src/a.ts'] }],
  journal: [],
  journalIsCut: false,
  recordFile: '/p/.lore/commissions/x.md',
  cursor: 'e.1',
};

test('one is shown with its process, its questions and how to answer them, what happened, and what can be done', () => {
  const text = shown('commission.show', view);
  expect(text).not.toContain('\u001b[31mparser');
  expect(text).toMatch(/process +4711, attempt 1, since 2026-03-01 09:30 UTC, on rehearsal/);
  expect(text).toMatch(/heartbeat +stale, last 09:30:00 UTC/);
  expect(text).toContain('▲ not sandboxed');
  expect(text).toContain('m-1 works on src/a.ts too');
  expect(text).toContain('Line 11\n… 8 more lines; --json has them all');
  expect(text).toContain(`? q1.1 Which?\n  guild-hall commission answer ${record.id} --question q1.1 "…"`);
  expect(text).toContain('2026-03-01\n09:30:00  ○ pending: Created\n2026-03-02\n10:00:00  ? q1.1: Which?\n');
  expect(text).toContain('▲ check failed: npm test\n            a\n            b\n');
  expect(text).toContain('» remark on src/a.ts:3: Here');
  expect(text).toContain(`You can: cancel, answer, comment. Next: guild-hall commission logs ${record.id}`);
  const narrow = stripVTControlCharacters(shown('commission.show', view, wide(60))).split('\n');
  const words = narrow.filter((line) => !/(?:guild-hall|errors-2026|\/p\/)/.test(line));
  expect(Math.max(...words.map((line) => [...line].length))).toBeLessThanOrEqual(60);
});

describe('the graph', () => {
  const node = (id: string, status: CommissionRecord['status'], merge = 'none') => ({
    kind: 'commission' as const,
    id: `${id}-20260301-093000-${id.repeat(4)}` as never,
    title: `Job ${id}`,
    worker: 'writer',
    status,
    merge: merge as 'none',
    position: null,
  });
  const [a, b, c, d, e] = [
    node('a', 'completed', 'merged'),
    node('b', 'blocked'),
    node('c', 'blocked'),
    node('d', 'blocked'),
    node('e', 'pending'),
  ];
  const edge = (from: { id: string }, to: { id: string }) => ({ from: from.id, to: to.id, via: null, isMet: false });
  const path = { kind: 'path' as const, id: '.lore/x.md', isThere: false };
  const graph: CommissionGraph = {
    project: 'shop' as never,
    nodes: [a!, b!, c!, d!, e!, path],
    edges: [edge(a!, b!), edge(a!, c!), edge(b!, d!), edge(c!, d!), edge(path, c!)],
  };

  test('is a tree in which what waits for several stands once', () => {
    expect(shown('commission.graph', graph)).toBe(
      [
        '✓ completed, merged  writer aaaa  Job a',
        '├─ ◐ blocked  writer bbbb  Job b',
        '│  └─ ◐ blocked  writer dddd  Job d',
        '└─ ◐ blocked  writer cccc  Job c',
        '   └─ ↑ writer dddd, see above',
        '◐ not there  .lore/x.md',
        '└─ ↑ writer cccc, see above',
        '',
        'Waiting for nothing, and nothing for them:',
        '○ pending  writer eeee  Job e',
        '',
      ].join('\n'),
    );
  });

  test('a circle that somebody wrote by hand is shown, and ends', () => {
    const text = shown('commission.graph', { ...graph, nodes: [b!, d!], edges: [edge(b!, d!), edge(d!, b!)] });
    expect(text).toContain('└─ ◐ blocked  writer dddd');
    expect(text).toContain('   └─ ↑ writer bbbb, see above');
  });

  test('no commission at all', () => {
    expect(shown('commission.graph', { ...graph, nodes: [], edges: [] })).toContain('No commission of shop');
  });
});

test('a log has words that run on, and a line for everything else', () => {
  const line = (n: number, entry: object): JournalEntry => ({ n, at, ...entry }) as JournalEntry;
  const logs: CommissionLogs = {
    id: record.id,
    project: record.project,
    title: 'x',
    status: 'failed',
    attempt: 1,
    entries: [
      line(1, { kind: 'started', model: 'rehearsal', isRehearsal: true, sandbox: 'none' }),
      line(2, { kind: 'text', text: 'I look ' }),
      line(3, { kind: 'text', text: 'for it.' }),
      line(4, { kind: 'tool', callId: 'c', name: 'Grep', input: '{"pattern":"foo"}', limitMs: null }),
      line(5, { kind: 'tool_result', callId: 'c', name: 'Grep', ok: false, summary: 'no such folder' }),
      line(6, { kind: 'alive' }),
      line(7, { kind: 'progress', text: 'half\u001b[2J way' }),
      line(8, {
        kind: 'ended',
        how: 'failed',
        class: 'budget',
        reason: 'budget reached',
        hint: 'Raise it',
        retryAfterMs: null,
      }),
    ],
    next: 9,
    hasMore: true,
    cursor: 'e.1',
  };
  expect(shown('commission.logs', logs)).toBe(
    [
      '● started on rehearsal, not sandboxed',
      'I look for it.',
      '· Grep "foo"',
      '  Grep failed: no such folder',
      '▸ half[2J way',
      '▲ failed: budget reached (Raise it)',
      `Go on: guild-hall commission logs ${record.id} --from 9`,
      '',
    ].join('\n'),
  );
  expect(shown('commission.logs', { ...logs, attempt: 0, entries: [] })).toContain('Nothing has run yet');
});

test('what was done is told in one line, with the next thing to do', () => {
  const answer = { ...row({}), project: 'shop', path: record.path };
  expect(shown('commission.create', answer)).toBe(
    `✓ Created ${record.id} for researcher: pending.\nStart it: guild-hall commission dispatch ${record.id}\n`,
  );
  const blocked = { ...answer, status: 'blocked', missing: ['.lore/a.md'], queuedAt: at };
  expect(shown('commission.create', blocked)).toContain(
    'waits for .lore/a.md. It starts by itself when that is there.',
  );
  expect(
    shown('commission.cancel', { ...answer, status: 'cancelled', attempt: 1, branch: 'claude/commission/x' }),
  ).toContain('What it wrote is kept on claude/commission/x.');
  expect(shown('commission.cancel', { ...answer, status: 'completed' })).toContain('had handed its result in');
  const merge = { state: 'merge_conflict', files: ['a.ts'] };
  expect(shown('commission.merge', { ...answer, status: 'completed', merge, commit: null })).toContain(
    'is not merged: completed, conflict.\n  a.ts\n',
  );
  expect(shown('commission.edit', { ...answer, fields: [] })).toBe(`Nothing of ${record.id} was changed.\n`);
  const awaited = { ...answer, progress: '', heartbeat: null, startedAt: null, openQuestions: 0, summary: null };
  const ended: CommissionsAwaited['commissions'] = [
    { ...awaited, status: 'failed', reason: 'exit code 3', hint: 'See the log.' } as never,
    {
      ...awaited,
      status: 'completed',
      merge: { state: 'merged', files: [] },
      summary: 'All of it',
      reason: '',
      hint: '',
    } as never,
  ];
  expect(shown('commission.wait', { commissions: ended, isOver: true, cursor: 'e.1' })).toBe(
    `▲ failed  ${record.id}\n  exit code 3 See the log.\n✓ completed, merged  ${record.id}\n  All of it\n`,
  );
});

test.each([
  [45_000, '45 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
])('%i ms are %s', (ms, words) => {
  expect(spanOf(ms)).toBe(words);
});
