/** The line at the foot of a terminal, with streams in the place of one. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openLine } from './line-input.ts';

function open() {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { columns: 40 });
  const told: string[] = [];
  const line = openLine(
    { input, output, onInterrupt: () => told.push('interrupted') },
    {
      onLine: (text) => told.push(`line ${text}`),
      onTyping: () => told.push('typing'),
      onEnd: () => told.push('end'),
    },
  );
  const type = async (keys: string): Promise<void> => {
    input.write(keys);
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  };
  return { line, told, type, written: () => String(output.read() ?? '') };
}

test('what is half typed stays below what comes, and the question can change', async () => {
  const { line, told, type, written } = open();
  await type('hel');
  expect(told).toEqual(['typing', 'typing', 'typing']);
  written();
  line.print('Ada (1)\n');
  const printed = written();
  expect(printed.indexOf('Ada (1)\n')).toBeGreaterThan(-1);
  expect(printed.slice(printed.indexOf('Ada (1)\n'))).toContain('> hel');
  line.ask('your turn > ');
  expect(written()).toContain('your turn > hel');
  line.ask('your turn > ');
  expect(written()).toBe('');
  await type('lo\r');
  expect(told.at(-1)).toBe('line hello');
});

test('a line of several rows is taken away whole, and drawn below what came', async () => {
  const { line, type, written } = open();
  await type('word '.repeat(12));
  written();
  line.print('Ada (1)\n');
  const [before = '', after = ''] = written().split('Ada (1)\n');
  expect(before).toContain('\u001b[1A');
  // Going up here would write over what came.
  expect(after).not.toContain('\u001b[1A');
  expect(after).toContain('> word word');
});

test('pasted lines are one text; Ctrl-C and Ctrl-D are told; after it is closed, text is still printed', async () => {
  const { line, told, type, written } = open();
  await type('one\rtwo\r');
  expect(told.filter((each) => each.startsWith('line'))).toEqual(['line one\ntwo']);
  await type('\u0003');
  expect(told.at(-1)).toBe('interrupted');
  await type('\u0004');
  expect(told.at(-1)).toBe('end');
  written();
  line.print('later\n');
  expect(written()).toBe('later\n');
});
