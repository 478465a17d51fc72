/** The hall is killed in the middle of a conversation, again and again, and the next one goes on. */
import { afterAll, expect, test } from 'vitest';
import {
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
import { bundled, runUntil } from '../../../test/help/fault-programs.ts';
import { waitUntil } from '../../../test/help/programs.ts';
import { defaultConfig } from '../../kernel/projects/settings.ts';

afterAll(endAllTestConversations);

const answers = (who: string, count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) => `${who} says ${['red', 'green', 'blue', 'mauve'][index % 4]} ${index + 1}.`,
  );

interface Killed {
  readonly last: TestConversations;
  readonly id: string;
  readonly ada: Talker;
  readonly grace: Talker;
}

/** Begun by one hall, which goes; then each next one is killed at that point; the last one is not. */
async function killedAgain({
  turns,
  each,
  match,
  points,
}: {
  turns: number;
  each: number;
  match: string;
  points: readonly number[];
}): Promise<Killed> {
  const program = await bundled('conversation-until-fault');
  const config = { conversations: { ...defaultConfig.conversations, turns } };
  const first = await openTestConversations({ config });
  const env = { THINK: '30' };
  const ada = await startTalker(first, 'Ada', { says: [...answers('Ada', each), '', ''], env });
  const grace = await startTalker(first, 'Grace', { says: [...answers('Grace', each + 1), '', ''], env });
  const { conversation } = await first.start(ada, grace, 'Say something.');
  await leaveTestConversations(first);
  const names = JSON.stringify([ada, grace].map(({ id, name }) => [id, name]));
  const { folder } = first.terminals;
  for (const at of points)
    expect(await runUntil(program, [folder, names, '999'], { at, match }), `${match} ${at}`).toBe('SIGKILL');
  return { last: await nextHall(first, { config }), id: conversation.id, ada, grace };
}

test.each<[string, readonly number[]]>([
  ['relay:', [1, 2, 3, 4, 7]],
  ['messages.jsonl', [1, 4]],
])(
  'killed at %s…: all that was said arrives, once and in order [GTH-RELAY-5, GTH-RELAY-17, GTH-STATE-4]',
  async (match, points) => {
    const each = 8;
    const { last, id, ada, grace } = await killedAgain({ turns: 999, each, match, points });
    await waitUntil(() => ada.taken().length === each + 1);
    const words = answers('Grace', each + 1).map((text) => `Grace (2):\n\n${text}`);
    expect(ada.taken()).toEqual(words);
    expect(grace.taken()).toEqual(['Say something.', ...answers('Ada', each)].map((text) => `Ada (1):\n\n${text}`));
    expect(said(await last.show(id))).toHaveLength(2 * each + 2);
    await endTestConversations(last);
  },
  90_000,
);

test('killed while it is paused: it is paused, and both are told once [GTH-CONV-12]', async () => {
  const points = [1, 2, 3];
  const { last, id, ada, grace } = await killedAgain({ turns: 2, each: 1, match: 'conversation', points });
  await waitUntil(async () => (await last.show(id)).conversation.state === 'paused');
  const told = (talker: Talker): string[] => talker.taken().filter((text) => text.includes('is paused'));
  await waitUntil(() => told(ada).length > 0 && told(grace).length > 0);
  expect([told(ada).length, told(grace).length]).toEqual([1, 1]);
  expect((await last.show(id)).conversation.pauses).toBe(1);
  await endTestConversations(last);
}, 60_000);
