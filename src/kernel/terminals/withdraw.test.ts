/** Messages that their sender takes back before they are put in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../test/help/programs.ts';
import {
  agentManner,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from '../../../test/help/terminals.ts';
import { withdrawnWhy } from './contract.ts';
import {
  deliver,
  joinTerminal,
  receiptOf,
  settledReceipt,
  statusOf,
  type Terminals,
  typeInto,
  withdraw,
} from './terminals.ts';

let hall: TestTerminals;
beforeAll(async () => {
  hall = await openTestTerminals();
});
afterAll(async () => {
  await endTestTerminals(hall);
});

const raw = { RAW: '1' };
const withdrawn = { state: 'failed', why: withdrawnWhy };

async function give({ id }: StartedAgent, message: string, { terminals } = hall): Promise<void> {
  await deliver(terminals, id, { id: message, origin: 'hall', text: `text of ${message}` });
}

async function untilStatus(agent: StartedAgent, status: string): Promise<void> {
  await waitUntil(() => statusOf(hall.terminals, agent.id).status === status);
}

const receiptsOf = ({ id }: StartedAgent, message: string): unknown[] =>
  hall.receipts.filter((each) => each.terminal === id && each.message.id === message).map(({ receipt }) => receipt);

test('while the program works: it is never put in, what comes after it is, and its sender is told once', async () => {
  const agent = await startAgent(hall, signallingManner, { ...raw, THINK: '400' });
  for (const message of ['w-1', 'w-2', 'w-3']) await give(agent, message);
  expect(await settledReceipt(hall.terminals, agent.id, 'w-1')).toMatchObject({ state: 'delivered' });
  expect(await withdraw(hall.terminals, agent.id, 'w-2')).toBe(true);
  expect(receiptOf(hall.terminals, agent.id, 'w-2')).toEqual(withdrawn);
  expect(statusOf(hall.terminals, agent.id).waiting).toBe(1);
  expect(await withdraw(hall.terminals, agent.id, 'w-2')).toBe(false);
  expect(await settledReceipt(hall.terminals, agent.id, 'w-3')).toMatchObject({ state: 'delivered' });
  expect(agent.taken()).toEqual(['text of w-1', 'text of w-3']);
  expect(receiptsOf(agent, 'w-2')).toEqual([withdrawn]);
  for (const late of ['w-1', 'w-3', 'unknown']) expect(await withdraw(hall.terminals, agent.id, late)).toBe(false);
  await expect(withdraw(hall.terminals, 'nobody' as StartedAgent['id'], 'w-1')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('while a question stands there, also the first that waits', async () => {
  const agent = await startAgent(hall, agentManner, { ...raw, ASK: '1' });
  await give(agent, 'd-1');
  await give(agent, 'd-2');
  await untilStatus(agent, 'dialog');
  expect(await withdraw(hall.terminals, agent.id, 'd-1')).toBe(true);
  await typeInto(hall.terminals, agent.id, 'y');
  expect(await settledReceipt(hall.terminals, agent.id, 'd-2')).toMatchObject({ state: 'delivered' });
  expect(agent.taken()).toEqual(['text of d-2']);
});

test('when it is being put in it is too late, and it arrives', async () => {
  const agent = await startAgent(hall, agentManner, { ...raw, DEAF: '1' });
  await untilStatus(agent, 'idle');
  const live = hall.terminals.live.get(agent.id)!;
  await give(agent, 'p-1');
  await waitUntil(() => live.putting !== undefined);
  expect(receiptOf(hall.terminals, agent.id, 'p-1')).toEqual({ state: 'queued' });
  expect(await withdraw(hall.terminals, agent.id, 'p-1')).toBe(false);
  expect(await settledReceipt(hall.terminals, agent.id, 'p-1')).toMatchObject({ state: 'delivered' });
  expect(agent.taken()).toEqual(['text of p-1']);
});

test('whenever it is tried, a message is either withdrawn or taken, and its receipt says which', async () => {
  const agent = await startAgent(hall, agentManner, raw);
  await untilStatus(agent, 'idle');
  const wanted: string[] = [];
  for (let n = 0; n < 24; n += 1) {
    const message = `r-${n}`;
    const given = give(agent, message);
    // Each round is a little later.
    for (let step = 0; step < n * n * 4; step += 1) await new Promise((resolve) => setImmediate(resolve));
    if (n === 23) await settledReceipt(hall.terminals, agent.id, message);
    const isBack = await withdraw(hall.terminals, agent.id, message);
    await given;
    const receipt = await settledReceipt(hall.terminals, agent.id, message);
    expect(receipt).toMatchObject(isBack ? withdrawn : { state: 'delivered' });
    if (!isBack) wanted.push(`text of ${message}`);
    expect(receiptsOf(agent, message)).toHaveLength(1);
  }
  expect(agent.taken()).toEqual(wanted);
  expect(wanted.length % 24).not.toBe(0);
});

test('the next hall does not put it in; what an earlier one had begun to put in is not taken back', async () => {
  const first = await openTestTerminals();
  const agent = await startAgent(first, agentManner, { ...raw, ASK: '1' });
  const begun = await startAgent(first, agentManner, { ...raw, DEAF: '1' });
  await give(agent, 'n-1', first);
  await give(agent, 'n-2', first);
  expect(await withdraw(first.terminals, agent.id, 'n-1')).toBe(true);
  const stepOf = ({ terminals }: { terminals: Terminals }): unknown => terminals.live.get(begun.id)?.step;
  await give(begun, 'b-1', first);
  await waitUntil(() => typeof stepOf(first) === 'object');
  await leaveTestTerminals(first);
  const second = await openTestTerminals(first.folder);
  const joined = joinTerminal(second.terminals, begun.kind);
  await joinTerminal(second.terminals, agent.kind);
  await joined;
  expect(await withdraw(second.terminals, begun.id, 'b-1')).toBe(false);
  expect(receiptOf(second.terminals, agent.id, 'n-1')).toEqual(withdrawn);
  await typeInto(second.terminals, agent.id, 'y');
  expect(await settledReceipt(second.terminals, agent.id, 'n-2')).toMatchObject({ state: 'delivered' });
  expect(await settledReceipt(second.terminals, begun.id, 'b-1')).toMatchObject({ state: 'delivered' });
  expect(agent.taken()).toEqual(['text of n-2']);
  expect(begun.taken()).toEqual(['text of b-1']);
  await endTestTerminals(second);
});
