import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { activityIdSchema, projectNameSchema, workerNameSchema } from '../../kernel/pure/ids.ts';
import { commissionCreate } from '../commissions/descriptions.ts';
import { createStewardToolbox } from './toolbox.ts';
import { stewardToolboxes } from './toolboxes.ts';

const activity = {
  project: projectNameSchema.parse('shop'),
  kind: 'meeting',
  id: activityIdSchema.parse('talk-1'),
};
const desk = { call: async () => ({}) };

test('the hall gives the toolbox to the one worker of its name, and knows no other', () => {
  const toolboxes = stewardToolboxes(() => desk);
  const named = (worker: string, name = 'manager') =>
    toolboxes(name, { worker: workerNameSchema.parse(worker), activity });
  expect(named('manager')?.map(({ name }) => name)).toEqual([
    'see_work',
    'create_commission',
    'dispatch_commission',
    'cancel_commission',
    'request_meeting',
    'propose_pull_request',
  ]);
  expect(named('researcher', 'other')).toBeUndefined();
  expect(() => named('researcher')).toThrow('gives to the worker "manager" alone');
});

test('no tool opens a meeting, merges, answers, reviews or speaks to a running worker [MTG-3.2, COM-C5]', async () => {
  const called: string[] = [];
  const tools = createStewardToolbox(
    {
      call: async (operation) => {
        called.push(operation);
        throw new Error('seen');
      },
    },
    activity,
  );
  const inputs = [{}, { id: 'k3f9' }, { worker: 'writer', title: 'T', prompt: 'P' }, { reason: 'R', id: 'k3f9' }];
  const more = [...inputs, { worker: 'writer', agenda: 'A' }, { title: 'T', text: '' }];
  for (const tool of tools) for (const input of more) await expect(tool.run(input)).rejects.toThrow('seen');
  expect([...new Set(called)].toSorted()).toEqual([
    'briefing.show',
    'commission.cancel',
    'commission.create',
    'commission.dispatch',
    'commission.show',
    'delivery.propose',
    'meeting.request',
  ]);
});

test('wherever a commission is written, the outcome and the check are asked for [COM-3]', () => {
  const root = join(import.meta.dirname, '../../..');
  const { prompt } = (commissionCreate.input as z.ZodObject<{ prompt: z.ZodType }>).shape;
  const tool = createStewardToolbox(desk, activity).find(({ name }) => name === 'create_commission')!;
  const posture = readFileSync(join(root, 'workers/manager/posture.md'), 'utf8');
  const form = readFileSync(join(root, 'web/pages/commission/commission-fields.tsx'), 'utf8');
  for (const words of [prompt.description, tool.description, posture]) {
    expect(words).toMatch(/outcome|in the end/i);
    expect(words).toMatch(/how the worker can check/i);
  }
  expect(form).toMatch(/outcome|in the end/i);
  expect(form).toMatch(/check/i);
  for (const { name } of createStewardToolbox(desk, activity)) expect(posture).toContain(`\`${name}\``);
});
