/** Conversations over real tmux and real programs. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  callerOf,
  endAllTestConversations,
  endTestConversations,
  leaveTestConversations,
  nextHall,
  openTestConversations,
  said,
  startTalker,
  type Talker,
  type TestConversations,
} from '../../../test/help/conversations.ts';
import { handClock } from '../../../test/help/hand-clock.ts';
import { waitUntil } from '../../../test/help/programs.ts';
import { agentManner } from '../../../test/help/terminals.ts';
import { defaultConfig } from '../../kernel/projects/settings.ts';
import { systemClock } from '../../kernel/clock/clock.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { deliver, endTerminal, screenOf, settledReceipt, statusOf } from '../../kernel/terminals/terminals.ts';
import type { Conversation, ConversationList } from './contract.ts';
import { waitingConversations } from './operations/waiting.ts';

let hall: TestConversations;
beforeAll(async () => {
  hall = await openTestConversations();
});
afterAll(endAllTestConversations);

async function state(of: TestConversations, id: string): Promise<Conversation['state']> {
  return (await of.show(id)).conversation.state;
}

async function untilState(of: TestConversations, id: string, wanted: Conversation['state']): Promise<void> {
  await waitUntil(async () => (await state(of, id)) === wanted);
}

/** What it took of the hall itself. */
function told(talker: Talker): string[] {
  return talker.taken().filter((text) => text.startsWith('[guild-hall]'));
}

async function pair(
  of: TestConversations,
  ada: readonly string[],
  grace: readonly string[],
): Promise<readonly [Talker, Talker]> {
  return Promise.all([startTalker(of, 'Ada', { says: ada }), startTalker(of, 'Grace', { says: grace })]);
}

const refusal = async (work: Promise<unknown>) => work.then(() => undefined, errorFactsOf);

