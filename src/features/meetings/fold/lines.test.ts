import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounded, wellFormed } from '../../../kernel/pure/text.ts';
import { boundedInput, boundedSummary, oneLine, toolLine } from './lines.ts';

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', minLength: 280, maxLength: 700 }));

test('short forms are bounded, have a form in UTF-8, and applied again change nothing', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 60, max: 400 }), (text, limit) => {
      for (const shorten of [(given: string) => oneLine(given, limit), (given: string) => bounded(given, limit)]) {
        const short = shorten(text);
        expect(short.length).toBeLessThanOrEqual(limit);
        expect(shorten(short)).toBe(short);
      }
      expect(oneLine(text, limit)).not.toMatch(/[\n\r\u2028]/);
      const kept = wellFormed(text);
      expect(Buffer.from(kept).toString('utf8')).toBe(kept);
    }),
  );
  expect(boundedSummary('x'.repeat(5000))).toMatch(/^x+… \(5000 characters in all\)$/);
});

test('an input of any kind is bounded, plain JSON, and bounded again the same', () => {
  const deep = (value: unknown, depth: number): unknown => (depth === 0 ? value : { a: deep(value, depth - 1) });
  const inputs = fc.oneof(
    fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true, maxDepth: 4 }),
    fc.jsonValue({ maxDepth: 8 }),
    fc.record({ path: texts, content: fc.constant('line\n'.repeat(10_000)) }),
    fc.array(texts, { minLength: 60, maxLength: 80 }),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      const short = boundedInput(input);
      expect(JSON.stringify(short).length).toBeLessThanOrEqual(2000);
      expect(boundedInput(JSON.parse(JSON.stringify(short)))).toEqual(JSON.parse(JSON.stringify(short)));
    }),
  );
  expect(boundedInput(undefined)).toBeNull();
  expect(JSON.stringify(boundedInput(deep('x', 1000)))).toBe('{"a":{"a":{"a":{"a":{"a":"…"}}}}}');
  expect(boundedInput({ path: '.lore/a.md', content: 'x'.repeat(1000) })).toMatchObject({ path: '.lore/a.md' });
});

test('a call is one quiet line, with and without what came of it', () => {
  const call = { name: 'Grep', input: { pattern: 'a\nb', path: 'src' }, result: null };
  expect(toolLine(call, false)).toBe('Grep "a\\nb"');
  expect(toolLine(call, true)).toBe('Grep "a\\nb": no result');
  expect(toolLine({ ...call, result: { ok: true, summary: '3\nlines' } }, true)).toBe('Grep "a\\nb": 3 lines');
  expect(toolLine({ ...call, result: { ok: false, summary: 'gone' } }, true)).toBe('Grep "a\\nb": failed: gone');
  expect(toolLine({ name: 'Think', input: 7, result: null }, false)).toBe('Think');
});
