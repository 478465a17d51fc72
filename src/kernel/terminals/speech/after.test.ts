/** Which message a program's words come after: told in their order, and never too early. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import {
  agentAt,
  agentManner,
  anyManner,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from '../../../../test/help/terminals.ts';
import { nextTerminal } from '../../../../test/help/tmux.ts';
import type { Manner, Signal, Speech } from '../contract.ts';
import { deferred } from '../../pure/deferred.ts';
import {
  deliver,
  joinTerminal,
  listenToTerminals,
  settledReceipt,
  startTerminal,
  statusOf,
  typeInto,
} from '../terminals.ts';

let hall: TestTerminals;
beforeAll(async () => {
  hall = await openTestTerminals();
});
afterAll(async () => {
  await endTestTerminals(hall);
});

const untold: Manner = { ...signallingManner, hasReceipts: false };
const raw = { RAW: '1' };
const kinds: [string, Manner, Record<string, string>][] = [
  ['signals', signallingManner, raw],
  ['signals without receipts', untold, { ...raw, TELLS: 'spoke' }],
  ['signals whose receipts are lost', signallingManner, { ...raw, TELLS: 'spoke' }],
  ['a marker', agentManner, raw],
  ['quiet', anyManner, {}],
];

async function give({ id }: StartedAgent, message: string, { terminals } = hall): Promise<void> {
  await deliver(terminals, id, { id: message, origin: 'hall', text: `text of ${message}` });
}

/** What is told of it, in order: `m-1 delivered`, `words after m-1`. */
function toldOf({ id }: Pick<StartedAgent, 'id'>, { terminals } = hall): string[] {
  const told: string[] = [];
  listenToTerminals(terminals, {
    onReceipt: ({ terminal, message, receipt }) =>
      void (terminal === id && told.push(`${message.id} ${receipt.state}`)),
    onSpeech: async ({ terminal, text, after }) => void (terminal === id && told.push(`${text} after ${after}`)),
  });
  return told;
}

async function untilIdle({ id }: StartedAgent, { terminals } = hall): Promise<void> {
  await waitUntil(() => statusOf(terminals, id).status === 'idle');
}

describe.each(kinds)('words of a program that is heard by %s', (_name, manner, env) => {
  test('are told after the receipt of what they answer, and name it', async () => {
    const agent = await startAgent(hall, manner, { ...env, SAYS: '["Nothing yet.","One.","Two."]' });
    await untilIdle(agent);
    const told = toldOf(agent);
    await typeInto(hall.terminals, agent.id, 'said by the person\r');
    await waitUntil(() => told.length === 1);
    await give(agent, 'm-1');
    await waitUntil(() => told.length === 3);
    await give(agent, 'm-2');
    await waitUntil(() => told.length === 5);
    expect(told).toEqual([
      'Nothing yet. after null',
      'm-1 delivered',
      'One. after m-1',
      'm-2 delivered',
      'Two. after m-2',
    ]);
  });

  test('of a turn that began before do not name what is put in after it', async () => {
    const says = { SAYS: '["Of the person.","One.","Two."]', THINK: '250' };
    const agent = await startAgent(hall, manner, { ...env, ...says });
    await untilIdle(agent);
    const told = toldOf(agent);
    await typeInto(hall.terminals, agent.id, 'said by the person\r');
    await waitUntil(() => agent.taken().length === 1);
    for (const message of ['m-1', 'm-2']) await give(agent, message);
    await waitUntil(() => told.length === 5);
    expect(told.map((line) => line.replace('working\n', ''))).toEqual([
      'Of the person. after null',
      'm-1 delivered',
      'One. after m-1',
      'm-2 delivered',
      'Two. after m-2',
    ]);
  });
});

test('words that are told some time after they are shown belong to the turn before, and the next one waits for them', async () => {
  const agent = await startAgent(hall, untold, { ...raw, TELLS: 'spoke', LATE: '400', SAYS: '["One.","Two."]' });
  await untilIdle(agent);
  const told = toldOf(agent);
  for (const message of ['m-1', 'm-2']) await give(agent, message);
  await waitUntil(() => told.length === 4);
  expect(told).toEqual(['m-1 delivered', 'One. after m-1', 'm-2 delivered', 'Two. after m-2']);
});

test('the last words of a program that ends with them come after what it took', async () => {
  const agent = agentAt(hall.folder, nextTerminal(), anyManner);
  const args = ['-c', 'echo Ready; read line; echo "Bye to $line"; exit 4'];
  await startTerminal(hall.terminals, { ...agent.kind, file: 'sh', args, cwd: hall.folder, env: {} });
  await untilIdle(agent);
  const told = toldOf(agent);
  await give(agent, 'm-1');
  await waitUntil(() => told.length === 2);
  expect(told).toEqual(['m-1 delivered', 'Bye to text of m-1 after m-1']);
});

test('words that their taker refuses keep what they came after, also for the next hall', async () => {
  const first = await openTestTerminals();
  const agent = await startAgent(first, signallingManner, { ...raw, SAYS: '["One.","Two.","Three."]' });
  await untilIdle(agent, first);
  listenToTerminals(first.terminals, {
    onSpeech: async () => {
      throw new Error('the disk is full');
    },
  });
  for (const message of ['m-1', 'm-2', 'm-3']) {
    await give(agent, message, first);
    expect(await settledReceipt(first.terminals, agent.id, message)).toMatchObject({ state: 'delivered' });
    await waitUntil(() => first.terminals.live.get(agent.id)!.afters.size === Number(message.slice(2)));
  }
  await leaveTestTerminals(first);
  const second = await openTestTerminals(first.folder);
  await joinTerminal(second.terminals, agent.kind);
  await waitUntil(() => second.speeches.length === 3);
  const told = second.speeches.map(({ text, after }: Speech) => `${text} after ${after}`);
  expect(told).toEqual(['One. after m-1', 'Two. after m-2', 'Three. after m-3']);
  await endTestTerminals(second);
});