describe('a conversation', () => {
  test('goes on by itself from one call, each side under its name, and nobody hears itself [GTH-CONV-1, GTH-CONV-2, GTH-CONV-3, GTH-CONV-4, GTH-CONV-5, GTH-CONV-6, GTH-CONV-7, GTH-RELAY-1, GTH-RELAY-3, GTH-RELAY-4, GTH-RELAY-5, GTH-RELAY-18]', async () => {
    const [ada, grace] = await pair(hall, ['Red, I think.', 'Why green?', '', ''], ['Blue.', 'Green.', 'Grass.']);
    const outside = await startTalker(hall, 'Mo');
    const { conversation, opening } = await hall.start(ada, grace, 'Which colour?');
    expect(opening?.receipt.state).toMatch(/^(?:queued|delivered)$/);
    await waitUntil(() => ada.taken().length === 3);
    expect(grace.taken()).toEqual(['Ada (1):\n\nWhich colour?', 'Ada (1):\n\nRed, I think.', 'Ada (1):\n\nWhy green?']);
    expect(ada.taken()).toEqual(['Grace (2):\n\nBlue.', 'Grace (2):\n\nGreen.', 'Grace (2):\n\nGrass.']);
    expect(outside.taken()).toEqual([]);
    const shown = await hall.show(conversation.id);
    expect(said(shown)).toEqual([
      '1: Which colour?',
      '2: Blue.',
      '1: Red, I think.',
      '2: Green.',
      '1: Why green?',
      '2: Grass.',
    ]);
    expect(shown.used).toEqual([3, 3]);
    await waitUntil(async () =>
      (await hall.show(conversation.id)).messages.every(({ receipts }) =>
        receipts.every(({ receipt }) => receipt.state === 'delivered'),
      ),
    );
    expect(shown.messages.map(({ to }) => to)).toEqual([[2], [1], [2], [1], [2], [1]]);
    // Who spoke last may speak next.
    await deliver(hall.terminals.terminals, grace.id, { id: 'more', origin: 'person', text: 'More.' });
    await waitUntil(() => ada.taken().length === 4);
    expect(ada.taken()[3]).toBe('Grace (2):\n\nTaken 5.');
  });

  test('what an agent quotes of the other is relayed as its own words, and no echo comes back [GTH-RELAY-6, GTH-RELAY-9, GTH-RELAY-19]', async () => {
    const words = 'You said "Which colour?".\n\n  1. -l ; #{x} `code`\n\tI say: mauve.';
    const manner = agentManner;
    const [ada, grace] = await Promise.all([
      startTalker(hall, 'Ada', { manner, says: [''] }),
      startTalker(hall, 'Grace', { says: [words] }),
    ]);
    await hall.start(ada, grace, 'Which colour?');
    await waitUntil(() => ada.taken().length === 1);
    expect(ada.taken()).toEqual([`Grace (2):\n\n${words}`]);
    // The screen of Ada shows those words, and is listened to.
    await waitUntil(() => statusOf(hall.terminals.terminals, ada.id).status === 'idle');
    await deliver(hall.terminals.terminals, ada.id, { id: 'later', origin: 'person', text: 'Say something.' });
    await waitUntil(() => grace.taken().length === 2);
    expect(grace.taken()[1]).toBe('Ada (1):\n\nTaken 14.');
  });

  test('what stood on a screen before it began is not relayed [GTH-RELAY-7]', async () => {
    const [ada, grace] = await Promise.all([
      startTalker(hall, 'Ada', { manner: agentManner, says: ['It was long ago.', 'Now.'] }),
      startTalker(hall, 'Grace', { says: ['Yes?', ''] }),
    ]);
    await deliver(hall.terminals.terminals, ada.id, { id: 'before', origin: 'person', text: 'Tell me.' });
    await settledReceipt(hall.terminals.terminals, ada.id, 'before');
    await waitUntil(() => hall.terminals.speeches.some(({ text }) => text === 'It was long ago.'));
    const { conversation } = await hall.start(ada, grace, 'Are you there?');
    await waitUntil(() => grace.taken().length === 2);
    expect(grace.taken()).toEqual(['Ada (1):\n\nAre you there?', 'Ada (1):\n\nNow.']);
    expect(said(await hall.show(conversation.id))).toEqual(['1: Are you there?', '2: Yes?', '1: Now.']);
  });

  test('of a turn that is under way only what is said after the beginning is relayed [GTH-RELAY-7]', async () => {
    const ada = await startTalker(hall, 'Ada', {
      // What it shows while it works is speech for this one.
      manner: { ...agentManner, isNoise: (line) => line.startsWith('─') },
      says: ['And this is the end.', ''],
      env: { THINK: '1500' },
    });
    const grace = await startTalker(hall, 'Grace', { says: [''] });
    await deliver(hall.terminals.terminals, ada.id, { id: 'before', origin: 'person', text: 'Tell me.' });
    const shows = (line: string): boolean => screenOf(hall.terminals.terminals, ada.id).lines.includes(line);
    await waitUntil(() => shows('working'));
    await hall.start(ada, grace, 'Are you there?');
    expect(shows('And this is the end.')).toBe(false);
    await waitUntil(() => grace.taken().length === 2);
    expect(grace.taken()).toEqual(['Ada (1):\n\nAre you there?', 'Ada (1):\n\nAnd this is the end.']);
  });

  test('brings up to 12,000 characters, and the rest in a file whose path is told [GTH-RELAY-16]', async () => {
    const long = `${'mauve '.repeat(1_999)}abcdef${'green '.repeat(500)}.`;
    const [ada, grace] = await pair(hall, [''], [long]);
    await hall.start(ada, grace, 'Which colour?');
    await waitUntil(() => ada.taken().length === 1);
    const [taken = ''] = ada.taken();
    const path = /\[… 3001 characters more are in the file (\S+)\]$/.exec(taken)?.[1] ?? '';
    expect(taken.startsWith(`Grace (2):\n\n${long.slice(0, 12_000)}\n\n[…`)).toBe(true);
    expect(path.startsWith(ada.kind.restFolder)).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(long.slice(12_000));
  });

  test('secrets are taken out of what is relayed, the first words too [GTH-RELAY-19]', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40);
    const [ada, grace] = await pair(hall, [''], [`It is ${secret}.`]);
    await hall.start(ada, grace, `Is it ${secret}?`);
    await waitUntil(() => ada.taken().length === 1);
    expect([...ada.taken(), ...grace.taken()].join('\n')).not.toContain(secret);
    expect(ada.taken()[0]).toContain('[secret removed');
  });

  test('that the person began gives the opening to the first, whose answer goes to the other', async () => {
    const [ada, grace] = await Promise.all([
      startTalker(hall, 'Hedy', { says: ['Five.', ''] }),
      startTalker(hall, 'Mary', { says: ['Six.'] }),
    ]);
    // A second try finds the name free.
    onTestFinished(async () => await endTerminal(hall.terminals.terminals, ada.id));
    const input = { first: 'hedy', second: grace.id, opening: 'Say a number.' };
    const { conversation } = await hall.call<{ conversation: Conversation }>('conversation.start', input);
    await waitUntil(() => ada.taken().length === 2);
    expect(ada.taken()).toEqual(['Say a number.', 'Mary (2):\n\nSix.']);
    expect(grace.taken()).toEqual(['Hedy (1):\n\nFive.']);
    expect(conversation).toMatchObject({ startedBy: 'person', turns: 8, project: 'shop' });
  });
});

