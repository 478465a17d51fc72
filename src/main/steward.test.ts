import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { commissionCreate } from '../features/commissions/descriptions.ts';
import { createStewardToolbox } from '../features/steward/toolbox.ts';
import { activityIdSchema, projectNameSchema } from '../kernel/pure/ids.ts';

test('wherever a commission is written, the outcome and the check are asked for [COM-3]', () => {
  const root = join(import.meta.dirname, '../..');
  const activity = { project: projectNameSchema.parse('shop'), kind: 'meeting', id: activityIdSchema.parse('talk-1') };
  const tools = createStewardToolbox({ call: async () => ({}) }, activity);
  const { prompt } = (commissionCreate.input as z.ZodObject<{ prompt: z.ZodType }>).shape;
  const tool = tools.find(({ name }) => name === 'create_commission')!;
  const posture = readFileSync(join(root, 'workers/manager/posture.md'), 'utf8');
  const form = readFileSync(join(root, 'web/pages/commission/commission-fields.tsx'), 'utf8');
  for (const words of [prompt.description, tool.description, posture]) {
    expect(words).toMatch(/outcome|in the end/i);
    expect(words).toMatch(/how the worker can check/i);
  }
  expect(form).toMatch(/outcome|in the end/i);
  expect(form).toMatch(/check/i);
  for (const { name } of tools) expect(posture).toContain(`\`${name}\``);
});
