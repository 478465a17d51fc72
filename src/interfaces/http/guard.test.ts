import { describe, expect, test } from 'vitest';
import { bearerTokenOf, refusalOfPlace } from './guard.ts';
import { isSameToken } from './tokens.ts';

const facts = { method: 'GET', host: 'localhost:4747', origin: undefined, fetchSite: undefined };

describe('refusalOfPlace', () => {
  test.each(['localhost:4747', '127.0.0.1:4747', '[::1]:4747', 'LOCALHOST:4747'])('the host %s is ours', (host) => {
    expect(refusalOfPlace({ ...facts, host }, 4747)).toBeUndefined();
  });

  test.each([
    undefined,
    '',
    'localhost',
    'localhost:4748',
    '127.0.0.1',
    'evil.example:4747',
    '127.0.0.1.evil.example:4747',
    'localhost:4747.evil.example',
    '0.0.0.0:4747',
    '127.0.0.2:4747',
    'evil@localhost:4747',
  ])('the host %s is refused [SEC-HOST]', (host) => {
    expect(refusalOfPlace({ ...facts, host }, 4747)?.code).toBe('forbidden');
  });

  test.each([
    ['http://localhost:4747', true],
    ['http://127.0.0.1:4747', false],
    ['https://localhost:4747', false],
    ['http://localhost:5173', false],
    ['http://localhost', false],
    ['https://evil.example', false],
    ['null', false],
    ['', false],
  ])('the origin %s at localhost:4747: %s [SEC-ORIGIN]', (origin, fine) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect(refusalOfPlace({ ...facts, method, origin }, 4747) === undefined).toBe(fine);
    }
  });

  test.each([
    ['POST', 'cross-site', false],
    ['POST', 'same-site', false],
    ['DELETE', 'cross-site', false],
    ['PUT', 'anything', false],
    ['POST', 'same-origin', true],
    ['POST', 'none', true],
    ['POST', undefined, true],
    ['GET', 'cross-site', true],
  ])('%s sent %s: %s', (method, fetchSite, fine) => {
    expect(refusalOfPlace({ ...facts, method, fetchSite }, 4747) === undefined).toBe(fine);
  });
});

describe('tokens', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['bearer  abc', 'abc'],
    ['Basic abc', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    [`Bearer ${'a'.repeat(10_000)}`, undefined],
    [undefined, undefined],
  ])('%s', (header, expected) => {
    expect(bearerTokenOf(header)).toBe(expected);
  });

  test('only the same text is the same', () => {
    expect(isSameToken('abc', 'abc')).toBe(true);
    for (const wrong of [undefined, '', 'ab', 'abcd', 'abC']) expect(isSameToken(wrong, 'abc')).toBe(false);
    expect(isSameToken('', '')).toBe(false);
    expect(isSameToken(undefined, '')).toBe(false);
  });
});
