import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDiff } from '../../../kit/diff/diff.ts';
import { fileOf } from './unified.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');

test('what changed stands between the lines around it', () => {
  const before = lines('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n');
  const after = before.replace('b\n', 'B\n').replace('m\n', 'm\nM\n');
  const file = fileOf({ path: '/p/a.ts', oldText: before, newText: after }, 'a.ts');
  expect(file).toMatchObject({ path: 'a.ts', status: 'M', added: 2, removed: 1, isCut: false });
  expect(file.text).toBe('@@ -1,5 +1,5 @@\n a\n-b\n+B\n c\n d\n e\n@@ -11,4 +11,5 @@\n k\n l\n m\n+M\n n\n');
});

test('a new file is added whole, and the same text has no changes', () => {
  expect(fileOf({ path: 'a', oldText: null, newText: 'x\ny' }, 'a')).toMatchObject({
    status: 'A',
    added: 2,
    removed: 0,
  });
  expect(fileOf({ path: 'a', oldText: 'x\n', newText: 'x\n' }, 'a')).toMatchObject({ text: '', added: 0, removed: 0 });
});

test('from the hunks both texts can be had again, as far as they are in them', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', ' x'), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [oldText, newText] = [lines(...before), lines(...after)];
      const read = readDiff(fileOf({ path: 'a', oldText, newText }, 'a').text);
      for (const line of read) {
        if (line.before !== null) expect(before[line.before - 1]).toBe(line.text);
        if (line.after !== null) expect(after[line.after - 1]).toBe(line.text);
      }
      const { added, removed } = fileOf({ path: 'a', oldText, newText }, 'a');
      expect(before.length - removed + added).toBe(after.length);
    }),
  );
});

test('very long texts are compared as one piece, at once', () => {
  const many = (word: string) => lines(...Array.from({ length: 4000 }, (_, nth) => `${word} ${nth}`));
  const file = fileOf({ path: 'a', oldText: many('a'), newText: many('b') }, 'a');
  expect(file).toMatchObject({ added: 4000, removed: 4000 });
});
