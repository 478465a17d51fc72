/** Sessions with the built program: an answer over a restart, the hall killed in a turn and with a question open, the doors. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import type { Overview } from '../../src/features/overview/contract.ts';
import type { SearchAnswer } from '../../src/features/search/contract.ts';
import type { AgentMessage, SessionList, SessionView } from '../../src/features/sessions/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import { freshHome, type Home, identityOf, type Up, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

const scenario = (repo: string): string => `
- match: wait for the end
  activity: session
  do:
    - say: I begin.
    - call: { tool: Read, input: { file_path: '${join(repo, 'a.txt')}' } }
    - wait: 600 s
    - say: Nobody reads this.
- match: write the note
  activity: session
  do:
    - call: { tool: Write, input: { file_path: '${join(repo, 'note.txt')}', content: "A note\\n" } }
    - say: It is written.
`;

interface Running {
  readonly home: Home;
  readonly repo: string;
  client: HallClient;
  readonly restart: () => Promise<void>;
  /** Ends the hall without a word, and starts the next. */
  readonly kill: () => Promise<void>;
}

async function start(): Promise<Running> {
  const home = await freshHome();
  const { path: repo } = await makeRepository({ files: { 'a.txt': 'hello\n' } });
  const script = join(home.folder, 'scenario.yaml');
  writeFileSync(script, scenario(repo));
  const up = async (): Promise<HallClient> => {
    const { url } = await home.json<Up>('up', '--detach', '--port', '0');
    return createClient(home.path, url, readFileSync(join(home.path, 'token'), 'utf8').trim());
  };
  await home.run('up', '--detach', '--port', '0');
  await home.run('down');
  writeFileSync(join(home.path, 'config.yaml'), `rehearsal:\n  scenario: ${script}\n`);
  const running: Running = {
    home,
    repo,
    client: await up(),
    restart: async () => {
      await home.run('down');
      running.client = await up();
    },
    kill: async () => {
      process.kill(identityOf(home).pid, 'SIGKILL');
      running.client = await up();
    },
  };
  await home.json('project', 'add', repo, '--name', 'tally');
  return running;
}

async function show({ client }: Running, id: string): Promise<SessionView['session']> {
  return ((await client.call('session.show', { id })) as SessionView).session;
}

async function answersOf(running: Running, id: string): Promise<AgentMessage[]> {
  const { messages } = await show(running, id);
  return messages.filter((message): message is AgentMessage => message.role === 'agent');
}

const textOf = ({ parts }: AgentMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

async function begin(running: Running, prompt: string): Promise<string> {
  const { session } = (await running.client.call('session.new', { project: 'tally', prompt })) as SessionView;
  return session.id;
}

async function ended(running: Running, id: string, count: number): Promise<AgentMessage[]> {
  await waitUntil(async () => {
    const answers = await answersOf(running, id);
    return answers.length === count && answers.every(({ state }) => state !== 'running');
  });
  return await answersOf(running, id);
}

test('[UC-6.2] a session goes on where it was: after a restart, a kill in a turn, and a kill with a question open', async () => {
  const running = await start();
  const { home, repo } = running;
  // What was said is there again, word for word, and the agent still knows its session.
  const id = await begin(running, 'What is in a.txt?');
  const [first] = await ended(running, id, 1);
  expect(first!.state).toBe('done');
  expect(textOf(first!)).toContain('hello');
  const before = await show(running, id);
  await running.restart();
  expect(await show(running, id)).toEqual(before);

  // Killed in the middle of an answer: that one ends as interrupted, what waited is sent by the next hall.
  await running.client.call('session.say', { id, text: 'wait for the end' });
  await waitUntil(async () => textOf((await answersOf(running, id)).at(-1)!) === 'I begin.');
  await running.client.call('session.say', { id, text: 'Who calls a.txt?' });
  await running.kill();
  const answers = await ended(running, id, 3);
  expect(answers.map(({ state }) => state)).toEqual(['done', 'interrupted', 'done']);
  expect(textOf(answers[1]!)).toBe('I begin.');
  expect((await show(running, id)).agentSessionId).toBe(before.agentSessionId);

  // A question that nobody has answered is over with its turn.
  await running.client.call('session.say', { id, text: 'write the note' });
  const inbox = async (): Promise<InboxList> => (await running.client.call('inbox.list', {})) as InboxList;
  await waitUntil(async () => (await inbox()).items.length === 1);
  await running.kill();
  expect((await inbox()).items).toEqual([]);
  expect((await answersOf(running, id)).at(-1)).toMatchObject({
    state: 'interrupted',
    parts: [
      { type: 'tool', state: 'failed' },
      { type: 'permission', outcome: 'cancelled' },
    ],
  });
  expect(existsSync(join(repo, 'note.txt'))).toBe(false);

  // Asked again, it is answered from the inbox, and the file stands in the person's own checkout.
  await running.client.call('session.say', { id, text: 'write the note' });
  await waitUntil(async () => (await inbox()).items.length === 1);
  const [item] = (await inbox()).items;
  expect(item).toMatchObject({ kind: 'question', project: 'tally', subject: { kind: 'session', id } });
  const overview = (await running.client.call('overview', {})) as Overview;
  expect(overview.running).toMatchObject([{ kind: 'session', id, state: 'waiting' }]);
  expect((await home.run('inbox', 'approve', item!.id)).exitCode).toBe(0);
  const all = await ended(running, id, 5);
  expect(all.at(-1)!.state).toBe('done');
  expect(readFileSync(join(repo, 'note.txt'), 'utf8')).toBe('A note\n');
  const changes = (await running.client.call('session.changes', { id })) as { files: { path: string }[] };
  expect(changes.files.map(({ path }) => path)).toEqual(['note.txt']);

  // What was said in it is found.
  const { hits } = (await running.client.call('search', { words: 'calls', kind: ['session'] })) as SearchAnswer;
  expect(hits).toMatchObject([{ kind: 'session', id, title: 'What is in a.txt?' }]);

  // Stopped by the person; closed, listed and removed by the command line.
  await running.client.call('session.say', { id, text: 'wait for the end' });
  await waitUntil(async () => (await answersOf(running, id)).length === 6);
  expect(await running.client.call('session.cancel', { id })).toEqual({ id, cancelled: true });
  expect((await ended(running, id, 6)).at(-1)!.state).toBe('interrupted');
  expect((await home.run('session', 'close', id)).exitCode).toBe(0);
  const { sessions } = await home.json<SessionList>('session', 'list', '--project', 'tally');
  expect(sessions).toMatchObject([{ id, state: 'closed', title: 'What is in a.txt?' }]);
  expect((await home.run('session', 'remove', id)).exitCode).toBe(0);
  expect(await home.json<SessionList>('session', 'list', '--project', 'tally')).toMatchObject({ sessions: [] });
});
