import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { parseConfig } from './parse-config.ts';
import { readShape, type Reading, type Shape } from './shape.ts';

function problemsOf(source: string): string[] {
  return parseConfig(source, '/h/config.yaml').problems.map(
    ({ line, column, message }) => `${line}:${column} ${message}`,
  );
}

test.each([
  ['not a url', '"not a url"'],
  ['http://', '"http://"'],
  ['https://me:hidden@host/x', '"https://[kept back]@host/x"'],
])('the address %s costs its model only, and is named with its place [SYS-CONFIG]', (address, shown) => {
  const model = (name: string, baseUrl: string): string =>
    `  - name: ${name}\n    modelId: m\n    baseUrl: ${baseUrl}\n    auth: { kind: none }\n`;
  const source = `port: 4000\nmodels:\n${model('bad', address)}${model('good', 'http://127.0.0.1:1')}`;
  const { config } = parseConfig(source, '/h/config.yaml');
  expect(config?.port).toBe(4000);
  expect(config?.models.map(({ name }) => name)).toEqual(['good']);
  expect(problemsOf(source)).toEqual([
    '3:5 `models[1]` is left out: its `baseUrl` cannot be used.',
    `5:14 \`models[1].baseUrl\` is ${shown}; expected an address that begins with http:// or https:// and holds no password.`,
  ]);
});

test('a check that throws has found its setting wrong, and nothing else', () => {
  const throwing = z.unknown().refine(() => {
    throw new TypeError('unforeseen');
  });
  const document = parseDocument('a: 1\nb: 2\n');
  const reading: Reading = { document, findings: [], offsets: new Map() };
  const value = (schema: z.ZodType): Shape => ({ is: 'value', schema, expected: 'nothing' });
  const fields = { a: value(throwing), b: value(z.int()) };
  expect(readShape(reading, { is: 'fields', fields }, document.contents, '')).toEqual({ b: 2 });
  expect(reading.findings).toEqual([{ offset: 3, message: '`a` is 1; expected nothing.' }]);
});
