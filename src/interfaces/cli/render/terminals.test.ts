import { expect, test } from 'vitest';
import { type TerminalView, terminalViewSchema } from '../../../features/terminals/contract.ts';
import { createTerminal } from '../terminal.ts';
import { terminalRenderers } from './terminals.ts';

const wide = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
const narrow = createTerminal({ out: { write: () => {}, isTTY: true, columns: 60 }, err: { write: () => {} } }, {});
const mo: TerminalView = terminalViewSchema.parse({
  id: 'mo-20260301-093000-k3f9',
  name: 'Mo',
  entry: null,
  command: ['node', '/a/path/that/is/longer/than/what/a/column/holds/of/it.mjs'],
  project: 'shop',
  cwd: '/shop',
  status: 'idle',
  question: null,
  since: '2026-03-01T09:30:00.000Z',
  sandbox: { kind: 'none', reason: 'Only agents run in one.' },
  startedBy: { kind: 'person', id: null },
  toAgents: false,
  startedAt: '2026-03-01T09:30:00.000Z',
  end: null,
  conversation: null,
  waiting: 0,
});
const show = (name: string, answer: unknown, term = wide): string => terminalRenderers[name]!(answer as never, term);

test('a list says first who, and how it is: also in a narrow window', () => {
  const answer = { terminals: [{ ...mo, waiting: 1 }], entries: [], problems: [] };
  expect(show('terminal.list', answer)).toMatch(/^name  state   entry .*\nMo {4}○ idle  node .* 1 message waits\n$/);
  expect(show('terminal.list', answer, narrow)).toMatch(/^Mo {2}○ idle {2}node .*\n {2}1 message waits\n$/);
});

test('an empty list says how to start one, and where the ended ones are', () => {
  const answer = { terminals: [], entries: [{ name: 'claude', about: '' }], problems: [] };
  const said = show('terminal.list', answer);
  expect(said).toContain('guild-hall terminal start --name Mo -- claude');
  expect(said).toContain('guild-hall terminal list --all');
});

test('one that ended as soon as it was started is not to be sat down at', () => {
  const ended = { ...mo, status: 'ended', end: { exitCode: 3, at: mo.since }, lastLines: ['It cannot be.'] };
  expect(show('terminal.start', mo)).toContain('Sit down at it: guild-hall terminal attach Mo');
  const said = show('terminal.start', ended);
  expect(said).toContain('– ended (3)  Mo');
  expect(said).toContain('│ It cannot be.');
  expect(said).toContain('What it showed: guild-hall terminal show mo-20260301-093000-k3f9');
  expect(said).not.toContain('attach');
});

test('what waits for it is said where it is shown', () => {
  const shown = { ...mo, waiting: 2, screen: { lines: ['$'] }, choices: [] };
  expect(show('terminal.show', shown)).toContain('no sandbox; 2 messages wait\n');
});
