import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBackground } from '../../background/background.ts';
import { type Clock, systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { collect, lastOf, ofType, readRest, readUntil, sessionOf, textOf } from '../conformance-bench.ts';
import type { OpenOptions } from '../contract.ts';
import { createRecordedDriver } from './recorded.ts';

const open = {
  activity: { project: 'sample', kind: 'trial', id: 'trial-1' },
  model: { model: 'm', baseUrl: '', token: '' },
  limits: { maxTurns: 1, maxBudgetUsd: null, silenceMs: 1 },
} as unknown as OpenOptions;

const recordingOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../test/fixtures/turns', `${name}.jsonl`), 'utf8');

function createDriver(clock: Clock = systemClock) {
  const { spawn } = createBackground(silentLog);
  return createRecordedDriver({ clock, spawn }, { recordingOf, paceMs: 0 });
}

test('a recorded turn gives the events of the live one', async () => {
  const session = createDriver().open(open);
  const events = await collect(session.prompt('thought-and-tools'));
  expect(textOf(events)).toBe('I note.Noted.');
  expect(ofType(events, 'tool_result').map((result) => result.summary)).toEqual(['kept: fox', 'kept: bad']);
  expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'done', sessionId: sessionOf(events) });
  expect(lastOf(await collect(session.prompt('auth')))).toMatchObject({ type: 'error', errorClass: 'auth' });
});

test('it is interrupted, left and closed like a live one', async () => {
  const driver = createDriver();
  const session = driver.open(open);
  const turn = session.prompt('text')[Symbol.asyncIterator]();
  await readUntil(turn, 'text');
  expect(() => session.prompt('text')).toThrow('is running');
  await session.interrupt();
  expect(lastOf(await readRest(turn))).toMatchObject({ type: 'end', reason: 'interrupted' });
  for await (const event of session.prompt('text')) if (event.type === 'text') break;
  const last = session.prompt('text');
  await driver.stop();
  expect(lastOf(await collect(last))).toMatchObject({ reason: 'interrupted' });
  expect(() => session.prompt('text')).toThrow('is closed');
});

test('a recording that breaks off is a crash, and one that is no recording is refused by line', async () => {
  const { spawn } = createBackground(silentLog);
  const cut = recordingOf('text').split('\n').slice(0, 4).join('\n');
  const driver = createRecordedDriver(
    { clock: systemClock, spawn },
    { recordingOf: (text) => (text === 'cut' ? cut : 'x'), paceMs: 0 },
  );
  expect(lastOf(await collect(driver.open(open).prompt('cut')))).toMatchObject({ errorClass: 'crashed' });
  expect(() => driver.open(open).prompt('other')).toThrow('Line 1 of the recording');
});