test('who speaks is told when its words did not arrive, and why [GTH-RELAY-12]', async () => {
  const ada = await startTalker(hall, 'Ada', { says: [''] });
  const grace = await startTalker(hall, 'Grace', { env: { DEAF: '99' } });
  const { conversation } = await hall.start(ada, grace, 'Do you hear me?');
  await waitUntil(() => told(ada).length === 1);
  expect(told(ada)[0]).toMatch(/^\[guild-hall\] Your last words did not reach Grace \(2\): The program did not take/);
  const { messages } = await hall.show(conversation.id);
  expect(messages[0]!.receipts).toEqual([{ to: 2, receipt: { state: 'failed', why: expect.any(String) } }]);
});

describe('the budget', () => {
  test('pauses after so many turns each way, tells both and asks; what is said meanwhile goes on when it is extended [GTH-CONV-12]', async () => {
    hall.set({ conversations: { turns: 2, idleMinutes: 10 } });
    const [ada, grace] = await pair(
      hall,
      ['I am one.', 'Am I two?', 'All right, I wait.', 'It is four.', 'Fine.'],
      ['First.', 'Second.', 'Waiting.', 'Third.', 'So be it.'],
    );
    const { conversation } = await hall.start(ada, grace, 'Count.');
    hall.set({ conversations: defaultConfig.conversations });
    const { id } = conversation;
    await untilState(hall, id, 'paused');
    const line =
      '[guild-hall] The conversation of Ada (1) and Grace (2) is paused: 2 turns of each side. The person is asked whether it goes on; no answer is needed.';
    await waitUntil(() => told(ada).length === 1 && told(grace).length === 1);
    expect([told(ada), told(grace)]).toEqual([[line], [line]]);
    await waitUntil(async () => (await hall.show(id)).messages.length === 8);
    const lines = said(await hall.show(id));
    expect(lines.slice(0, 4)).toEqual(['1: Count.', '2: First.', '1: I am one.', '2: Second.']);
    // Which of them comes first is theirs.
    const kept = [`hall: ${line}`, '1 held: Am I two?', '1 aside: All right, I wait.', '2 aside: Waiting.'];
    expect(new Set(lines.slice(4))).toEqual(new Set(kept));
    const [item] = waitingConversations(hall.ctx).filter(({ subject }) => subject.id === id);
    expect(item).toMatchObject({ kind: 'yield', title: 'Ada and Grace paused: 2 turns of each side' });
    expect(item!.actions.map(({ verb, operation }) => [verb, operation])).toEqual([
      ['extend', 'conversation.extend'],
      ['end', 'conversation.end'],
    ]);
    await hall.call('conversation.extend', { id, turns: 1 });
    await untilState(hall, id, 'paused');
    await waitUntil(() => ada.taken().includes('Grace (2):\n\nThird.'));
    expect(grace.taken()).toContain('Ada (1):\n\nAm I two?');
    expect(grace.taken().join('\n')).not.toContain('All right, I wait.');
  });
});