/** As the program's hook does it, the n-th one. */
function tellFor({ id }: StartedAgent, folder: string, nth: number, signal: Signal): void {
  const path = join(folder, 'terminals', id, 'signals', `170000000000000000${nth}-77.json`);
  writeFileSync(`${path}.tmp`, JSON.stringify(signal));
  renameSync(`${path}.tmp`, path);
}

test('[GTH-PIECE-3] words that a killed hall had not taken answer what it delivered, not what it put in since', async () => {
  const program = await bundled('terminals-until-fault');
  const first = await openTestTerminals();
  const { folder } = first;
  const agent = await startAgent(first, signallingManner, { ...raw, TELLS: 'nothing' });
  await untilIdle(agent, first);
  await give(agent, 'm-1', first);
  await waitUntil(() => agent.taken().length === 1);
  tellFor(agent, folder, 1, { kind: 'prompted', text: 'text of m-1' });
  expect(await settledReceipt(first.terminals, agent.id, 'm-1')).toMatchObject({ state: 'delivered' });
  await leaveTestTerminals(first);
  const killed = [folder, agent.id, 'signalling', '2'];
  expect(await runUntil(program, killed, { at: 1, match: 'deliver:after:enter' })).toBe('SIGKILL');
  await waitUntil(() => agent.taken().length === 2);
  tellFor(agent, folder, 2, { kind: 'spoke', text: 'One.' });
  tellFor(agent, folder, 3, { kind: 'prompted', text: agent.taken()[1]! });
  tellFor(agent, folder, 4, { kind: 'spoke', text: 'Two.' });
  const last = await openTestTerminals(folder);
  const told = toldOf(agent, last);
  await joinTerminal(last.terminals, agent.kind);
  await waitUntil(() => told.length >= 3);
  expect(told.slice(0, 3)).toEqual(['One. after m-1', '2-1 delivered', 'Two. after 2-1']);
  await endTestTerminals(last);
});

test('[GTH-PIECE-3] words whose receipt was lost answer what was entered, also when a hall has taken up their program', async () => {
  const first = await openTestTerminals();
  const { folder } = first;
  const agent = await startAgent(first, signallingManner, { ...raw, TELLS: 'spoke', SAYS: '["One.","Two.","Three."]' });
  await untilIdle(agent, first);
  await leaveTestTerminals(first);
  const second = await openTestTerminals(folder);
  await joinTerminal(second.terminals, agent.kind);
  const told = toldOf(agent, second);
  await typeInto(second.terminals, agent.id, 'said by the person\r');
  await waitUntil(() => told.length === 1);
  for (const message of ['m-1', 'm-2']) await give(agent, message, second);
  await waitUntil(() => told.length === 5);
  expect(told).toEqual(['One. after null', 'm-1 delivered', 'Two. after m-1', 'm-2 delivered', 'Three. after m-2']);
  await endTestTerminals(second);
});

test('nothing is put in while words are being told: a hall that is killed then would take them for its answer', async () => {
  const agent = await startAgent(hall, signallingManner, { ...raw, SAYS: '["One."]' });
  const other = await startAgent(hall, signallingManner, raw);
  for (const each of [agent, other]) await untilIdle(each);
  const taken = deferred();
  let isTold = false;
  const stop = listenToTerminals(hall.terminals, {
    onSpeech: async ({ terminal }) => {
      if (terminal !== agent.id) return;
      isTold = true;
      await taken.promise;
    },
  });
  await give(agent, 'm-1');
  await waitUntil(() => isTold);
  for (const each of [agent, other]) await give(each, 'm-2');
  await give(other, 'm-3');
  // Meanwhile another one takes two messages.
  expect(await settledReceipt(hall.terminals, other.id, 'm-3')).toMatchObject({ state: 'delivered' });
  expect(agent.taken()).toEqual(['text of m-1']);
  taken.resolve();
  expect(await settledReceipt(hall.terminals, agent.id, 'm-2')).toMatchObject({ state: 'delivered' });
  stop();
});

test('words that are told again do not end the turn that began meanwhile', async () => {
  const agent = await startAgent(hall, signallingManner, { ...raw, TELLS: 'nothing' });
  await untilIdle(agent);
  let isFull = true;
  let times = 0;
  const stop = listenToTerminals(hall.terminals, {
    onSpeech: async ({ terminal }) => {
      if (terminal !== agent.id) return;
      times += 1;
      if (isFull) throw new Error('the disk is full');
    },
  });
  const live = hall.terminals.live.get(agent.id)!;
  tellFor(agent, hall.folder, 1, { kind: 'spoke', text: 'One.' });
  await waitUntil(() => times > 0);
  tellFor(agent, hall.folder, 2, { kind: 'prompted', text: 'said by the person' });
  await waitUntil(() => live.isInTurn);
  isFull = false;
  await waitUntil(() => live.afters.size === 0);
  expect(live.isInTurn).toBe(true);
  stop();
});
