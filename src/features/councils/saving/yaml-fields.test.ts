import { expect, test } from 'vitest';
import { parseYamlFields } from './yaml-fields.ts';

test('fields are read whatever form they have; a field that stands twice is named with its line', () => {
  expect(parseYamlFields('a: 1\nb: [x, y]\n', 'the payload')).toEqual({ a: 1, b: ['x', 'y'] });
  expect(parseYamlFields('', 'the payload')).toEqual({});
  expect(() => parseYamlFields('- a\n', 'the payload')).toThrow('The YAML of the payload cannot be read at line 1.');
  expect(() => parseYamlFields('a: 1\nb: 2\na: 3\n', 'the payload')).toThrow('at line 3.');
});

test('very many fields are no work of minutes', () => {
  const text = Array.from({ length: 30_000 }, (_, at) => `k${at}: 1\n`).join('');
  expect(Object.keys(parseYamlFields(text, 'the payload'))).toHaveLength(30_000);
});
