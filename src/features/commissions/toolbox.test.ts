import { expect, test } from 'vitest';
import { createCommissionToolbox } from './toolbox.ts';
import { toolLimitMs } from './worker/tool-limits.ts';

const tools = createCommissionToolbox({
  report: async () => {},
  ask: async () => await Promise.resolve('q1.1'),
  submit: async () => await Promise.resolve({ outcome: 'already' as const }),
});
const helpOf = (name: string): string => tools.find((tool) => tool.name === name)!.description;

test('a worker can report, ask and submit, and has no verb for its own state or for others', () => {
  expect(tools.map(({ name }) => name)).toEqual(['report_progress', 'log_question', 'submit_result']);
  expect(tools.flatMap(({ input }) => Object.keys(input))).toEqual(['summary', 'question', 'summary', 'artifacts']);
});

test('the help asks for reports in long work, and for a check before the result', () => {
  expect(helpOf('report_progress')).toMatch(/every few minutes in long work/);
  expect(helpOf('submit_result')).toMatch(/check it against the criteria.*log_question/);
});

test('a call of a tool counts as life up to its own limit', () => {
  expect(toolLimitMs('Read', {})).toBe(180_000);
  expect(toolLimitMs('Bash', { command: 'x' })).toBe(150_000);
  expect(toolLimitMs('Bash', { command: 'x', timeout: 600_000 })).toBe(630_000);
  expect(toolLimitMs('Bash', { timeout: 1e12 })).toBe(630_000);
  expect(toolLimitMs('build_everything', null)).toBe(1_800_000);
});
