import { expect, test } from 'vitest';
import type { Clock } from '../../../clock/clock.ts';
import { silentLog } from '../../../log/log.ts';
import { createTurn, type Turn, watchForSilence } from './turn.ts';
import type { OpenOptions } from '../../contract.ts';

/** A clock that moves on only by being slept on; `onSleep` sees each step. */
function steppedClock(onSleep: (nowMs: number) => unknown): Clock {
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
    onSleep(now);
  };
  return { nowMs: () => now, nowIso: () => '', monotonicMs: () => now, sleep };
}

/** Not given a process, so that an end takes effect at once. */
function startTurn(): Turn {
  const limits = { maxTurns: 1, maxBudgetUsd: null, silenceMs: 1_000 };
  return createTurn({ model: { model: 'm' }, limits } as OpenOptions);
}

async function watch(turn: Turn, onSleep: (nowMs: number) => unknown): Promise<void> {
  const spawn = (): void => undefined;
  await watchForSilence({ clock: steppedClock(onSleep), log: silentLog, spawn }, turn);
}

test('silence ends the turn when nothing was heard for the whole limit', async () => {
  const turn = startTurn();
  await watch(turn, (now) => {
    if (now === 1_000) turn.lastLifeMs = 900;
  });
  expect(turn.map).toMatchObject({ asked: 'silence', isOver: true, silentMs: 1_000 });
  expect(turn.events.values.at(-1)).toMatchObject({ type: 'error', errorClass: 'crashed' });
});

test('a tool that runs is life, however long it takes', async () => {
  const turn = startTurn();
  turn.map.openCalls.set('call', 'slow');
  let sleeps = 0;
  await watch(turn, (now) => {
    sleeps += 1;
    if (sleeps !== 5) return;
    turn.map.openCalls.clear();
    turn.lastLifeMs = now;
  });
  expect(sleeps).toBe(6);
  expect(turn.map.silentMs).toBe(1_000);
});

test('an announced wait before the next try is no silence', async () => {
  const turn = startTurn();
  turn.lastLifeMs = 60_000;
  const woken: number[] = [];
  await watch(turn, (now) => woken.push(now));
  expect(woken).toEqual([61_000]);
});

test('a turn that is over is watched no longer', async () => {
  const turn = startTurn();
  turn.map.isOver = true;
  let sleeps = 0;
  await watch(turn, () => (sleeps += 1));
  expect(sleeps).toBe(0);
  expect(turn.map.asked).toBe('nothing');
});
