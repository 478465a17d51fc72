/** The relay alone, with many members: what a gathering needs of it as well. */
import { appendFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  endAllTestConversations,
  openTestConversations,
  startTalker,
  type Talker,
  type TestConversations,
} from '../../../../test/help/conversations.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { deliver, endTerminal } from '../../../kernel/terminals/terminals.ts';
import type { Receipt } from '../contract/words.ts';
import { keepMessage, noteReceipt, openMessageLog, type NewMessage, writeReceipts } from './message-log.ts';
import { createRelay, handOver, inRelay, keep, type Relay, takeBack, takeReceipt } from './relay.ts';

let hall: TestConversations;
beforeAll(async () => {
  hall = await openTestConversations();
});
afterAll(endAllTestConversations);

interface Circle {
  readonly relay: Relay;
  readonly receipts: Map<string, Receipt>;
}

async function circleOf(talkers: readonly Talker[], path?: string): Promise<Circle> {
  const receipts = new Map<string, Receipt>();
  const log = await openMessageLog({ log: silentLog }, path ?? join(await tempFolder(), 'messages.jsonl'));
  const relay = createRelay({
    key: talkers.map(({ id }) => id).join(' '),
    members: talkers.map(({ id, name }, index) => ({ terminal: id, name, number: index + 1 })),
    log,
    onReceipt: ({ id }, to, receipt) => void receipts.set(`${id} ${to}`, receipt),
  });
  hall.ctx.terminalsOf.listen({
    onReceipt: ({ terminal, message, receipt }) => takeReceipt(hall.ctx, relay, { terminal, id: message.id, receipt }),
  });
  return { relay, receipts };
}

const message = (id: string, from: NewMessage['from'], to: number[], text = id): NewMessage => ({
  id,
  kind: from === 'hall' ? 'paused' : 'words',
  from,
  text,
  own: text,
  at: '2026-01-01T09:00:00.000Z',
  to,
  fate: 'sent',
});

async function give({ relay }: Circle, ...messages: readonly NewMessage[]): Promise<void> {
  await inRelay(hall.ctx, relay, async () => {
    for (const each of messages) await keep(relay, each);
    await handOver(hall.ctx, relay);
  });
}

const names = ['Ada', 'Grace', 'Hedy', 'Mary', 'Mo', 'Zoe'];
/** One that takes nothing, and one that works on its first message for ever. */
const envOf: Readonly<Record<string, Record<string, string>>> = { Mary: { DEAF: '99' }, Zoe: { THINK: '3600000' } };

test('words, and lines of the hall, reach all others in the order they were given, each once; the speaker none; a dead or a slow one stops nobody [GTH-RELAY-2, GTH-RELAY-4, GTH-RELAY-12, GTH-RELAY-14, GTH-RELAY-17]', async () => {
  const talkers = await Promise.all(names.map(async (name) => startTalker(hall, name, { env: envOf[name] ?? {} })));
  const [ada, grace, hedy, , mo, zoe] = talkers as [Talker, Talker, Talker, Talker, Talker, Talker];
  // Receipts are written while the test is over.
  const circle = await circleOf(talkers, join(mkdtempSync(join(hall.terminals.folder, 'circle-')), 'circle.jsonl'));
  await endTerminal(hall.terminals.terminals, hedy.id);
  await give(circle, message('m-1', 1, [2, 3, 4, 5, 6], 'Hello\nyou'));
  await give(circle, message('m-2', 'hall', [1, 2, 3, 4, 5, 6], 'A word.'), message('m-1', 1, [2, 3], 'again'));
  await give(circle, message('m-3', 5, [1, 2, 3, 4, 6], 'Yes.'));
  await waitUntil(() => ada.taken().length === 2 && grace.taken().length === 3 && mo.taken().length === 2);
  expect(grace.taken()).toEqual(['Ada (1):\n\nHello\nyou', 'A word.', 'Mo (5):\n\nYes.']);
  expect(ada.taken()).toEqual(['A word.', 'Mo (5):\n\nYes.']);
  expect(mo.taken()).toEqual(['Ada (1):\n\nHello\nyou', 'A word.']);
  await waitUntil(() => circle.receipts.get('m-1 6')?.state === 'delivered');
  expect(['m-2 6', 'm-3 6'].map((each) => circle.receipts.get(each)?.state)).toEqual(['queued', 'queued']);
  expect(zoe.taken()).toEqual(['Ada (1):\n\nHello\nyou']);
  expect(circle.receipts.get('m-1 3')).toMatchObject({ state: 'failed', why: expect.stringContaining('ended') });
  await waitUntil(() => circle.receipts.get('m-1 4')?.state === 'failed');
  expect(circle.receipts.get('m-1 4')).toMatchObject({ why: expect.stringContaining('did not take the words') });
  expect(circle.receipts.get('m-3 1')).toMatchObject({ state: 'delivered' });
});

