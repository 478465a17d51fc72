/** A conversation that cannot begin, though it is on disk already. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  endAllTestConversations,
  endTestConversations,
  openTestConversations,
  startTalker,
} from '../../../../test/help/conversations.ts';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { composeId } from '../../../kernel/pure/ids.ts';

afterAll(endAllTestConversations);

test('leaves nothing open, and those who were to take part can talk with others', async () => {
  const clock = handClock();
  const hall = await openTestConversations({ clock });
  const [ada, grace] = [await startTalker(hall, 'Ada'), await startTalker(hall, 'Grace')];
  Object.assign(hall.ctx, { ids: { ...hall.ctx.ids, random: (length: number) => 'a'.repeat(length) } });
  const id = composeId('Ada Grace', clock.nowIso(), 'aaaa');
  // Where its messages are to be kept stands what cannot be read.
  mkdirSync(join(hall.terminals.folder, 'state', 'conversations', id, 'messages.jsonl'), { recursive: true });
  await expect(hall.call('conversation.start', { first: ada.id, second: grace.id })).rejects.toThrow(/./);
  expect(hall.ctx.conversations.known.get(id as never)).toMatchObject({ state: 'ended' });
  expect([...hall.ctx.conversations.byTerminal]).toEqual([]);
  Object.assign(hall.ctx, { ids: { ...hall.ctx.ids, random: (length: number) => 'b'.repeat(length) } });
  await hall.call('conversation.start', { first: ada.id, second: grace.id });
  expect(hall.ctx.conversations.byTerminal.size).toBe(2);
  await endTestConversations(hall);
});
