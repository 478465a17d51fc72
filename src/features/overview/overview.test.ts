import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../test/help/repositories.ts';
import { createBackground } from '../../kernel/background/background.ts';
import { systemClock, systemIds } from '../../kernel/clock/clock.ts';
import { localDayOf, startOfLocalDay } from '../../kernel/clock/local-day.ts';
import { openEventStream, type EventStream } from '../../kernel/events/events.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, createRegistry, personCaller } from '../../kernel/operations/operations.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import type { OverviewContext } from './context.ts';
import type { Overview, RunningActivity } from './contract.ts';
import { createUsageCount, followUsage } from './counting.ts';
import { addToLedger, emptyLedger, isUsageEvent, noUsage, sumOf, usageOfDay } from './fold.ts';
import { bindOverview } from './operations.ts';

const name = projectNameSchema.parse('shop');

const usageOf = (turn: Partial<{ inputTokens: number; outputTokens: number; costUsd: number | null }>) => ({
  turn: 1,
  inputTokens: 10,
  outputTokens: 2,
  costUsd: null,
  ...turn,
});
const event = (data: unknown, more: Partial<HallEvent> = {}): HallEvent => ({
  epoch: 'e',
  seq: 1,
  at: '2026-03-01T12:00:00.000Z',
  type: 'job.turn_usage',
  project: 'shop',
  subject: 'job:a',
  data,
  ...more,
});

test('usage is added up by day, project and activity; what is none changes nothing', () => {
  const ledger = emptyLedger();
  addToLedger(ledger, event(usageOf({ costUsd: 0.5 })), '2026-03-01');
  addToLedger(ledger, event(usageOf({})), '2026-03-01');
  addToLedger(ledger, event(usageOf({ costUsd: 0.25 }), { project: 'other', subject: 'job:b' }), '2026-03-01');
  addToLedger(ledger, event(usageOf({}), { subject: 'job:b' }), '2026-03-02');
  addToLedger(ledger, event(usageOf({}), { type: 'job.turn' }), '2026-03-01');
  addToLedger(ledger, event({ inputTokens: 'many' }), '2026-03-01');
  addToLedger(ledger, event(null), '2026-03-01');
  expect(usageOfDay(ledger, '2026-03-01')).toEqual({
    turns: 3,
    inputTokens: 30,
    outputTokens: 6,
    costUsd: 0.75,
    unpricedTurns: 1,
  });
  expect(usageOfDay(ledger, '2026-03-01', 'shop')).toMatchObject({ turns: 2, costUsd: 0.5 });
  expect(usageOfDay(ledger, '2026-03-03')).toEqual(noUsage);
  expect([...ledger.byActivity].map(([key, { turns }]) => [key, turns])).toEqual([
    ['shop/job:a', 2],
    ['other/job:b', 1],
    ['shop/job:b', 1],
  ]);
  expect(sumOf([])).toEqual(noUsage);
});

test('an attempt that tells what it has used so far counts once, however often it tells', () => {
  const ledger = emptyLedger();
  const tell = (attempt: number, inputTokens: number, costUsd: number | null): void => {
    const entry = { kind: 'usage', usage: { inputTokens, outputTokens: 1, costUsd } };
    const told = event({ attempt, entry }, { type: 'job.journal' });
    expect(isUsageEvent(told)).toBe(true);
    addToLedger(ledger, told, '2026-03-01');
  };
  for (const inputTokens of [100, 150, 150, 200]) tell(1, inputTokens, inputTokens / 1000);
  tell(2, 50, null);
  expect(usageOfDay(ledger, '2026-03-01')).toEqual({
    turns: 2,
    inputTokens: 250,
    outputTokens: 2,
    costUsd: expect.closeTo(0.2),
    unpricedTurns: 1,
  });
  expect(isUsageEvent(event({ attempt: 1, entry: { kind: 'text', text: 'x' } }, { type: 'job.journal' }))).toBe(false);
});

test('days are those of the machine’s time zone', () => {
  const noon = new Date(2026, 2, 1, 12).getTime();
  expect(localDayOf(noon)).toBe('2026-03-01');
  expect(new Date(startOfLocalDay(noon)).getHours()).toBe(0);
  expect(localDayOf(startOfLocalDay(noon) - 1)).toBe('2026-02-28');
  expect(localDayOf(startOfLocalDay(noon))).toBe('2026-03-01');
});

