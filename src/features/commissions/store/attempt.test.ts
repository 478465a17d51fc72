import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import {
  appendWord,
  createIdentity,
  createResult,
  openJournal,
  readIdentity,
  readJournal,
  readJournalEnd,
  readOrder,
  readResult,
  readWords,
} from './attempt.ts';

const ctx = { clock: systemClock };
const result = { version: 1, token: 't', at: 'now', summary: 'Done', artifacts: ['a.md'] } as const;
const identity = { version: 1, token: 't', process: { pid: 7, startTime: '1' }, startedAt: 'now' } as const;

test('an identity and a result are made once, and the first of each stands', async () => {
  const folder = await tempFolder();
  expect([await readIdentity(folder), await readResult(folder)]).toEqual([null, null]);
  const results = await Promise.all(
    [1, 2, 3].map(async (n) => createResult(folder, { ...result, summary: `${n}`, artifacts: [] })),
  );
  expect(results.filter(Boolean)).toHaveLength(1);
  expect((await readResult(folder))!.summary).toBe(String(results.indexOf(true) + 1));
  expect([await createIdentity(folder, identity), await createIdentity(folder, identity)]).toEqual([true, false]);
  expect(await readIdentity(folder)).toEqual(identity);
});

test('what stands in place of a result and tells nothing is none, and is told', async () => {
  const folder = await tempFolder();
  const said: string[] = [];
  for (const text of ['', '{"version":1', '{"version":2}', 'null']) {
    writeFileSync(join(folder, 'result.json'), text);
    expect(await readResult(folder, (anomaly) => said.push(anomaly))).toBeNull();
  }
  expect(said).toHaveLength(4);
  expect(said.every((text) => text.startsWith('result.json cannot be read: '))).toBe(true);
  await expect(readOrder(folder)).rejects.toThrow('it has no order.json');
});

test('the end of a journal is read without the rest of it', async () => {
  const folder = await tempFolder();
  expect(await readJournalEnd(folder, 5)).toEqual({ entries: [], isCut: false });
  const journal = await openJournal(ctx, folder);
  for (let i = 0; i < 20; i += 1) await journal.add({ kind: 'alive' });
  await journal.close();
  appendFileSync(join(folder, 'journal.jsonl'), '{"n":21,"kind":"al');
  const { entries, isCut } = await readJournalEnd(folder, 5);
  expect([entries.map(({ n }) => n), isCut]).toEqual([[16, 17, 18, 19, 20], true]);
  expect((await readJournal(folder, { from: 3, limit: 2 })).entries.map(({ n }) => n)).toEqual([3, 4]);
  await expect(openJournal(ctx, folder)).rejects.toThrow('is there already');
});

test('a word after one that a crash cut off is a line of its own', async () => {
  const folder = await tempFolder();
  const word = { at: 'now', question: null, text: 'Go on' };
  expect((await appendWord(folder, word)).n).toBe(1);
  appendFileSync(join(folder, 'words.jsonl'), '{"n":2,"at":"no');
  expect((await appendWord(folder, { ...word, text: 'Quickly' })).n).toBe(2);
  expect((await readWords(folder)).map(({ text }) => text)).toEqual(['Go on', 'Quickly']);
  expect(readFileSync(join(folder, 'words.jsonl'), 'utf8').split('\n')).toHaveLength(4);
  expect(existsSync(join(folder, 'order.json'))).toBe(false);
});
