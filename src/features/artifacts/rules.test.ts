import { expect, test } from 'vitest';
import {
  activityOfTrailer,
  artifactOfField,
  artifactOfLink,
  isArtifactPath,
  keepLineEnds,
  mentionOf,
  mentionsIn,
} from './rules.ts';

test.each([
  ['../specs/a.md', '.lore/specs/a.md'],
  ['b.md#part', '.lore/notes/b.md'],
  ['./b.md?x=1', '.lore/notes/b.md'],
  ['.lore/specs/a.md', '.lore/specs/a.md'],
  ['/.lore/specs/a.md', '.lore/specs/a.md'],
  ['my%20file.md', '.lore/notes/my file.md'],
  ['100%.md', '.lore/notes/100%.md'],
  ['../../README.md', undefined],
  ['../../../../etc/x.md', undefined],
  ['https://example.com/a.md', undefined],
  ['//example.com/a.md', undefined],
  ['javascript:alert(1).md', undefined],
  ['a.txt', undefined],
  ['#part', undefined],
  ['', undefined],
  ['..\\specs\\a.md', undefined],
  ['%2e%2e/specs/a.md', '.lore/specs/a.md'],
])('a link to %j in .lore/notes/x.md names %j', (target, path) => {
  expect(artifactOfLink('.lore/notes/x.md', target)).toBe(path);
});

test.each([
  ['.lore/specs/a.md', '.lore/specs/a.md'],
  [' .lore//specs/./a.md ', '.lore/specs/a.md'],
  ['../specs/a.md', '.lore/specs/a.md'],
  ['src/main.ts', undefined],
  ['README.md', undefined],
  ['.lore/../README.md', undefined],
])('an entry %j names %j', (value, path) => {
  expect(artifactOfField('.lore/notes/x.md', value)).toBe(path);
});

test.each([
  ['.lore/a.md', true],
  ['.lore/a.MD', true],
  ['.lore/.md', false],
  ['.lore/md', false],
  ['.lorex/a.md', false],
  ['a.md', false],
])('%j is an artifact: %j', (path, expected) => {
  expect(isArtifactPath(path)).toBe(expected);
});

test.each([
  ['see [a](../specs/Plan.md) and', '.lore/specs/Plan.md'],
  ['see [a](<../specs/my plan.md>)', '.lore/specs/my plan.md'],
  ['see [a](../specs/my%20plan.md "title")', '.lore/specs/my plan.md'],
  ['[a]: a\\_b.md', '.lore/specs/a_b.md'],
  ['[a](x&amp;y.md)', '.lore/x&y.md'],
])('%j may name %s', (text, path) => {
  expect(mentionsIn(text).has(mentionOf(path))).toBe(true);
  expect(mentionsIn('nothing.md here').has(mentionOf(path))).toBe(false);
});

test('names are found in any text within a moment, also in one word of millions of letters', () => {
  expect(mentionsIn('a'.repeat(3_000_000)).size).toBe(0);
  expect([...mentionsIn(`${'a'.repeat(300_000)}.md and b.MD`)].at(-1)).toBe('b.md');
});

test.each([['.md'], ['.md~'], ['.md\\'], ['.md%'], ['a.md#']])(
  'a text that is one word of %j is looked through within the limit of a test, not in the time of its square',
  { timeout: 10_000 },
  (part) => {
    expect(mentionsIn(part.repeat(100_000 / part.length)).size).toBeLessThanOrEqual(10_000);
  },
);

test('of a text so many names are kept, not more', () => {
  expect(mentionsIn(Array.from({ length: 40_000 }, (_, at) => `${at}.md`).join(' ')).size).toBe(10_000);
});

test.each([
  ['[a](b.md#part)', '.lore/b.md'],
  ['[a](b.md?x)', '.lore/b.md'],
  ['[a](b.md\u2003)', '.lore/b.md'],
  ['[a](b.md\\#part)', '.lore/b.md'],
  ['[a](b.md.md)', '.lore/b.md.md'],
  ['[a](100%zz/my%20file.md)', '.lore/100%zz/my%20file.md'],
  ['[a](a%23b.md)', '.lore/a#b.md'],
])('%j may name %s also where something follows', (text, path) => {
  expect(mentionsIn(text).has(mentionOf(path))).toBe(true);
});

test.each([
  ['all of them CRLF', 'a\r\nb\r\nc\r\n', 'a\nB\nc\nd\n', 'a\r\nB\r\nc\r\nd\r\n'],
  ['mixed, a line changed in the middle', 'a\r\nb\nc\r\n', 'a\nB\nc\n', 'a\r\nB\r\nc\r\n'],
  ['mixed, mostly LF', 'a\nb\nc\r\nd\n', 'x\nb\nc\nd\n', 'x\nb\nc\r\nd\n'],
  ['no end at the end', 'a\r\nb', 'a\nc', 'a\r\nc'],
  ['everything gone', 'a\r\nb\r\n', '', ''],
  ['only LF: as it is given', 'a\nb\n', 'a\nb\nc\n', 'a\nb\nc\n'],
  ['ends that were given on purpose', 'a\r\nb\r\n', 'a\r\nb\nc\n', 'a\r\nb\nc\n'],
])('line ends stay: %s', (_how, present, given, kept) => {
  expect(keepLineEnds(present, given)).toBe(kept);
  expect(keepLineEnds(present, present.replaceAll('\r\n', '\n'))).toBe(present);
});

test.each([
  ['meeting k3f9', { kind: 'meeting', id: 'k3f9' }],
  ['meeting Review_of-it', { kind: 'meeting', id: 'Review_of-it' }],
  ['artifact edit', null],
  ['sync main', null],
  ['meeting a b', null],
  [null, null],
])('the trailer %j is of %j', (trailer, activity) => {
  expect(activityOfTrailer(trailer, ['meeting'])).toEqual(activity);
});
