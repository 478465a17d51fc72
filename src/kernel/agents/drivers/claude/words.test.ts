import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapStream, newWords, takeWhole, type Words } from './words.ts';

type Streamed = Parameters<typeof mapStream>[1];

function stream(words: Words, event: object, more: object = {}): string {
  const events = mapStream(words, { type: 'stream_event', parent_tool_use_id: null, event, ...more } as Streamed);
  return events.map((given) => (given.type === 'text' ? given.text : '')).join('');
}

const start = (words: Words, id: string): string => stream(words, { type: 'message_start', message: { id } });
const piece = (words: Words, text: string, index = 0): string =>
  stream(words, { type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const stop = (words: Words, from?: number): string =>
  stream(words, { type: 'message_stop' }, from === undefined ? {} : { abandoned_blocks: { from_block_index: from } });
const whole = (words: Words, id: string, text: string): string =>
  takeWhole(words, id, text)
    .map((given) => (given.type === 'text' ? given.text : ''))
    .join('');

test('what was streamed is not given again by the whole message, whatever its ids', () => {
  const words = newWords();
  expect(start(words, 'same') + piece(words, 'ab') + whole(words, 'same', 'ab') + stop(words)).toBe('ab');
  expect(start(words, 'same') + piece(words, 'ab') + whole(words, 'same', 'ab') + stop(words)).toBe('ab');
});

test('two tries break, each at another place, and the third succeeds', () => {
  const words = newWords();
  const said = [start(words, '1'), piece(words, 'one two'), stop(words, 0)];
  said.push(start(words, '2'), piece(words, 'one'), stop(words, 0));
  said.push(start(words, '3'), piece(words, 'one tw'), piece(words, 'o three'), stop(words));
  expect(said.join('')).toBe('one two three');
});

test('a break that nobody announced is seen at the next start', () => {
  const words = newWords();
  expect(start(words, '1') + piece(words, 'one') + start(words, '2') + piece(words, 'one two')).toBe('one two');
});

test('only the blocks that were abandoned are said again', () => {
  const words = newWords();
  const said = [start(words, '1'), piece(words, 'kept. '), piece(words, 'lost', 1), stop(words, 1)];
  said.push(start(words, '2'), piece(words, 'lost and found'), stop(words));
  expect(said.join('')).toBe('kept. lost and found');
});

test('a try that says less ends the comparison with its message', () => {
  const words = newWords();
  const said = [start(words, '1'), piece(words, 'one two'), stop(words, 0), whole(words, '2', 'one')];
  said.push(start(words, '3'), piece(words, 'one more'), stop(words));
  expect(said.join('')).toBe('one twoone more');
});

test('however an answer is cut and tried again, the reader has it once', () => {
  const texts = fc.string({ minLength: 1, maxLength: 30 });
  const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 4 });
  fc.assert(
    fc.property(texts, cuts, fc.integer({ min: 1, max: 5 }), fc.boolean(), (text, breaks, size, endsWhole) => {
      const words = newWords();
      let given = '';
      const speak = (part: string): void => {
        for (let at = 0; at < part.length; at += size) given += piece(words, part.slice(at, at + size));
      };
      for (const [index, cut] of breaks.entries()) {
        given += start(words, `try-${index}`);
        speak(text.slice(0, cut));
        given += stop(words, 0);
      }
      if (endsWhole) given += whole(words, 'last', text);
      else {
        given += start(words, 'last');
        speak(text);
        given += whole(words, 'last', text) + stop(words);
      }
      expect(given).toBe(text);
    }),
  );
});
