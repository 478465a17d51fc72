import { expect, test } from 'vitest';
import { type Conversation, conversationSchema, type Message } from '../../../features/gatherings/contract.ts';
import { createTerminal } from '../terminal.ts';
import { conversationRenderers } from './conversations.ts';

const term = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
const at = '2026-03-01T09:30:00.000Z';
const conversation: Conversation = conversationSchema.parse({
  id: 'ada-grace-k3f9',
  project: 'shop',
  members: [
    { terminal: 'a', name: 'Ada', number: 1 },
    { terminal: 'g', name: 'Grace\u001b[2J', number: 2 },
  ],
  state: 'paused',
  startedBy: 1,
  startedAt: at,
  turns: 8,
  countedFrom: 1,
  pauses: 1,
  pause: { why: 'loop', at },
  end: null,
});
const message: Message = {
  id: 'm',
  number: 1,
  kind: 'words',
  from: 2,
  text: 'Hello\u001b]0;x\u0007\nthere',
  at,
  to: [1],
  fate: 'sent',
  receipts: [{ to: 1, receipt: { state: 'failed', why: 'It is gone.' } }],
};
const show = (name: string, answer: unknown): string => conversationRenderers[name]!(answer as never, term);

test('a conversation that began, and those there are', () => {
  const opening = { message: 'm', receipt: { state: 'queued' } };
  expect(show('conversation.start', { conversation, opening })).toBe(
    '✓ Ada and Grace[2J talk with each other: ada-grace-k3f9\nYour words wait until Ada is free.\n' +
      'You are asked after 8 turns of each. Look on: guild-hall conversation show ada-grace-k3f9\n',
  );
  expect(show('conversation.start', { conversation, opening: null })).not.toContain('Your words');
  expect(show('conversation.list', { conversations: [] })).toContain('Begin one: guild-hall conversation start');
  expect(show('conversation.list', { conversations: [{ ...conversation, messages: 3, lastAt: at }] })).toBe(
    'state     id              messages  last (UTC)        who\n' +
      '▲ paused  ada-grace-k3f9  3         2026-03-01 09:30  Ada and Grace[2J\n',
  );
});

test('what was said in one, what came of it, and what can be done', () => {
  const messages: Message[] = [
    message,
    { ...message, id: 'n', from: 'hall', kind: 'paused', text: '[guild-hall] paused', receipts: [] },
    { ...message, id: 'o', from: 1, fate: 'held', text: 'Wait', receipts: [] },
  ];
  const view = { conversation, messages, earlier: 2, used: [1, 2], allowed: ['extend', 'end'], cursor: 'x.1' };
  const shown = show('conversation.show', view);
  expect(shown).toContain('turns: Ada 1, Grace[2J 2 of 8; the same words go round\n');
  expect(shown).toContain('… 2 earlier messages\n');
  expect(shown).toContain('Grace[2J (2)  2026-03-01 09:30; did not reach Ada: It is gone.\n  Hello]0;x\n  there\n');
  expect(shown).toContain('The hall  2026-03-01 09:30\n  [guild-hall] paused\n');
  expect(shown).toContain('Ada (1)  2026-03-01 09:30; held until it goes on\n');
  expect(shown).toContain('Next: guild-hall conversation extend ada-grace-k3f9\n      guild-hall conversation end');
  expect(show('conversation.extend', conversation)).toContain('goes on: 8 turns of each');
  expect(show('conversation.end', conversation)).toContain('has ended');
});

test('what reached whom is said of everybody’s words; what is held at the end goes to nobody', () => {
  const delivered = { to: 1, receipt: { state: 'delivered' as const, at } };
  const notice: Message = { ...message, id: 'h', from: 'hall', kind: 'paused', text: 'Paused', receipts: [delivered] };
  const messages: Message[] = [
    { ...message, receipts: [delivered] },
    { ...message, id: 'q', receipts: [{ to: 1, receipt: { state: 'queued' } }] },
    notice,
    { ...message, id: 'a', fate: 'aside', receipts: [] },
    { ...message, id: 'o', fate: 'held', receipts: [] },
  ];
  const ended = { ...conversation, state: 'ended', pause: null, end: { reason: { kind: 'closed', by: 'person' }, at } };
  const view = { conversation: ended, messages, earlier: 0, used: [1, 2], allowed: [], cursor: 'x.1' };
  const heads = show('conversation.show', view).match(/^.*09:30.*$/gm);
  expect(heads).toEqual([
    'Grace[2J (2)  2026-03-01 09:30; reached Ada',
    'Grace[2J (2)  2026-03-01 09:30; waits until Ada is free',
    'The hall  2026-03-01 09:30',
    'Grace[2J (2)  2026-03-01 09:30; went to nobody',
    'Grace[2J (2)  2026-03-01 09:30; held, went to nobody',
  ]);
});

test('one turn is no turns, and lines keep within a narrow terminal', () => {
  const once = { ...conversation, turns: 1 };
  expect(show('conversation.start', { conversation: once, opening: null })).toContain('asked after 1 turn of each');
  expect(show('conversation.extend', once)).toContain('goes on: 1 turn of each');
  const narrow = createTerminal({ out: { write: () => {}, isTTY: true, columns: 40 }, err: { write: () => {} } }, {});
  const messages = [{ ...message, text: 'Words that are more than what stands side by side in forty columns.' }];
  const view = { conversation, messages, earlier: 0, used: [1, 2], allowed: [], cursor: 'x.1' };
  expect(conversationRenderers['conversation.show']!(view as never, narrow)).toContain(
    '\n  Words that are more than what stands\n  side by side in forty columns.\n',
  );
});

test.each([
  [{ kind: 'closed', by: 'person' }, 'you closed it'],
  [{ kind: 'closed', by: 1 }, 'Ada closed it'],
  [{ kind: 'member', number: 1 }, 'the terminal of Ada ended'],
  [{ kind: 'hall', why: 'its files cannot be read' }, 'its files cannot be read'],
])('why it ended: %j', (reason, words) => {
  const ended = { ...conversation, state: 'ended', pause: null, end: { reason, at } };
  const view = { conversation: ended, messages: [], earlier: 0, used: [0, 0], allowed: [], cursor: 'x.1' };
  expect(show('conversation.show', view)).toContain(words);
});
