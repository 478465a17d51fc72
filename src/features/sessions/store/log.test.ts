import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { anyLog, created, withNumbers } from '../../../../test/help/session-logs.ts';
import type { SessionEvent } from '../contract.ts';
import { addToLog, closeLog, createLog, readBeginning, readLog } from './log.ts';

/** Of the session that the logs of tests are of. */
const ownName = 'claude-20260214-093000-k3f9.jsonl';

const textOf = (events: readonly SessionEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');

test('a log that was cut at any byte has its whole lines, and is added to behind them', async () => {
  const path = join(await tempFolder(), ownName);
  await fc.assert(
    fc.asyncProperty(anyLog, fc.nat(), async (all, chosen) => {
      const bytes = Buffer.from(textOf(all));
      const first = Buffer.byteLength(textOf(all.slice(0, 1)));
      const cut = first + (chosen % (bytes.length - first + 1));
      writeFileSync(path, bytes.subarray(0, cut));
      const { log, events } = await readLog(path);
      expect(events).toEqual(all.slice(0, events.length).map((event) => JSON.parse(JSON.stringify(event)) as unknown));
      expect(log.bytes).toBeLessThanOrEqual(cut);
      const [, more] = withNumbers([created, { type: 'SessionClosed' }]);
      const added = { ...more!, seq: events.length + 1 };
      await addToLog(log, [added], false);
      await closeLog(log);
      const again = await readLog(path);
      expect(again.events).toEqual([...events, added]);
      expect(again.log.isTorn).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('a copy of a log under another name is no log', async () => {
  const folder = await tempFolder();
  const text = textOf(withNumbers([created, { type: 'SessionClosed' }]));
  for (const name of [ownName, 'copy.jsonl']) writeFileSync(join(folder, name), text);
  expect((await readLog(join(folder, ownName))).events).toHaveLength(2);
  await expect(readLog(join(folder, 'copy.jsonl'))).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('line 1: it is a copy of the log of session claude-20260214-093000-k3f9'),
  });
});

test.each([
  ['no JSON', 'hello\n'],
  ['an event that is not known', '{"seq":2,"at":"x","type":"Surprise"}\n'],
  ['a number that is left out', '{"seq":3,"at":"x","type":"SessionClosed"}\n'],
])('%s in the middle makes it unreadable, and what it begins with is still told', async (_what, line) => {
  const path = join(await tempFolder(), ownName);
  const text = `${textOf(withNumbers([created]))}${line}{"seq":3,"at":"x","type":"SessionClosed"}\n`;
  writeFileSync(path, text);
  await expect(readLog(path)).rejects.toMatchObject({ code: 'conflict', details: { line: 2 } });
  expect((await readBeginning(path))[0]).toMatchObject({ type: 'SessionCreated', project: 'tally' });
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('a log is made once, for the person alone', async () => {
  const path = join(await tempFolder(), 'sessions', ownName);
  const events = withNumbers([created]);
  expect(await createLog(path, events)).toMatchObject({ bytes: Buffer.byteLength(textOf(events)) });
  expect(await createLog(path, events)).toBeUndefined();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
