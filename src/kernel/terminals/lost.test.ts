/** What is left of terminals whose tmux went, or that could not be taken up. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { waitUntil } from '../../../test/help/programs.ts';
import {
  agentManner,
  anyManner,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  startAgent,
  type TestTerminals,
} from '../../../test/help/terminals.ts';
import { ask } from './tmux/connection.ts';
import { isTmuxUp, reach } from './tmux/server.ts';
import {
  closeTerminals,
  deliver,
  endTerminal,
  forgetTerminal,
  joinTerminal,
  settledReceipt,
  statusOf,
} from './terminals.ts';

let hall: TestTerminals;
afterEach(async () => {
  await endTestTerminals(hall);
});

test('a terminal of a tmux that is gone takes no window of the next one with it', async () => {
  hall = await openTestTerminals();
  const { terminals } = hall;
  const old = await startAgent(hall, agentManner, { RAW: '1' });
  process.kill((await reach(terminals.tmux)).serverPid!, 'SIGKILL');
  await waitUntil(() => statusOf(terminals, old.id).status === 'ended');
  const next = await startAgent(hall, agentManner, { RAW: '1' });
  // tmux counts its windows from the beginning again.
  expect(terminals.live.get(next.id)!.pane).toBe(terminals.live.get(old.id)!.pane);
  await endTerminal(terminals, old.id);
  await forgetTerminal(terminals, old.id);
  await deliver(terminals, next.id, { id: 'm', origin: 'hall', text: 'hello' });
  expect(await settledReceipt(terminals, next.id, 'm')).toMatchObject({ state: 'delivered' });
  await waitUntil(() => next.taken().length === 1);
});

test('one that cannot be taken up is not here, and does not hold up the end of the hall', async () => {
  const first = await openTestTerminals();
  hall = first;
  const agent = await startAgent(first, anyManner);
  await waitUntil(() => statusOf(first.terminals, agent.id).status === 'idle');
  await leaveTestTerminals(first);
  const heard = join(first.folder, 'terminals', agent.id, 'heard.json');
  writeFileSync(heard, 'no JSON');
  hall = await openTestTerminals(first.folder);
  await expect(joinTerminal(hall.terminals, agent.kind)).rejects.toThrow('heard.json');
  expect(() => statusOf(hall.terminals, agent.id)).toThrow('There is no terminal');
  writeFileSync(heard, JSON.stringify({ version: 1, next: 1, lines: [], awaited: [] }));
  expect(await joinTerminal(hall.terminals, agent.kind)).toBe('running');
});

test('where tmux is not to be had, or stands still, nobody is told that its programs are gone', async () => {
  hall = await openTestTerminals();
  const { tmux } = hall.terminals;
  const isUp = async (env = tmux.env): Promise<boolean> =>
    await isTmuxUp(tmux.ctx, { socket: tmux.socket, env, answerMs: 200 });
  expect(await isUp()).toBe(true);
  await expect(isUp({ PATH: hall.folder })).rejects.toThrow('there is no such program on PATH');
  const { serverPid } = await reach(tmux);
  process.kill(serverPid!, 'SIGSTOP');
  try {
    await expect(isUp()).rejects.toThrow('tmux does not say whether terminals live');
  } finally {
    process.kill(serverPid!, 'SIGCONT');
  }
});

test('a tmux that answers again is gone on with: its programs have not ended', async () => {
  hall = await openTestTerminals();
  const { terminals } = hall;
  const agent = await startAgent(hall, agentManner, { RAW: '1' });
  await waitUntil(() => statusOf(terminals, agent.id).status === 'idle');
  const { serverPid, process: client } = await reach(terminals.tmux);
  process.kill(serverPid!, 'SIGSTOP');
  // As when it is given up.
  client.child.kill('SIGKILL');
  client.child.stdout!.destroy();
  await waitUntil(() => terminals.tmux.opening !== undefined);
  await deliver(terminals, agent.id, { id: 'm', origin: 'hall', text: 'hello' });
  process.kill(serverPid!, 'SIGCONT');
  expect(await settledReceipt(terminals, agent.id, 'm')).toMatchObject({ state: 'delivered' });
  expect(hall.ends).toEqual([]);
});

test('a hall that ends does not wait for a tmux that stands still while it is joined again', async () => {
  const first = await openTestTerminals();
  hall = first;
  const { tmux } = first.terminals;
  const connection = await reach(tmux);
  const { serverPid } = connection;
  process.kill(serverPid!, 'SIGSTOP');
  try {
    connection.answerMs = 100;
    await expect(ask(connection, [['display-message', '-p', 'x']])).rejects.toThrow('does not answer');
    await waitUntil(() => tmux.joining !== undefined);
    const { opening } = tmux;
    await closeTerminals(first.terminals);
    await expect(opening).rejects.toThrow('no server');
  } finally {
    process.kill(serverPid!, 'SIGCONT');
  }
});

test('who waits for a message, or for a first picture, hears when the hall leaves', async () => {
  hall = await openTestTerminals();
  const { terminals } = hall;
  const agent = await startAgent(hall, agentManner, { RAW: '1', ASK: '1' });
  await deliver(terminals, agent.id, { id: 'm', origin: 'hall', text: 'hello' });
  const receipt = settledReceipt(terminals, agent.id, 'm');
  await leaveTestTerminals(hall);
  expect(await receipt).toEqual({ state: 'queued' });
});