describe('a loop', () => {
  test('pauses: the same words going round [GTH-CONV-13]', async () => {
    const [ada, grace] = await pair(hall, Array(9).fill('Goodbye.'), Array(9).fill('Goodbye!'));
    const { conversation } = await hall.start(ada, grace, 'Let us end here.');
    await untilState(hall, conversation.id, 'paused');
    const shown = await hall.show(conversation.id);
    expect(shown.conversation.pause?.why).toBe('loop');
    expect(shown.used).toEqual([3, 2]);
    await waitUntil(() => told(ada).length === 1 && told(grace).length === 1);
    expect(told(ada)[0]).toContain('paused: the same words go round.');
  });
});

describe('idle', () => {
  test('pauses after ten minutes in which nobody said anything nor worked, and not before [GTH-CONV-13]', async () => {
    const clock = handClock();
    const own = await openTestConversations({ clock });
    const ada = await startTalker(own, 'Ada', { says: [''] });
    const grace = await startTalker(own, 'Grace', { says: [''], env: { THINK: '1500' } });
    const { conversation } = await own.start(ada, grace, 'Think.');
    await waitUntil(() => statusOf(own.terminals.terminals, grace.id).status === 'busy');
    await clock.pass(20 * 60_000);
    expect(await state(own, conversation.id)).toBe('open');
    await waitUntil(() => statusOf(own.terminals.terminals, grace.id).status === 'idle');
    await clock.pass(9 * 60_000);
    expect(await state(own, conversation.id)).toBe('open');
    await clock.pass(2 * 60_000);
    await untilState(own, conversation.id, 'paused');
    expect((await own.show(conversation.id)).conversation.pause?.why).toBe('idle');
    await waitUntil(() => told(ada).length === 1 && told(grace).length === 1);
    await own.call('conversation.extend', { id: conversation.id });
    await waitUntil(() => told(grace).length === 2);
    expect(told(grace)[1]).toContain('goes on, for 8 turns of each side. It is your turn.');
    expect(told(ada)).toHaveLength(1);
    await endTestConversations(own);
  });
});

