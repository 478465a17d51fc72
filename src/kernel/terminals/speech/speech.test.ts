/** What is heard on real screens, and what is not. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../../../test/help/programs.ts';
import {
  agentManner,
  anyManner,
  endTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from '../../../../test/help/terminals.ts';
import { type Clock, systemClock } from '../../clock/clock.ts';
import { deferred } from '../../pure/deferred.ts';
import type { Speech } from '../contract.ts';
import {
  deliver,
  listenToTerminals,
  resizeTerminal,
  screenOf,
  settledReceipt,
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

let count = 0;
async function send(agent: StartedAgent, text: string): Promise<void> {
  count += 1;
  await deliver(hall.terminals, agent.id, { id: `s-${count}`, origin: 'hall', text });
  expect(await settledReceipt(hall.terminals, agent.id, `s-${count}`)).toMatchObject({ state: 'delivered' });
}

const spokenBy = (agent: StartedAgent): Speech[] => hall.speeches.filter(({ terminal }) => terminal === agent.id);

test('a program without any sign is heard once it is quiet [GTH-RELAY-9, GTH-RELAY-10]', async () => {
  const agent = await startAgent(hall, anyManner, { THINK: '200', SAY: 'It is done.' });
  await waitUntil(() => statusOf(hall.terminals, agent.id).status === 'idle');
  const live = hall.terminals.live.get(agent.id)!;
  let waitedMs = 0;
  const stop = listenToTerminals(hall.terminals, {
    onSpeech: async () => void (waitedMs = systemClock.monotonicMs() - live.lastOutputMs!),
  });
  await send(agent, 'Do it.');
  await waitUntil(() => spokenBy(agent).length > 0);
  stop();
  // `working` and the answer are 200 ms apart: one turn, and only when it is over.
  expect(spokenBy(agent)).toMatchObject([
    { text: 'working\nIt is done.', own: 'working\nIt is done.', source: 'quiet' },
  ]);
  expect(waitedMs).toBeGreaterThan(300);
});

test('what comes is seen, and words are told, though no time passes for the hall [GTH-RELAY-8]', async () => {
  let isStill = false;
  const never = deferred();
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms, signal) => {
      await systemClock.sleep(ms, signal);
      if (isStill) await never.promise;
    },
  };
  const own = await openTestTerminals(undefined, clock);
  const agent = await startAgent(own, signallingManner, { RAW: '1' });
  await waitUntil(() => statusOf(own.terminals, agent.id).status === 'idle');
  isStill = true;
  await typeInto(own.terminals, agent.id, 'hello\r');
  await waitUntil(() => own.speeches.length > 0);
  await waitUntil(() => screenOf(own.terminals, agent.id).lines.includes('Taken 5.'));
  expect(own.speeches.map(({ text }) => text)).toEqual(['Taken 5.']);
  isStill = false;
  never.resolve();
  await endTestTerminals(own);
});

test.each([
  ['a screen', agentManner],
  ['a signal', signallingManner],
])('words that were delivered are not its own, by %s, however it quotes them [GTH-RELAY-6]', async (_name, manner) => {
  const said = 'The hall should keep every message on disk before it says that it was taken.';
  const quote = `> ${said}\n> I pass to Cleo\nMo says "I pass to Cleo". I do not agree.`;
  const agent = await startAgent(hall, manner, { RAW: '1', SAY: quote });
  await send(agent, `Mo (1):\n\n${said}\nI pass to Cleo`);
  await waitUntil(() => spokenBy(agent).length > 0);
  expect(spokenBy(agent)[0]!.own).toBe('Mo says . I do not agree.');
  if (manner === signallingManner) expect(spokenBy(agent)[0]!.text).toBe(quote);
  await waitUntil(() => statusOf(hall.terminals, agent.id).status === 'idle');
  expect(spokenBy(agent)).toHaveLength(1);
});

test('a screen that is drawn again, in another size too, says nothing, and neither does the person [GTH-RELAY-6, GTH-RELAY-9]', async () => {
  const agent = await startAgent(hall, agentManner, { RAW: '1', FULL: '1', SAY: 'Only this.' });
  await send(agent, 'first');
  await waitUntil(() => spokenBy(agent).length === 1);
  await resizeTerminal(hall.terminals, agent.id, { cols: 100, rows: 30 });
  // Each key has it draw everything anew.
  for (const key of ['x', 'y']) await typeInto(hall.terminals, agent.id, key);
  await typeInto(hall.terminals, agent.id, '\r');
  await waitUntil(() => agent.taken().length === 2);
  await waitUntil(() => spokenBy(agent).length === 2);
  expect(spokenBy(agent).map(({ text }) => text)).toEqual(['Only this.', 'Only this.']);
});

test('secrets are masked before anybody is told [GTH-RELAY-19]', async () => {
  const secret = `ghp_${'a1B2c3D4e5F6g7H8'.repeat(2)}abcd`;
  const agent = await startAgent(hall, signallingManner, { RAW: '1', SAY: `The token is ${secret}, keep it.` });
  await send(agent, 'What is the token?');
  await waitUntil(() => spokenBy(agent).length > 0);
  expect(JSON.stringify(spokenBy(agent))).not.toContain(secret);
  expect(spokenBy(agent)[0]!.text).toMatch(/^The token is \[secret removed: .+], keep it\.$/);
});

test('what its taker refused is told again, the same and in order', async () => {
  const agent = await startAgent(hall, agentManner, { RAW: '1' });
  const taken: Speech[] = [];
  let refusals = 1;
  const stop = listenToTerminals(hall.terminals, {
    onSpeech: async (speech) => {
      if (speech.terminal !== agent.id) return;
      refusals -= 1;
      if (refusals >= 0) throw new Error('the disk is full');
      taken.push(speech);
    },
  });
  await send(agent, 'first');
  await send(agent, 'the second one');
  await waitUntil(() => taken.length === 2);
  stop();
  expect(taken.map(({ text }) => text)).toEqual(['Taken 5.', 'Taken 14.']);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(2);
});
