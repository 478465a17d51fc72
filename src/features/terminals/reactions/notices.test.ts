import { expect, onTestFinished, test } from 'vitest';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { agentManner, endTestTerminals, openTestTerminals, startAgent } from '../../../../test/help/terminals.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { statusOf, typeInto } from '../../../kernel/terminals/terminals.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { createDesk } from '../context.ts';
import { terminalIdSchema } from '../contract.ts';
import type { TerminalRecord } from '../store.ts';
import { notifyOfTurn, notifyStarter } from './notices.ts';

const record = (given: Partial<TerminalRecord>): TerminalRecord => ({
  id: terminalIdSchema.parse('ada-20261122-101500-aaaa'),
  name: 'Ada',
  entry: null,
  command: ['bash'],
  project: null,
  cwd: '/',
  sandbox: { kind: 'none', reason: '' },
  startedBy: { kind: 'person', id: null },
  toAgents: false,
  mayWrite: true,
  direct: false,
  startedAt: '2026-11-22T10:15:00.000Z',
  end: null,
  lastLines: [],
  mark: 'mark',
  kept: null,
  tokenDigest: '',
  ...given,
});

test.each([
  ['a shell', { entry: 'shell', command: ['shell'] }, false],
  ['a shell that was started by its name', { entry: null, command: ['/bin/zsh', '-l'] }, false],
  ['an agent', { entry: 'claude', command: ['claude'] }, true],
])('what an agent said last is typed for whoever started it, where that is %s: %j %s', async (_what, given, isTold) => {
  const starter = record(given);
  const started = record({
    id: terminalIdSchema.parse('mo-20261122-101600-bbbb'),
    startedBy: { kind: 'terminal', id: starter.id },
  });
  const desk = createDesk();
  desk.records.set(starter.id, starter);
  let wasOpened = false;
  const terminals = { now: () => void (wasOpened = true) };
  const ctx = { desk, terminals, conversing: { of: () => null } } as unknown as TerminalsFeatureContext;
  await notifyStarter(ctx, started, { id: 'finished-1', text: '[guild-hall] It ended with: "$(touch /tmp/x)"' });
  expect(wasOpened).toBe(isTold);
});

test('of many turns the last is told, and no more than a starter can bear', async () => {
  const hall = await openTestTerminals();
  onTestFinished(() => endTestTerminals(hall));
  const agent = await startAgent(hall, agentManner, { RAW: '1', ASK: '1' });
  const starter = record({ id: agent.id, entry: 'claude', command: ['claude'] });
  const mo = terminalIdSchema.parse('mo-20261122-101600-bbbb');
  const started = record({ id: mo, startedBy: { kind: 'terminal', id: starter.id } });
  const desk = createDesk();
  desk.records.set(starter.id, starter);
  const clock = handClock();
  const ctx = {
    desk,
    clock,
    log: silentLog,
    terminals: { now: () => hall.terminals },
    conversing: { of: () => null },
  } as unknown as TerminalsFeatureContext;
  const tell = async (turn: number): Promise<void> =>
    await notifyOfTurn(ctx, started, { id: `finished-${turn}`, text: `[guild-hall] Turn ${turn}.` });
  const waiting = (): number => statusOf(hall.terminals, starter.id).waiting;
  for (let turn = 1; turn <= 30; turn += 1) await tell(turn);
  expect(waiting()).toBe(1);
  await clock.pass(11 * 60_000);
  await tell(31);
  // Told again, as after a refusal.
  await tell(31);
  expect(waiting()).toBe(1);
  await waitUntil(() => statusOf(hall.terminals, starter.id).status === 'dialog');
  await typeInto(hall.terminals, starter.id, 'y');
  await waitUntil(() => agent.taken().length === 1);
  expect(agent.taken()).toEqual(['[guild-hall] Turn 31.']);
  const said = [...hall.terminals.live.get(starter.id)!.ledger.messages.values()].map(({ message: { text } }) => text);
  expect(said).toHaveLength(21);
  expect(said[19]).toBe('[guild-hall] Turn 20. It finishes so many that no more are told for some minutes.');
});
