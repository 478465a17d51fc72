import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { awaitedFor, heardIn, joined } from './echo.ts';
import { newLines } from './growth.ts';
import { noPassages, withPassage } from './passages.ts';

describe('new lines of a screen', () => {
  test.each([
    ['added at the end', ['a', '>'], ['a', '>', 'b', 'c'], ['b', 'c']],
    ['put before the prompt', ['a', '>'], ['a', 'b', '>'], ['b']],
    ['drawn again', ['a', 'b', 'c'], ['a', 'b', 'c'], []],
    ['scrolled, and one more', ['a', 'b', 'c'], ['b', 'c', 'd'], ['d']],
    ['cleared', ['a', 'b', 'c'], [], []],
    ['a line written over', ['a', 'spin 1', 'c'], ['a', 'spin 2', 'c'], ['spin 2']],
    ['the same word once more', ['yes', '>'], ['yes', 'yes', '>'], ['yes']],
    ['nothing before', [], ['a'], ['a']],
  ])('%s', (_name, before, after, expected) => {
    expect(newLines(before, after)).toEqual(expected);
  });

  test('what is put in is found, and never what stayed', () => {
    const line: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', '');
    const lines = fc.array(line, { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = newLines(before, after);
        // The rest of `after` stands in `before`, in order.
        let at = 0;
        const rest = [...after];
        for (const one of found.toReversed()) rest.splice(rest.lastIndexOf(one), 1);
        expect(found.length).toBeGreaterThanOrEqual(after.length - before.length);
        while (at < rest.length && before.includes(rest[at]!)) at += 1;
        expect(at).toBe(rest.length);
      }),
    );
  });

  test('two screens that have nothing in common are told apart soon', () => {
    const before = Array.from({ length: 1_100 }, (_, n) => `old ${n}`);
    const after = Array.from({ length: 1_100 }, (_, n) => `new ${n}`);
    expect(newLines(before, after)).toHaveLength(1_100);
  });
});

describe('what was said on a screen', () => {
  const typed = 'Mo (1): ⏎  ⏎ What do you think of it?';
  const passages = withPassage(noPassages, 'Mo (1):\n\nWhat do you think of it?');
  const manner = { isNoise: (line: string) => /^─+$/.test(line), plain: (line: string) => line.replace(/^● /, '') };

  test.each([
    ['behind a prompt', [`$ ${typed}`, 'I like it.'], ['I like it.']],
    ['in a frame', ['│ > What do you think of it?   │', '● I like it.'], ['I like it.']],
    ['with rules around', ['────', 'I like it.', '────'], ['I like it.']],
    ['drawn again by a full-screen program', ['What do you think of it?', 'I like it.'], ['I like it.']],
    ['an answer that only looks like it', ['What do you think?'], ['What do you think?']],
  ])('without the echo %s', (_name, lines, expected) => {
    expect(heardIn(lines, manner, passages, awaitedFor(typed)).lines).toEqual(expected);
  });

  test('a short word is an echo as often as it was typed', () => {
    const yes = withPassage(noPassages, 'yes');
    const first = heardIn(['> yes', 'yes'], {}, yes, awaitedFor('yes'));
    expect(first).toEqual({ lines: ['yes'], awaited: [] });
    expect(heardIn(['yes'], {}, yes, first.awaited).lines).toEqual(['yes']);
    expect(heardIn(['> 👍', 'fine'], {}, withPassage(noPassages, '👍'), awaitedFor('👍')).lines).toEqual(['fine']);
  });

  test('a pass that another said before is said again, once the echo of all that was typed has been seen', () => {
    const pass = 'I pass the piece to Cyd';
    const earlier = withPassage(noPassages, `Bo (2):\n\nI like it.\n${pass}`);
    const now = withPassage(earlier, 'The piece is now with Ada (1)');
    const shown = ['$ The piece is now with Ada (1)', 'So do I.', pass];
    const awaited = awaitedFor('The piece is now with Ada (1)');
    expect(heardIn(shown, {}, now, awaited).lines).toEqual(['So do I.', pass]);
    // Shown twice, a message that is one line stays an echo; and so does everything while an echo is awaited.
    expect(heardIn(['$ The piece is now with Ada (1)', ...shown], {}, now, awaited).lines).toEqual(['So do I.', pass]);
    expect(heardIn(['So do I.', pass], {}, now, awaited).lines).toEqual(['So do I.']);
  });

  test('lines are joined without blank ones around', () => {
    expect(joined(['', 'a  ', '', '', '', '  b', ''])).toBe('a\n\n  b');
  });
});

test('a line of many blanks is listened to within the limit of a test', { timeout: 10_000 }, () => {
  const line = `x${' '.repeat(300_000)}y`;
  const many = Array.from({ length: 2_000 }, (_, at) => `typed ${at}`);
  expect(heardIn([line], {}, noPassages, many).lines).toEqual([line]);
});
