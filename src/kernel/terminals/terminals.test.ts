/** Terminals as features use them: real tmux, real programs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  agentManner,
  anyManner,
  endTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
  type TestTerminals,
} from '../../../test/help/terminals.ts';
import { waitUntil } from '../../../test/help/programs.ts';
import { deliver, settledReceipt, statusOf } from './terminals.ts';

let test_: TestTerminals;
beforeAll(async () => {
  test_ = await openTestTerminals();
});
afterAll(async () => {
  await endTestTerminals(test_);
});

describe('a message', () => {
  test.each([
    ['a program that reads lines', anyManner, {}],
    ['one that takes pastes', agentManner, { RAW: '1' }],
    ['one that tells what it takes', signallingManner, { RAW: '1' }],
  ])('reaches %s', async (_name, manner, env) => {
    const { terminals } = test_;
    const agent = await startAgent(test_, manner, env);
    expect(
      await deliver(terminals, agent.id, { id: 'm1', origin: 'hall', text: 'Mo (1):\n\nHello -l ; #{x}' }),
    ).toEqual({
      state: 'queued',
    });
    expect(await settledReceipt(terminals, agent.id, 'm1')).toMatchObject({ state: 'delivered' });
    await waitUntil(() => agent.taken().length > 0);
    expect(agent.taken()).toEqual([
      env.RAW === undefined ? 'Mo (1): ⏎  ⏎ Hello -l ; #{x}' : 'Mo (1):\n\nHello -l ; #{x}',
    ]);
    await waitUntil(() => test_.speeches.some(({ terminal }) => terminal === agent.id));
    expect(test_.speeches.filter(({ terminal }) => terminal === agent.id)).toMatchObject([
      { text: expect.stringMatching(/^Taken \d+\.$/) },
    ]);
    await waitUntil(() => statusOf(terminals, agent.id).status === 'idle');
  });
});
