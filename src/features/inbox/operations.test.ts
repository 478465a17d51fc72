import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { handClock } from '../../../test/help/hand-clock.ts';
import { tempFolder } from '../../../test/help/repositories.ts';
import { createBackground } from '../../kernel/background/background.ts';
import { type Clock, systemClock, systemIds } from '../../kernel/clock/clock.ts';
import { openEventStream } from '../../kernel/events/events.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { callOperation, createRegistry, personCaller } from '../../kernel/operations/operations.ts';
import { deferred } from '../../kernel/pure/deferred.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { createInboxMemory, type InboxContext } from './context.ts';
import { type InboxActed, type InboxList, problemItem, type Waiting, type WaitingItem } from './contract.ts';
import { forgetProblems } from './gathering.ts';
import { bindInbox, followDays, followProblems, listInbox } from './operations.ts';

const request: WaitingItem = {
  id: 'request.shop.job-1',
  kind: 'request',
  project: 'shop',
  subject: { kind: 'job', id: 'job-1', title: 'A job' },
  title: 'somebody asks',
  detail: '',
  since: null,
  actions: [
    {
      verb: 'approve',
      label: 'Accept',
      operation: 'job.accept',
      input: { id: 'job-1' },
      asks: 'text',
      field: 'message',
      required: false,
      warning: null,
    },
  ],
};
const broken = (title: string): WaitingItem =>
  problemItem({ project: 'shop', subject: { kind: 'check', id: 'x', title: 'x' }, title, detail: '', actions: [] });

let ctx: InboxContext;
let background: ReturnType<typeof createBackground>;
let ask: { waiting: Waiting; problems: Waiting };
let looks: number;
let elapsedMs: number;
let calls: [string, unknown][];

beforeEach(async () => {
  const base = { clock: systemClock, ids: systemIds, log: silentLog };
  const events = await openEventStream(base, join(await tempFolder(), 'events'));
  background = createBackground(silentLog);
  onTestFinished(async () => {
    await background.stop(5000);
    await events.close();
  });
  looks = 0;
  elapsedMs = 0;
  calls = [];
  ask = { waiting: async () => [request], problems: async () => [] };
  const clock: Clock = { ...systemClock, monotonicMs: () => elapsedMs };
  ctx = {
    ...base,
    clock,
    events,
    spawn: background.spawn,
    waiting: () => [{ feature: 'jobs', ask: () => ask.waiting() }],
    problems: () => [
      {
        feature: 'checks',
        ask: async () => {
          looks += 1;
          return await ask.problems();
        },
      },
    ],
    call: async (_caller, operation, input) => {
      calls.push([operation, input]);
      return { done: true };
    },
    memory: createInboxMemory(),
  };
});

const call = async <T>(name: string, input: unknown = {}): Promise<T> => {
  const operation = createRegistry(bindInbox(ctx)).find(name)!;
  return (await callOperation(operation, personCaller, input)) as T;
};

test('lists what features tell, counted, and since when it is known', async () => {
  ask.problems = async () => [broken('It is broken')];
  const first = await call<InboxList>('inbox.list');
  expect(first).toMatchObject({ waiting: 1, problems: 1 });
  expect(first.items.map(({ kind }) => kind)).toEqual(['request', 'problem']);
  expect(first.items[0]!.since).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(await call('inbox.list')).toEqual(first);
  expect((await call<InboxList>('inbox.list', { kind: 'problem' })).items).toHaveLength(1);
  expect((await call<InboxList>('inbox.list', { project: 'other' })).items).toEqual([]);
});

test('a feature that cannot say what waits is named, and the others are listed', async () => {
  ask.problems = async () => {
    throw new Error('no such folder');
  };
  const { items } = await call<InboxList>('inbox.list');
  expect(items.map(({ title }) => title)).toEqual(['somebody asks', 'What waits in checks cannot be read']);
  expect(items[1]!.detail).toContain('no such folder');
});

test('problems are looked for once, kept a minute, and looked for again behind the one who asks', async () => {
  await call('inbox.list');
  elapsedMs = 59_000;
  await call('inbox.list');
  expect(looks).toBe(1);
  elapsedMs = 61_000;
  ask.problems = async () => [broken('New')];
  const told = ctx.events.subscribe({ filter: ({ type }) => type === 'inbox.changed' });
  expect(await call<InboxList>('inbox.list')).toMatchObject({ problems: 0 });
  for await (const { data } of told) {
    expect(data).toEqual({ problems: 1 });
    break;
  }
  expect(looks).toBe(2);
  expect(await call<InboxList>('inbox.list')).toMatchObject({ problems: 1 });
});

