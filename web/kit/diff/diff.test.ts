import { expect, test } from 'vitest';
import { readDiff, sayStatus } from './diff.ts';

const text = `diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,3 +1,4 @@
 one
-two
+Two
+--- not a head
 three
@@ -20 +21 @@ function later() {
-old
\\ No newline at end of file
+new
`;

test('A diff is read as lines with their numbers in both texts', () => {
  expect(readDiff(text).map(({ kind, before, after, text: words }) => [kind, before, after, words])).toEqual([
    ['begin', null, null, ''],
    ['same', 1, 1, 'one'],
    ['removed', 2, null, 'two'],
    ['added', null, 2, 'Two'],
    ['added', null, 3, '--- not a head'],
    ['same', 3, 4, 'three'],
    ['gap', null, null, 'function later() {'],
    ['removed', 20, null, 'old'],
    ['note', null, null, 'No newline at end of file'],
    ['added', null, 21, 'new'],
  ]);
});

test('Nothing is read of nothing', () => {
  expect(readDiff('')).toEqual([]);
});

test.each([
  ['A', 'new'],
  ['M', 'changed'],
  ['D', 'deleted'],
  ['R100', 'moved'],
  ['?', 'changed'],
])('%s is said as %s', (letter, word) => {
  expect(sayStatus(letter)).toBe(word);
});
