/** What is left of terminals whose tmux went, or that could not be taken up. */
import { mkdirSync, writeFileSync } from 'node:fs';
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
import { isTmuxUp, reach } from './tmux/server.ts';
import { deliver, endTerminal, forgetTerminal, joinTerminal, settledReceipt, statusOf } from './terminals.ts';

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

test('where tmux is not to be had, or says nothing, nobody is told that its programs are gone', async () => {
  hall = await openTestTerminals();
  const { tmux } = hall.terminals;
  const bin = join(hall.folder, 'bin');
  const isUp = async (): Promise<boolean> =>
    await isTmuxUp(tmux.ctx, { socket: tmux.socket, env: { PATH: `${bin}:/usr/bin:/bin` } });
  expect(await isUp()).toBe(true);
  mkdirSync(bin);
  const script = '#!/bin/sh\ncase "$*" in -V) echo tmux 3.3a ;; *) kill -9 $$ ;; esac\n';
  writeFileSync(join(bin, 'tmux'), script, { mode: 0o755 });
  await expect(isUp()).rejects.toThrow('tmux does not say whether terminals live');
  const nowhere = { socket: tmux.socket, env: { PATH: bin.replace('bin', 'none') } };
  await expect(isTmuxUp(tmux.ctx, nowhere)).rejects.toThrow('there is no such program on PATH');
});