interface Bench {
  readonly ctx: OverviewContext;
  readonly events: EventStream;
  readonly overview: (input?: object) => Promise<Overview>;
}

async function openBench(folder: string, running: readonly RunningActivity[] = []): Promise<Bench> {
  const base = { clock: systemClock, ids: systemIds, log: silentLog };
  const events = await openEventStream(base, join(folder, 'events'), { boot: 'this' });
  const background = createBackground(silentLog);
  onTestFinished(async () => {
    await background.stop(5000);
    await events.close();
  });
  const ctx: OverviewContext = {
    ...base,
    events,
    spawn: background.spawn,
    home: { events: join(folder, 'events') },
    projects: () => [{ name, path: '/x', integrationBranch: 'claude/main', integrationWorktree: '/y' }],
    activities: async () => running,
    inbox: async () => ({
      items: [
        {
          id: 'problem.shop.x',
          kind: 'problem',
          project: 'shop',
          subject: { kind: 'check', id: 'x', title: 'x' },
          title: 'It is broken',
          detail: '',
          since: '2026-03-01T00:00:00Z',
          actions: [],
        },
      ],
      waiting: 0,
      problems: 1,
    }),
    recentArtifacts: async () => [],
    describeModel: () => ({ name: 'm', label: 'M', isRehearsal: false }),
    usage: createUsageCount(),
  };
  const overview = async (input: object = {}): Promise<Overview> =>
    (await callOperation(createRegistry(bindOverview(ctx)).find('overview')!, personCaller, input)) as Overview;
  return { ctx, events, overview };
}

const activity = (id: string, state: RunningActivity['state'], since: string): RunningActivity => ({
  kind: 'job',
  id,
  title: id,
  project: name,
  worker: 'w',
  state,
  since,
});

test('what works comes first, then what waits the shortest; with what each used, and what is wrong', async () => {
  const running = [
    activity('a', 'idle', '2026-03-01T00:00:00Z'),
    activity('b', 'answering', '2026-03-04T00:00:00Z'),
    activity('c', 'waiting', '2026-03-03T00:00:00Z'),
    activity('d', 'answering', '2026-03-02T00:00:00Z'),
  ];
  const { ctx, events, overview } = await openBench(await tempFolder(), running);
  followUsage(ctx);
  const { data } = event(usageOf({ costUsd: 1 }));
  events.publish({ type: 'job.turn_usage', project: 'shop', subject: 'job:c', data });
  let seen = await overview();
  while (seen.today.turns === 0) seen = await overview();
  expect(seen.running.map(({ id }) => id)).toEqual(['d', 'b', 'c', 'a']);
  expect(seen.running[2]!.usage).toMatchObject({ turns: 1, costUsd: 1 });
  expect(seen.waiting).toEqual({ problem: 1 });
  expect(seen.projects).toEqual([{ name: 'shop', open: 4, problems: ['It is broken'] }]);
  expect(seen.today.since).toBe(new Date(startOfLocalDay(systemClock.nowMs())).toISOString());
});

test('what was used today is known again after a restart, of the hall and of the machine', async () => {
  const folder = await tempFolder();
  mkdirSync(join(folder, 'events'));
  const at = systemClock.nowIso();
  const day = at.slice(0, 10).replaceAll('-', '');
  const old = { ...event(usageOf({ inputTokens: 1000 }), { at }), epoch: 'before' };
  const yesterday = { ...old, seq: 2, at: new Date(startOfLocalDay(systemClock.nowMs()) - 1000).toISOString() };
  const text = [old, yesterday].map(({ seq, ...rest }) => `${JSON.stringify({ seq, ...rest })}\n`).join('');
  writeFileSync(join(folder, 'events', `${day}-before-000000000001.jsonl`), text);
  const { events } = await openBench(folder);
  events.publish({ type: 'job.turn_usage', project: 'shop', subject: 'job:a', data: usageOf({ inputTokens: 50 }) });
  await events.close();
  const again = await openBench(folder);
  followUsage(again.ctx);
  expect((await again.overview()).today).toMatchObject({ turns: 2, inputTokens: 1050 });
});
