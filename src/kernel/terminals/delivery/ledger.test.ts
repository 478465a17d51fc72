import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { silentLog } from '../../log/log.ts';
import { openLedger } from './ledger.ts';

const ctx = { log: silentLog };
const nothing = (): void => undefined;
const message = (id: string) => ({ id, origin: 'hall', text: `words of ${id}` });

test('a ledger knows after a restart what waits, in order, and what came of the rest', async () => {
  const folder = await tempFolder();
  const first = await openLedger(ctx, folder);
  for (const id of ['a', 'b', 'c', 'd']) await first.queue(message(id), nothing);
  await first.settle('b', { state: 'delivered', at: '2026-11-22T12:00:00.000Z' });
  await first.settle('c', { state: 'failed', why: 'it ended' });
  // What came of it stays.
  await first.settle('c', { state: 'delivered', at: '2026-11-22T12:00:01.000Z' });
  const before = [...first.messages.values()];
  // Killed: nobody closes it.
  const second = await openLedger(ctx, folder);
  expect([...second.messages.values()]).toEqual(before);
  expect(before.map(({ message: { id }, receipt: { state } }) => `${id} ${state}`)).toEqual([
    'a queued',
    'b delivered',
    'c failed',
    'd queued',
  ]);
  expect(readdirSync(folder)).toEqual(['ledger-2.jsonl']);
  await first.close();
  await second.close();
});

test('who settles what another is settling hears of it when it is written, not before', async () => {
  const folder = await tempFolder();
  const ledger = await openLedger(ctx, folder);
  await ledger.queue(message('a'), nothing);
  const first = ledger.settle('a', { state: 'delivered', at: '2026-11-22T12:00:00.000Z' });
  await ledger.settle('a', { state: 'failed', why: 'x' });
  expect(readFileSync(join(folder, 'ledger-1.jsonl'), 'utf8')).toContain('"did":"delivered"');
  await first;
  await ledger.close();
});

test('what cannot be withdrawn on disk waits as before, and so it is after a restart', async () => {
  const folder = await tempFolder();
  const ledger = await openLedger(ctx, folder);
  for (const id of ['a', 'b']) await ledger.queue(message(id), nothing);
  const receipt = { state: 'failed', why: 'withdrawn' } as const;
  await ledger.withdraw('a', receipt);
  // Nothing can be written any more.
  await ledger.close();
  const withdrawn = ledger.withdraw('b', receipt);
  expect(ledger.messages.get('b')?.receipt).toEqual(receipt);
  await expect(withdrawn).rejects.toThrow(/closed/);
  const states = ({ messages }: typeof ledger) => [...messages.values()].map(({ receipt: { state } }) => state);
  expect(states(ledger)).toEqual(['failed', 'queued']);
  const second = await openLedger(ctx, folder);
  expect(states(second)).toEqual(['failed', 'queued']);
  await second.close();
});

test('a message can be put in when it is written, before it is promised', async () => {
  const ledger = await openLedger(ctx, await tempFolder());
  const seen: boolean[] = [];
  const promised = ledger.queue(message('a'), () => seen.push(ledger.unwritten.has('a')));
  expect(ledger.unwritten.has('a')).toBe(true);
  expect(ledger.messages.get('a')?.receipt).toEqual({ state: 'queued' });
  await promised;
  expect(seen).toEqual([false]);
  await ledger.close();
});

test('half a line, and two files where the hall was killed between them, are understood', async () => {
  const folder = await tempFolder();
  const first = await openLedger(ctx, folder);
  await first.queue(message('a'), nothing);
  await first.settle('a', { state: 'delivered', at: '2026-11-22T12:00:00.000Z' });
  await first.close();
  writeFileSync(
    join(folder, 'ledger-2.jsonl'),
    '{"n":1,"did":"queued","id":"a","origin":"hall","text":"words of a"}\n',
  );
  appendFileSync(join(folder, 'ledger-2.jsonl'), '{"n":2,"did":"deli');
  const second = await openLedger(ctx, folder);
  expect([...second.messages.values()]).toEqual([
    { message: message('a'), receipt: { state: 'delivered', at: '2026-11-22T12:00:00.000Z' } },
  ]);
  expect(readdirSync(folder)).toEqual(['ledger-3.jsonl']);
  await second.close();
});

test('old messages are forgotten, waiting ones never', async () => {
  const folder = await tempFolder();
  const first = await openLedger(ctx, folder);
  await first.queue(message('waits'), nothing);
  const ids = Array.from({ length: 1_100 }, (_, n) => `m${n}`);
  await Promise.all(ids.map(async (id) => first.queue(message(id), nothing)));
  await Promise.all(ids.map(async (id) => first.settle(id, { state: 'failed', why: 'x' })));
  await first.close();
  const second = await openLedger(ctx, folder);
  expect(second.messages.size).toBe(1_001);
  expect(second.messages.get('waits')?.message.text).toBe('words of waits');
  expect(second.messages.get('m1099')?.message.text).toBe('words of m1099');
  expect(second.messages.get('m500')?.message.text).toBe('');
  await second.close();
});

test('a new file that could not be begun is begun at the next try', async () => {
  const folder = await tempFolder();
  const ledger = await openLedger(ctx, folder);
  // As a full disk leaves it.
  writeFileSync(join(folder, 'ledger-2.jsonl'), '{"n":1');
  const text = 'x'.repeat(190_000);
  for (let n = 0; n < 110; n += 1) await ledger.queue({ id: `m-${n}`, origin: 'hall', text }, nothing);
  const receipt = { state: 'delivered', at: '2026-11-22T12:00:00.000Z' } as const;
  await expect(ledger.settle('m-0', receipt)).rejects.toMatchObject({ code: 'conflict' });
  await ledger.settle('m-1', receipt);
  expect(readdirSync(folder)).toEqual(['ledger-2.jsonl']);
  await ledger.close();
  const next = await openLedger(ctx, folder);
  expect([...next.messages.values()].filter((kept) => kept.receipt.state === 'delivered')).toHaveLength(2);
  await next.close();
});