test('after settings or projects have changed nobody is told what was true before', async () => {
  followProblems(ctx);
  await call('inbox.list');
  ask.problems = async () => [broken('New')];
  const told = ctx.events.subscribe({ filter: ({ type }) => type === 'inbox.changed' });
  ctx.events.publish({ type: 'config.changed', project: null, subject: null, data: {} });
  for await (const _ of told) break;
  expect(await call<InboxList>('inbox.list')).toMatchObject({ problems: 1 });
});

test('many changes at once make for one look, a moment later', async () => {
  const clock = handClock();
  ctx = { ...ctx, clock };
  followProblems(ctx);
  const heard = ctx.events.subscribe({ filter: ({ type }) => type === 'config.changed' });
  const change = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1)
      ctx.events.publish({ type: 'config.changed', project: null, subject: null, data: {} });
    for await (const _ of heard) if ((times -= 1) === 0) break;
  };
  const looksAfter = async (ms: number): Promise<number> => {
    await clock.pass(ms);
    return looks;
  };
  expect([await looksAfter(1999), await looksAfter(1)]).toEqual([0, 1]);
  await change(5);
  expect([await looksAfter(1999), await looksAfter(1), await looksAfter(10_000)]).toEqual([1, 2, 2]);
});

test('a change during a look makes for another one', async () => {
  const began = deferred();
  const mayEnd = deferred();
  ask.problems = async () => {
    began.resolve();
    await mayEnd.promise;
    return looks === 1 ? [broken('Old')] : [broken('New')];
  };
  const asked = call<InboxList>('inbox.list', { kind: 'problem' });
  await began.promise;
  forgetProblems(ctx);
  mayEnd.resolve();
  expect((await asked).items.map(({ title }) => title)).toEqual(['New']);
});

test('who has no patience gets what is known at once, and is told when there is more', async () => {
  const mayEnd = deferred();
  ask.problems = async () => {
    await mayEnd.promise;
    return [broken('Late')];
  };
  const told = ctx.events.subscribe({ filter: ({ type }) => type === 'inbox.changed' });
  expect((await listInbox(ctx, {}, 'none')).problems).toBe(0);
  mayEnd.resolve();
  for await (const _ of told) break;
  expect((await listInbox(ctx, {}, 'none')).problems).toBe(1);
});

test('a new day is told, for what was left until it', async () => {
  const naps: { ms: number; wake: () => void }[] = [];
  const clock: Clock = {
    ...ctx.clock,
    nowMs: () => new Date(2026, 2, 1, 23, 0).getTime(),
    sleep: async (ms) => {
      const { promise, resolve } = deferred();
      naps.push({ ms, wake: resolve });
      await promise;
    },
  };
  const told = ctx.events.subscribe({ filter: ({ type }) => type === 'inbox.changed' });
  followDays({ ...ctx, clock });
  expect(naps.map(({ ms }) => ms)).toEqual([3_600_000]);
  naps[0]!.wake();
  for await (const _ of told) break;
  expect(naps).toHaveLength(2);
  background.ask();
  naps[1]!.wake();
  await background.idle();
});

test('an answer calls the operation that the item names, with the person’s words in its field', async () => {
  const acted = await call<InboxActed>('inbox.act', { id: 'job-1', verb: 'approve', text: ' Start there ' });
  expect(calls).toEqual([['job.accept', { id: 'job-1', message: 'Start there' }]]);
  expect(acted).toMatchObject({ id: request.id, operation: 'job.accept', label: 'Accept', output: { done: true } });
  await call('inbox.approve', { id: request.id });
  expect(calls[1]).toEqual(['job.accept', { id: 'job-1' }]);
});

test('an answer that the item does not take is refused with those that it takes', async () => {
  const facts = errorFactsOf(await call('inbox.deny', { id: 'job-1' }).catch((error: unknown) => error));
  expect(facts).toMatchObject({ code: 'invalid', details: { verbs: ['approve'] } });
  const none = errorFactsOf(await call('inbox.deny', { id: 'job-2' }).catch((error: unknown) => error));
  expect(none).toMatchObject({ code: 'not_found', hint: expect.stringContaining('guild-hall inbox') });
  expect(calls).toEqual([]);
});
