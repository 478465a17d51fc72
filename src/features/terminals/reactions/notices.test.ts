import { expect, test } from 'vitest';
import type { TerminalsFeatureContext } from '../context.ts';
import { createDesk } from '../context.ts';
import { terminalIdSchema } from '../contract.ts';
import type { TerminalRecord } from '../store.ts';
import { notifyStarter } from './notices.ts';

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
