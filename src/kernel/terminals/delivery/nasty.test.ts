/** Two hundred messages that mean harm, into eight programs at once. */
import { expect, test } from 'vitest';
import { nastyTexts, startNastyAgents } from '../../../../test/help/nasty.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { endTestTerminals, openTestTerminals } from '../../../../test/help/terminals.ts';
import { deliver, settledReceipt } from '../terminals.ts';

test('each arrives once, in order, as it was said [GTH-RELAY-11, GTH-RELAY-12, GTH-RELAY-14, GTH-RELAY-17, GTH-RELAY-19]', async () => {
  const hall = await openTestTerminals();
  const agents = await startNastyAgents(hall);
  const messages = nastyTexts.map((text, at) => ({ id: `n-${at}`, origin: 'hall', text }));
  for (const message of messages) await Promise.all(agents.map(async ({ id }) => deliver(hall.terminals, id, message)));
  const receipts = agents.flatMap((agent) =>
    messages.map(async ({ id }) => settledReceipt(hall.terminals, agent.id, id)),
  );
  expect(receipts.length).toBe(200);
  const states = (await Promise.all(receipts)).map(({ state }) => state);
  expect(states).toEqual(states.map(() => 'delivered'));
  for (const agent of agents) {
    await waitUntil(() => agent.taken().length >= messages.length);
    expect([agent.what, ...agent.taken()]).toEqual([agent.what, ...nastyTexts.map(agent.shaped)]);
  }
  await endTestTerminals(hall);
}, 60_000);
