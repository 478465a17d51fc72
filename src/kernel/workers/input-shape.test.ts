import { expect, test } from 'vitest';
import { z } from 'zod';
import { shapeOfInput } from './input-shape.ts';

test('zod shapes and zod objects are taken as they are', () => {
  const shape = { a: z.string() };
  expect(shapeOfInput(shape)).toEqual(shape);
  expect(shapeOfInput(z.object(shape))).toEqual(shape);
  expect(shapeOfInput(undefined)).toEqual({});
  expect(shapeOfInput({})).toEqual({});
});

test('a JSON schema of an object becomes a shape', () => {
  const shape = shapeOfInput({
    type: 'object',
    properties: { count: { type: 'integer', minimum: 1 }, list: { type: 'array', items: { $ref: '#/$defs/word' } } },
    required: ['count'],
    additionalProperties: false,
    $defs: { word: { type: 'string', enum: ['a', 'b'] } },
  });
  const input = z.strictObject(shape!);
  expect(input.safeParse({ count: 1, list: ['a'] }).success).toBe(true);
  expect(input.safeParse({ count: 0 }).success).toBe(false);
  expect(input.safeParse({ count: 1, list: ['c'] }).success).toBe(false);
});

test.each([
  z.string(),
  'text',
  7,
  { type: 'array' },
  { type: 'object', properties: { a: { $ref: '#/nowhere' } } },
  { a: { _def: {} } },
])('%o is no input of a tool', (input) => {
  expect(shapeOfInput(input)).toBeUndefined();
});
