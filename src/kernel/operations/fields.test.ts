import { expect, test } from 'vitest';
import { z } from 'zod';
import { fieldsOf, valueOfWords } from './fields.ts';

const input = z.strictObject({
  name: z.string().meta({ isOnce: true }).describe('whose'),
  count: z.int().default(3),
  ratio: z.number().nullable().optional(),
  dry: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
  moods: z.array(z.enum(['glad', 'grave'])).optional(),
  scores: z.array(z.number().min(1)).optional(),
  kind: z.enum(['a', 'b']).optional().describe('which kind'),
  rest: z.record(z.string(), z.unknown()).optional(),
  folder: z.string().meta({ isPath: true }).describe('where').optional(),
  slug: z.string().transform((text) => text.trim()),
});

const fields = fieldsOf({ input });
const field = (name: string) => fields.find((each) => each.name === name)!;

test('reads kinds, defaults, choices and help through every layer', () => {
  expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['name', 'text', true],
    ['count', 'number', false],
    ['ratio', 'number', false],
    ['dry', 'boolean', false],
    ['tags', 'list', false],
    ['moods', 'list', false],
    ['scores', 'list', false],
    ['kind', 'text', false],
    ['rest', 'json', false],
    ['folder', 'text', false],
    ['slug', 'text', true],
  ]);
  expect(field('count').fallback).toBe(3);
  expect(field('kind')).toMatchObject({ choices: ['a', 'b'], help: 'which kind' });
  // Of a list those of its entries.
  expect(field('moods')).toMatchObject({ choices: ['glad', 'grave'] });
  expect(field('folder')).toMatchObject({ isPath: true, help: 'where' });
  expect(field('name').isPath).toBe(false);
  expect(field('name')).toMatchObject({ help: 'whose', isOnce: true });
  expect(field('slug').isOnce).toBe(false);
  expect(fieldsOf({ input: z.string() })).toEqual([]);
});

test.each([
  ['count', ['12'], 12],
  ['count', ['-1.5'], -1.5],
  ['count', ['twelve'], 'twelve'],
  ['count', [''], ''],
  ['dry', [''], true],
  ['dry', ['false'], false],
  ['dry', ['maybe'], 'maybe'],
  ['name', ['12'], '12'],
  ['name', ['a', 'b'], 'b'],
  ['tags', ['a', '12'], ['a', '12']],
  ['scores', ['1', 'x'], [1, 'x']],
  ['rest', ['{"a":1}'], { a: 1 }],
  ['rest', ['{'], '{'],
])('%s of %j is %j', (name, words, expected) => {
  expect(valueOfWords(field(name), words)).toEqual(expected);
});
