import { describe, expect, test } from 'vitest';
import { errorFactsOf } from './errors.ts';
import { didYouMean, nearestOf } from './nearest.ts';
import { resolveShortId, shortIdSchema } from './short-ids.ts';

describe('nearestOf', () => {
  test.each([
    ['opne', ['open', 'close', 'list'], 'open'],
    ['artefact', ['artifact', 'project'], 'artifact'],
    ['LIST', ['list'], 'list'],
    ['zebra', ['open', 'close'], undefined],
    ['x', ['open'], undefined],
    ['', ['open'], undefined],
  ])('%s among %j is %s', (word, candidates, expected) => {
    expect(nearestOf(word, candidates)).toBe(expected);
  });

  test('says nothing when nothing is near', () => {
    expect(didYouMean('zebra', ['open'])).toBe('');
    expect(didYouMean('opne', ['open'])).toBe('Did you mean "open"? ');
  });
});

describe('resolveShortId', () => {
  const ids = ['writer-20260101-090000-ab12', 'writer-20260101-090000-cd34', 'writer-20260101-090000-ab12-2'];
  const words = { noun: 'thing', listCommand: 'guild-hall thing list' };
  const resolve = (given: string) => resolveShortId(given, ids, words);

  test('takes the whole id also where it begins another', () => {
    expect(resolve('writer-20260101-090000-ab12')).toBe(ids[0]);
  });
  test('takes a beginning or the last part while only one is meant [DOOR-SHORT-IDS]', () => {
    expect(resolve('writer-20260101-090000-c')).toBe(ids[1]);
    expect(resolve('cd34')).toBe(ids[1]);
  });

  test('by any end of four letters or more [DOOR-SHORT-IDS]', () => {
    const long = ['writer-20260101-090000-0trtkbvprfjr', 'writer-20260101-090000-0trtkbvpxfjr'];
    const words = { noun: 'thing', listCommand: 'guild-hall thing list' };
    expect(resolveShortId('rfjr', long, words)).toBe(long[0]);
    expect(errorFactsOf(caught(() => resolveShortId('fjr', long, words))).code).toBe('not_found');
  });
  test('names what could be meant [DOOR-SHORT-IDS]', () => {
    const error = errorFactsOf(caught(() => resolve('writer')));
    expect(error.code).toBe('invalid');
    expect(error.message).toContain('could be 3 things');
  });
  test('offers the nearest, and a part of a part is not enough', () => {
    const error = errorFactsOf(caught(() => resolve('writer-20260101-090000-cd35')));
    expect(error).toMatchObject({ code: 'not_found' });
    expect(error.hint).toContain('writer-20260101-090000-cd34');
    expect(errorFactsOf(caught(() => resolve('34'))).code).toBe('not_found');
    // Also where only the last part was typed.
    expect(errorFactsOf(caught(() => resolve('cd35'))).hint).toContain('Did you mean "writer-20260101-090000-cd34"?');
    expect(errorFactsOf(caught(() => resolve('zzzz'))).hint).toBe('See: guild-hall thing list');
  });
  test.each(['', '..', '../x', 'a/b', 'a b', 'x'.repeat(10_000), '-a', 'a\0'])(
    'the schema refuses %j [SYS-IDS]',
    (text) => {
      expect(shortIdSchema.safeParse(text).success).toBe(false);
    },
  );
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