describe('the end', () => {
  test.each(['Ada', 'the person'])(
    'by %s: both are told why, nothing more is relayed, and both can be used [GTH-CONV-9]',
    async (who) => {
      const [ada, grace] = await pair(hall, ['', ''], ['Yes.', 'Never heard.', '']);
      const { conversation } = await hall.start(ada, grace, 'Well?');
      await waitUntil(() => ada.taken().length === 1);
      if (who === 'Ada') await hall.call('conversation.end', {}, callerOf(ada));
      else await hall.call('conversation.end', { id: conversation.id });
      const why = who === 'Ada' ? 'Ada (1) closed it' : 'the person closed it';
      await waitUntil(() => told(ada).length === 1 && grace.taken().length === 2);
      const line = `[guild-hall] The conversation of Ada (1) and Grace (2) has ended: ${why}.`;
      expect([told(ada), told(grace)]).toEqual([[line], [line]]);
      await waitUntil(() =>
        hall.terminals.speeches.some(({ terminal, text }) => terminal === grace.id && text === 'Never heard.'),
      );
      await deliver(hall.terminals.terminals, ada.id, { id: 'after', origin: 'person', text: 'Still there?' });
      expect(await settledReceipt(hall.terminals.terminals, ada.id, 'after')).toMatchObject({ state: 'delivered' });
      expect(ada.taken()).toHaveLength(3);
      expect((await hall.show(conversation.id)).conversation.end?.reason.kind).toBe('closed');
      expect(await refusal(hall.call('conversation.end', { id: conversation.id }))).toMatchObject({ code: 'conflict' });
      expect(await refusal(hall.call('conversation.extend', { id: conversation.id }))).toMatchObject({
        code: 'conflict',
      });
      await hall.start(grace, ada, 'Again?');
    },
  );

  test('of a terminal ends it; the other is told why and can be used [GTH-CONV-8]', async () => {
    const [ada, grace] = await pair(hall, [''], ['Yes.']);
    const { conversation } = await hall.start(ada, grace, 'Well?');
    await waitUntil(() => ada.taken().length === 1);
    await endTerminal(hall.terminals.terminals, grace.id);
    await untilState(hall, conversation.id, 'ended');
    await waitUntil(() => told(ada).length === 1);
    expect(told(ada)).toEqual([
      '[guild-hall] The conversation of Ada (1) and Grace (2) has ended: the terminal of Grace (2) ended.',
    ]);
    const mo = await startTalker(hall, 'Mo');
    await hall.start(ada, mo, 'Are you free?');
    await waitUntil(() => mo.taken().length === 1);
    expect(mo.taken()).toEqual(['Ada (1):\n\nAre you free?']);
  });
});

describe('who may', () => {
  test('a terminal is in at most one, others go on as before, and nobody ends what is not theirs [GTH-GUARD-4, GTH-GUARD-6, GTH-TOOL-8]', async () => {
    const [ada, grace] = await pair(hall, [], []);
    const mo = await startTalker(hall, 'Mo', { says: ['I am free.'] });
    const { conversation } = await hall.start(ada, grace, 'Hello.');
    const { id } = conversation;
    for (const work of [hall.start(mo, grace, 'x'), hall.start(ada, mo, 'x'), hall.start(ada, grace, 'x')])
      expect(await refusal(work)).toMatchObject({ code: 'conflict', details: { id } });
    expect(await refusal(hall.start(mo, mo, 'x'))).toMatchObject({ code: 'invalid' });
    const shell = await startTalker(hall, 'shell');
    expect(await refusal(hall.start(mo, shell, 'rm -rf .'))).toMatchObject({ code: 'forbidden' });
    expect(shell.taken()).toEqual([]);
    expect(await refusal(hall.call('conversation.end', { id }, callerOf(mo)))).toMatchObject({ code: 'forbidden' });
    expect(await refusal(hall.call('conversation.end', {}, callerOf(mo)))).toMatchObject({ code: 'not_found' });
    expect(await refusal(hall.call('conversation.end'))).toMatchObject({ code: 'invalid' });
    expect(await refusal(hall.call('conversation.extend', { id }, callerOf(ada)))).toMatchObject({ code: 'forbidden' });
    await deliver(hall.terminals.terminals, mo.id, { id: 'plain', origin: 'person', text: 'Mo?' });
    await waitUntil(() => hall.terminals.speeches.some(({ terminal }) => terminal === mo.id));
    expect([...ada.taken(), ...grace.taken()].join('\n')).not.toContain('I am free.');
    await hall.call('conversation.end', { id });
    const { conversations } = await hall.call<ConversationList>('conversation.list', { state: 'ended' });
    expect(conversations.map((row) => row.id)).toContain(id);
  });
});

