/** Live, replayed and reloaded are the same. */
import { afterAll, expect, test } from 'vitest';
import { endAllTestConversations, openTestConversations, startTalker } from '../../../../test/help/conversations.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { foldConversationEvent } from './conversation.ts';

afterAll(endAllTestConversations);

test('a view with the events that came after it shows what a later view shows, also when they come twice', async () => {
  const hall = await openTestConversations();
  const ada = await startTalker(hall, 'Ada', { says: ['Two.', 'Four.', 'Hm.', 'Five.', ''] });
  const grace = await startTalker(hall, 'Grace', { says: ['One.', 'Three.', 'Yes.', 'Six.', ''] });
  hall.set({ conversations: { turns: 2, idleMinutes: 10 } });
  const { conversation } = await hall.start(ada, grace, 'Count.');
  const { id } = conversation;
  const first = await hall.show(id);
  const isTold = async (count: number): Promise<boolean> => {
    const { messages } = await hall.show(id);
    const told = messages.filter(({ kind }) => kind === 'paused');
    return (
      told.length === count &&
      told.every(({ receipts }) => receipts.every((each) => each.receipt.state === 'delivered'))
    );
  };
  await waitUntil(async () => isTold(1));
  await hall.call('conversation.extend', { id, turns: 1 });
  await waitUntil(async () => isTold(2));
  await hall.call('conversation.end', { id });
  await waitUntil(() => hall.ctx.conversations.live.get(id as never) === undefined);
  const last = await hall.show(id);
  await waitUntil(() => `${hall.events.at(-1)?.epoch}.${hall.events.at(-1)?.seq}` === last.cursor);
  const twice = [...hall.events, ...hall.events];
  expect(twice.reduce(foldConversationEvent, first)).toEqual(last);
  expect(last.conversation.end?.reason).toEqual({ kind: 'closed', by: 'person' });
  expect(last.messages.length).toBeGreaterThan(8);
  const other = { ...hall.events[0]!, subject: 'conversation:other' };
  expect(foldConversationEvent(last, other)).toBe(last);
});