test('what was kept and not handed over goes with the next one, before what comes later', async () => {
  const talkers = await Promise.all(names.slice(0, 2).map(async (name) => startTalker(hall, name)));
  const path = join(await tempFolder(), 'messages.jsonl');
  const log = await openMessageLog({ log: silentLog }, path);
  await keepMessage(log, message('kept', 1, [2]));
  const circle = await circleOf(talkers, path);
  await give(circle, message('later', 1, [2]));
  await waitUntil(() => talkers[1]!.taken().length === 2);
  expect(talkers[1]!.taken()).toEqual(['Ada (1):\n\nkept', 'Ada (1):\n\nlater']);
});

test('a terminal that takes nothing for a moment gets all of it, in order', async () => {
  const talkers = await Promise.all(names.slice(0, 2).map(async (name) => startTalker(hall, name)));
  let refused = 0;
  const ctx = {
    ...hall.ctx,
    terminalsOf: {
      ...hall.ctx.terminalsOf,
      deliver: async (...given: Parameters<typeof hall.ctx.terminalsOf.deliver>) => {
        refused += 1;
        if (refused === 1) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        return deliver(hall.terminals.terminals, ...given);
      },
    },
  };
  const { relay } = await circleOf(talkers);
  for (const id of ['one', 'two']) {
    await inRelay(ctx, relay, async () => {
      await keep(relay, message(id, 1, [2]));
      if (id === 'one') await handOver(ctx, relay);
    });
  }
  await waitUntil(() => talkers[1]!.taken().length === 2);
  expect(talkers[1]!.taken()).toEqual(['Ada (1):\n\none', 'Ada (1):\n\ntwo']);
});

test('the log reads what was written, whatever else stands in the file', async () => {
  const path = join(await tempFolder(), 'messages.jsonl');
  const log = await openMessageLog({ log: silentLog }, path);
  await keepMessage(log, message('a', 1, [2]));
  await keepMessage(log, message('a', 1, [2], 'twice'));
  expect(noteReceipt(log, 'a', 2, { state: 'queued' })).toBe(true);
  expect(noteReceipt(log, 'a', 2, { state: 'delivered', at: 'x' })).toBe(true);
  expect(noteReceipt(log, 'a', 2, { state: 'failed', why: 'late' })).toBe(false);
  expect(noteReceipt(log, 'unknown', 2, { state: 'queued' })).toBe(false);
  await writeReceipts(log);
  appendFileSync(path, '{"did":"nonsense"}\n{"did":"said","mess');
  const again = await openMessageLog({ log: silentLog }, path);
  await keepMessage(again, message('b', 2, [1]));
  const { messages } = await openMessageLog({ log: silentLog }, path);
  expect([...messages.values()].map(({ id, number, text }) => [id, number, text])).toEqual([
    ['a', 1, 'a'],
    ['b', 2, 'b'],
  ]);
  expect(messages.get('a')!.receipts).toEqual([{ to: 2, receipt: { state: 'delivered', at: 'x' } }]);
});

test('the person is a member without a terminal: what is for them is there when it is kept, and their words go to all others in the same form [GTH-HUMAN-3, GTH-HUMAN-5]', async () => {
  const ada = await startTalker(hall, 'Ada');
  const { relay: base, receipts } = await circleOf([ada]);
  const person = { terminal: null, name: 'Mo', number: 2 };
  const relay = createRelay({ ...base, members: [...base.members, person] });
  await give({ relay, receipts }, message('p-1', 2, [1], 'I speak.'), message('p-2', 1, [2]));
  expect(receipts.get('p-2 2')).toMatchObject({ state: 'delivered' });
  await waitUntil(() => ada.taken().includes('Mo (2):\n\nI speak.'));
});

test('what is taken back does not arrive, whether it waits here or there; what arrived stays [GTH-BEAT-12]', async () => {
  const [ada, grace] = [
    await startTalker(hall, 'Ada', { env: { THINK: '400' } }),
    await startTalker(hall, 'Grace', { env: { THINK: '400' } }),
  ] as const;
  const circle = await circleOf([ada, grace]);
  await give(circle, message('t-1', 'hall', [1, 2]));
  await waitUntil(() => ada.taken().length === 1 && grace.taken().length === 1);
  await give(circle, message('t-2', 'hall', [1]));
  await inRelay(hall.ctx, circle.relay, async () => {
    // Kept, and not handed over yet.
    await keep(circle.relay, message('t-3', 'hall', [2]));
    await takeBack(hall.ctx, circle.relay, ['t-1', 't-2', 't-3', 'unknown']);
    await keep(circle.relay, message('t-4', 'hall', [1, 2]));
    await handOver(hall.ctx, circle.relay);
  });
  await waitUntil(() => [ada, grace].every((talker) => talker.taken().includes('t-4')));
  expect([ada.taken(), grace.taken()]).toEqual([
    ['t-1', 't-4'],
    ['t-1', 't-4'],
  ]);
  for (const id of ['t-2 1', 't-3 2']) expect(circle.receipts.get(id), `of ${id}`).toMatchObject({ state: 'failed' });
});