describe('after a restart of the hall', () => {
  test('it goes on; what was said meanwhile is relayed; its files hold it [GTH-STATE-3, GTH-STATE-4]', async () => {
    const first = await openTestConversations();
    const ada = await startTalker(first, 'Ada', { says: ['', 'Back again.', ''] });
    const grace = await startTalker(first, 'Grace', { says: ['Late.', ''], env: { THINK: '1500' } });
    const { conversation } = await first.start(ada, grace, 'Think.');
    await waitUntil(() => grace.taken().length === 1);
    await leaveTestConversations(first);
    const folder = join(first.terminals.folder, 'state', 'conversations', conversation.id);
    expect(existsSync(join(folder, 'conversation.json'))).toBe(true);
    const second = await nextHall(first);
    await waitUntil(() => ada.taken().length === 1);
    expect(ada.taken()).toEqual(['Grace (2):\n\nLate.']);
    await deliver(second.terminals.terminals, ada.id, { id: 'go', origin: 'person', text: 'Go on.' });
    await waitUntil(() => grace.taken().length === 2);
    expect(grace.taken()[1]).toBe('Ada (1):\n\nBack again.');
    expect(said(await second.show(conversation.id))).toEqual(['1: Think.', '2: Late.', '1: Back again.']);
    await leaveTestConversations(second);
    const third = await nextHall(second);
    await endTerminal(third.terminals.terminals, grace.id);
    await untilState(third, conversation.id, 'ended');
    await waitUntil(() => told(ada).length === 1);
    await endTestConversations(third);
  });

  test('what cannot be read is left as it is and told; where its state can, it is closed with a word to both [GTH-STATE-4]', async () => {
    const first = await openTestConversations();
    const [ada, grace] = await pair(first, [''], ['']);
    const [hedy, mary] = await pair(first, [''], ['']);
    const one = await first.start(ada, grace, 'Well?');
    const two = await first.start(hedy, mary, 'Well?');
    await waitUntil(() => grace.taken().length === 1 && mary.taken().length === 1);
    await leaveTestConversations(first);
    const folder = join(first.terminals.folder, 'state', 'conversations');
    rmSync(join(folder, one.conversation.id, 'messages.jsonl'));
    mkdirSync(join(folder, one.conversation.id, 'messages.jsonl'));
    writeFileSync(join(folder, two.conversation.id, 'conversation.json'), '{');
    const second = await nextHall(first);
    await waitUntil(() => told(ada).length === 1 && told(grace).length === 1);
    expect(told(ada)[0]).toMatch(/has ended: the hall could not go on \(.*\)\.$/);
    const problems = waitingConversations(second.ctx).map(({ kind, subject }) => [kind, subject.id]);
    expect(new Set(problems)).toEqual(new Set([one, two].map(({ conversation }) => ['problem', conversation.id])));
    expect(readFileSync(join(folder, two.conversation.id, 'conversation.json'), 'utf8')).toBe('{');
    await second.start(ada, grace, 'Again?');
    await waitUntil(() => grace.taken().length === 3);
    await endTestConversations(second);
  });

  test('thirty days after its end nothing of it is left', async () => {
    const first = await openTestConversations();
    const [ada, grace] = await pair(first, [''], ['']);
    const { conversation } = await first.start(ada, grace, 'Well?');
    await first.call('conversation.end', { id: conversation.id });
    await waitUntil(() => told(grace).length === 1);
    await leaveTestConversations(first);
    const path = join(first.terminals.folder, 'state', 'conversations', conversation.id);
    const ageTo = (days: number): void => {
      const file = join(path, 'conversation.json');
      const text = readFileSync(file, 'utf8');
      const at = new Date(systemClock.nowMs() - days * 86_400_000).toISOString();
      writeFileSync(
        file,
        JSON.stringify({ ...JSON.parse(text), end: { reason: { kind: 'closed', by: 'person' }, at } }),
      );
    };
    ageTo(29);
    const second = await nextHall(first);
    expect((await second.show(conversation.id)).messages).toHaveLength(2);
    await leaveTestConversations(second);
    ageTo(31);
    const third = await nextHall(second);
    expect(existsSync(path)).toBe(false);
    expect(await refusal(third.show(conversation.id))).toMatchObject({ code: 'not_found' });
    await endTestConversations(third);
  });
});
