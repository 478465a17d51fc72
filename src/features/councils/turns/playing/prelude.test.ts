/** How the rehearsal names things. */
import { expect, test } from 'vitest';
import { topicOf, withoutMarks } from './prelude.ts';

test.each([
  ['Shall the parser refuse empty lines?', 'the parser'],
  ['Are the pages accessible by keyboard?', 'the pages'],
  ['How should tokens expire?', 'the tokens'],
  ['Decide the retry policy of uploads.', 'the retry policy'],
  ['Retry policy: what is enough?', 'the retry policy'],
  ['Why?', 'this'],
])('%j is about %j', (charter, topic) => {
  expect(topicOf(charter)).toBe(topic);
});

test.each([
  ['/** A way to deal with an item. */', 'A way to deal with an item.'],
  ['  // Not every browser does.', 'Not every browser does.'],
  [' * It goes on `here`.', 'It goes on here.'],
  ['return a * b; // product', 'return a * b; // product'],
])('%j is quoted as %j', (line, words) => {
  expect(withoutMarks(line)).toBe(words);
});
