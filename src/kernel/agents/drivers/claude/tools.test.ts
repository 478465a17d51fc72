import { expect, test } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../../log/log.ts';
import { fail } from '../../../pure/errors.ts';
import { defineTool } from '../../tools.ts';
import { callTool, maxToolOutput } from './tools.ts';

const ctx = { log: silentLog };

async function call(run: (input: { text: string }) => Promise<{ text: string; isError?: boolean }>, input: unknown) {
  const tool = defineTool({ name: 'note', description: 'Notes.', input: { text: z.string().min(1) }, run });
  const result = await callTool(ctx, tool, 'note', input);
  return {
    isError: result.isError,
    text: result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  };
}

test('the tool runs on checked input', async () => {
  expect(await call(async ({ text }) => ({ text: `kept ${text}` }), { text: 'a' })).toEqual({
    isError: false,
    text: 'kept a',
  });
  expect(await call(async () => ({ text: 'no', isError: true }), { text: 'a' })).toEqual({ isError: true, text: 'no' });
});

test.each([{}, { text: '' }, { text: 5 }, { text: 'a', extra: 1 }])(
  'input that is not right is refused with a word on why: %j',
  async (input) => {
    const result = await call(async () => expect.unreachable('the tool must not run'), input);
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/^The input of note is not right\. Correct it and call again\.\n[^]*(at text|"extra")/);
  },
);

test('a refusal reaches the model with its hint, a fault without its details', async () => {
  const refused = await call(
    async () => {
      throw fail('conflict', 'There is no room.', 'Make room.');
    },
    { text: 'a' },
  );
  expect(refused).toEqual({ isError: true, text: 'There is no room.\nMake room.' });
  const broken = await call(
    async () => {
      throw new TypeError('x is not a function');
    },
    { text: 'a' },
  );
  expect(broken).toMatchObject({
    isError: true,
    text: expect.stringContaining('Something went wrong inside the hall'),
  });
});

test('output is cut with a mark at the longest length', async () => {
  const { text } = await call(async () => ({ text: 'x'.repeat(maxToolOutput + 1) }), { text: 'a' });
  expect(text.length).toBe(maxToolOutput);
  expect(text).toContain(`[cut: the whole is ${maxToolOutput + 1} characters`);
});

test('an unknown tool is named', async () => {
  expect((await callTool(ctx, undefined, 'nope', {})).content).toEqual([
    { type: 'text', text: 'There is no tool "nope".' },
  ]);
});
