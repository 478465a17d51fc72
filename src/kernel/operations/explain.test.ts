import { expect, test } from 'vitest';
import { z } from 'zod';
import { projectNameSchema } from '../pure/ids.ts';
import { explainIssues, summaryOf } from './explain.ts';

const schema = z.strictObject({
  name: projectNameSchema.optional(),
  worker: z.string(),
  message: z.string().min(1).optional(),
  agenda: z
    .string()
    .refine((text) => text.trim() !== '', 'must say something')
    .optional(),
});

test.each([
  [
    { worker: 'x', name: 'A b' },
    '"name" cannot be "A b": a project name has only lower-case letters, digits and hyphens, like researcher-20260214-093000-k3f9.',
  ],
  [
    { worker: 'x', name: 'a'.repeat(101) },
    /^"name" cannot be "a+"… \(101 characters\): a project name has at most 100/,
  ],
  [{ worker: 'x', message: '' }, '"message" must not be empty.'],
  [{ worker: 'x', agenda: ' ' }, '"agenda" must say something.'],
  [{}, '"worker" is missing.'],
  [{ worker: 7 }, '"worker": expected text, given 7.'],
])('%j', (given, sentence) => {
  const { summary } = explainIssues(schema.safeParse(given).error!, given);
  expect(summary).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});

test('of a missing field it is said what it is for', () => {
  const { fields } = explainIssues(schema.safeParse({}).error!, {});
  const spoken = summaryOf(
    fields,
    (field) => `--${field}`,
    () => 'whom to meet; see: guild-hall worker list',
  );
  expect(spoken).toBe('--worker is missing (whom to meet; see: guild-hall worker list).');
});
