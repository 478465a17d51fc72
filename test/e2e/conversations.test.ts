/** Two terminals talk, through the doors of a real hall: begun by an agent with one call, looked at, extended, ended. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ConversationList, ConversationView } from '../../src/features/gatherings/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import type { Overview } from '../../src/features/overview/contract.ts';
import type { TerminalList, TerminalSent, TerminalView } from '../../src/features/terminals/contract.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { connectMcp } from '../help/mcp.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';
import { tempFolder } from '../help/repositories.ts';

const agent = join(packageRoot, 'test/fixtures/terminal-agent.mjs');

interface Talker {
  readonly id: string;
  readonly taken: () => string[];
  readonly token: string;
}

let hall: TestHall | undefined;
afterEach(async () => {
  // tmux outlives the hall where programs run in it.
  const { terminals = [] } = ((await hall?.client.call('terminal.list', {})) as TerminalList | undefined) ?? {};
  for (const { id } of terminals) await hall?.client.call('terminal.end', { id });
  await hall?.stop();
  hall = undefined;
});

async function startTalker(of: TestHall, name: string, says: readonly string[]): Promise<Talker> {
  const folder = await tempFolder();
  const [keep, token] = [join(folder, 'keep'), join(folder, 'token')];
  const leaveToken = 'printf "%s" "$GUILD_HALL_MCP_TOKEN" > "$0.part" && mv "$0.part" "$0" && exec "$@"';
  const own = ['env', 'RAW=1', `KEEP=${keep}`, `SAYS=${JSON.stringify(says)}`, process.execPath, agent];
  const command = ['sh', '-c', leaveToken, token, ...own];
  const { id } = (await of.client.call('terminal.start', {
    project: 'tally',
    name,
    command,
    toAgents: true,
  })) as TerminalView;
  await waitUntil(() => existsSync(token));
  const taken = (): string[] =>
    existsSync(keep)
      ? readFileSync(keep, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as string)
      : [];
  return { id, taken, token: readFileSync(token, 'utf8') };
}

const told = ({ taken }: Talker, words: string): boolean => taken().some((text) => text.includes(words));

test('an agent begins a conversation with one call; it goes on by itself, asks in the inbox, outlives the hall, and either may end it [GTH-CONV-2, GTH-CONV-5, GTH-CONV-9, GTH-CONV-12, GTH-STATE-4]', async () => {
  const started = await startHallWithProject({ config: 'conversations: { turns: 2 }' });
  ({ hall } = started);
  const { client } = hall;
  const ada = await startTalker(hall, 'Ada', ['Red, perhaps.', 'Or blue.', 'I wait.', 'Let us say mauve.']);
  const grace = await startTalker(hall, 'Grace', ['Which red?', 'Not that one.', 'I wait, too.', 'Mauve it is.']);
  const asAda = await connectMcp({ url: hall.url, token: ada.token });
  const sent = (await asAda.call('send_message', { session_id: 'Grace', message: 'Which colour?', direct: true }))
    .value as TerminalSent;
  expect(sent.conversation).not.toBeNull();
  const id = sent.conversation!;
  expect((await asAda.call('send_message', { session_id: 'Grace', message: 'x', direct: true })).value).toMatchObject({
    code: 'conflict',
  });

  const show = async (): Promise<ConversationView> => (await hall!.client.call('conversation.show', { id })) as never;
  await waitUntil(async () => (await show()).conversation.state === 'paused');
  await waitUntil(() => told(ada, 'is paused: 2 turns of each side') && told(grace, 'is paused: 2 turns of each side'));
  expect(grace.taken().slice(0, 2)).toEqual(['Ada (1):\n\nWhich colour?', 'Ada (1):\n\nRed, perhaps.']);
  expect(ada.taken().slice(0, 2)).toEqual(['Grace (2):\n\nWhich red?', 'Grace (2):\n\nNot that one.']);
  const { items } = (await client.call('inbox.list', { kind: 'yield' })) as InboxList;
  expect(items).toMatchObject([{ project: 'tally', title: 'Ada and Grace paused: 2 turns of each side' }]);
  const overview = (await client.call('overview', {})) as Overview;
  expect(overview.running).toContainEqual(expect.objectContaining({ kind: 'conversation', id, state: 'waiting' }));
  await expect(client.call('project.remove', { name: 'tally' })).rejects.toThrow(`conversation ${id}`);

  await hall.restart();
  await hall.client.call('inbox.act', { id: items[0]!.id, verb: 'extend' });
  await waitUntil(() => told(grace, 'Ada (1):\n\nOr blue.'));
  const asGrace = await connectMcp({ url: hall.url, token: grace.token });
  const ended = await asGrace.call('end_conversation', {});
  expect(ended.value).toMatchObject({ id, state: 'ended', end: { reason: { kind: 'closed', by: 2 } } });
  await waitUntil(() => told(ada, 'has ended: Grace (2) closed it.') && told(grace, 'has ended: Grace (2) closed it.'));
  const { conversations } = (await hall.client.call('conversation.list', {})) as ConversationList;
  expect(conversations).toMatchObject([{ id, state: 'ended' }]);
  const { terminals } = (await hall.client.call('terminal.list', {})) as TerminalList;
  expect(terminals.map(({ conversation }) => conversation)).toEqual([null, null]);
});
