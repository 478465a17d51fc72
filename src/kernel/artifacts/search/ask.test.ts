/** The search thread: started when it is needed, ended when nobody asks, made anew when it dies. */
import { expect, test } from 'vitest';
import { createBackground } from '../../background/background.ts';
import { type Clock, systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { deferred } from '../../pure/deferred.ts';
import { askSearch, closeSearch, createSearchThread, type SearchThread } from './ask.ts';
import type { FindRequest } from './shapes.ts';

const request: FindRequest = { home: '/nowhere', projects: [], terms: [], kinds: [], limit: 1, readBytes: 1, nowMs: 0 };

function program(body: string): URL {
  const source = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', ({ n }) => { ${body} });`;
  return new URL(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

const answers = program('parentPort.postMessage({ n, found: { hits: [], total: n } })');

function ask(thread: SearchThread, clock: Clock = systemClock) {
  const { spawn } = createBackground(silentLog);
  return askSearch({ clock, spawn }, thread, request);
}

test('no thread before the first question, one for all after it, and none when nobody asked for a while', async () => {
  const slept = deferred();
  const clock: Clock = { ...systemClock, sleep: async () => await slept.promise };
  const thread = createSearchThread(async () => answers);
  expect(thread.worker).toBeUndefined();
  const [first, second] = await Promise.all([ask(thread, clock), ask(thread, clock)]);
  expect([first.total, second.total]).toEqual([1, 2]);
  const { worker } = thread;
  expect((await ask(thread, clock)).total).toBe(3);
  expect(thread.worker).toBe(worker);
  const ended = new Promise((resolve) => worker!.once('exit', resolve));
  slept.resolve();
  await ended;
  expect(thread.worker).toBeUndefined();
  expect((await ask(thread)).total).toBe(4);
  await closeSearch(thread);
});

test.each([
  ['throws', program('throw new Error("it broke")'), 'it broke'],
  ['ends', program('process.exit(0)'), 'its thread ended'],
  ['says no', program('parentPort.postMessage({ n, reason: "ENOSPC: no space left" })'), 'ENOSPC: no space left'],
  ['takes all memory', program('const all = []; for (;;) all.push(new Array(1e5).fill(n));'), 'memory'],
])('a thread that %s is told as such, and the next question has another one', async (_what, broken, reason) => {
  const programs = [broken, answers];
  const thread = createSearchThread(async () => programs.shift() ?? answers);
  const both = await Promise.allSettled([ask(thread), ask(thread)]);
  for (const each of both) {
    expect(each.status).toBe('rejected');
    expect(String((each as PromiseRejectedResult).reason)).toMatch(/The texts could not be searched: /);
    expect(String((each as PromiseRejectedResult).reason)).toContain(reason);
  }
  if (thread.worker !== undefined) await thread.worker.terminate();
  expect((await ask(thread)).hits).toEqual([]);
  await closeSearch(thread);
});

test('when the hall stops, what waits is refused, and nothing is asked any more', async () => {
  const thread = createSearchThread(async () => program(''));
  const [waiting] = await Promise.all([Promise.allSettled([ask(thread)]), closeSearch(thread)]);
  expect(String((waiting[0] as PromiseRejectedResult).reason)).toContain('the hall stops');
  await expect(ask(thread)).rejects.toThrow('the hall stops');
  await closeSearch(thread);
});
