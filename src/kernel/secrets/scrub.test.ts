import { describe, expect, test, vi } from 'vitest';
import { maskFindings } from './patterns.ts';
import { readyToFind } from './find.ts';
import { scrub, scrubNow, scrubValue } from './scrub.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const keyBody = 'MIIEabcdefghijklmnop\n'.repeat(5);
const begin = (what: string): string => made('-----BEGIN ', what, '-----\n');
const end = (what: string): string => made('-----END ', what, '-----');

describe('secrets that are removed [SEC-SECRETS]', () => {
  test.each([
    ['a bare AWS key', made('id AKIA', 'IOSFODNN7ABCDEFG.'), 'id [secret removed: AWS key].'],
    ['a GitHub token', made('ghp_', 'a1B2'.repeat(9)), '[secret removed: GitHub token]'],
    [
      'a short fine-grained GitHub token',
      made('github_pat_', '11AAAAAAA0abcdefghijkl_a'),
      '[secret removed: GitHub token]',
    ],
    ['an API key with sk-', made('sk-', 'proj-', 'aB3'.repeat(12)), '[secret removed: API key]'],
    ['a password in a note', made('password: ', 'hunter2'), 'password: [secret removed: password]'],
    ['a password in quotes', made('DB_PASSWORD="', 'swordfishes"'), 'DB_PASSWORD="[secret removed: password]"'],
    ['a token in a query', made('?token=', 'abc123def456ghi&x=1'), '?token=[secret removed: token]&x=1'],
    ['a key in JSON', made('"apiKey": "', 'q9w8e7r6t5y4u3i2"'), '"apiKey": "[secret removed: token]"'],
    [
      'a password in an address',
      made('https://user:', 'passw0rd@example.com/x'),
      'https://user:[secret removed: password]@example.com/x',
    ],
    [
      'a bearer header',
      made('Authorization: Bearer ', 'abcdef0123456789abcdef'),
      'Authorization: Bearer [secret removed: bearer token]',
    ],
    ['a web token', made('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.abcdefghij'), '[secret removed: web token]'],
    [
      'a token only the scanner knows',
      made('use glpat', '-abcdefghij0123456789 here'),
      'use [secret removed: gitlab] here',
    ],
    [
      'a private key with its body',
      made(begin('RSA PRIVATE KEY'), keyBody, end('RSA PRIVATE KEY'), '\nafter'),
      '[secret removed: private key]\nafter',
    ],
    [
      'a private key in one JSON line',
      made('"', '-----BEGIN PRIVATE KEY-----', '\\nMIIEabc\\n', end('PRIVATE KEY'), '", 1'),
      '"[secret removed: private key]", 1',
    ],
    [
      'a private key with a passphrase, and header lines',
      made(
        begin('RSA PRIVATE KEY'),
        'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n',
        keyBody,
        end('RSA PRIVATE KEY'),
        '.',
      ),
      '[secret removed: private key].',
    ],
    ['a live key of a shop', made('sk_live_', 'a1B2c3D4e5F6g7H8'), '[secret removed: API key]'],
    ['a basic header', made('Basic ', 'dXNlcjpwYXNzd29yZA==', ' x'), 'Basic [secret removed: password] x'],
    [
      'a sign-in link of the hall',
      made('http://127.0.0.1:4747/app/sign-in#', 'aB3-'.repeat(10)),
      'http://127.0.0.1:4747/app/sign-in#[secret removed: sign-in link]',
    ],
    [
      'a private key that was cut off',
      made(begin('PRIVATE KEY'), keyBody, 'prose goes on'),
      '[secret removed: private key]prose goes on',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await scrub(text)).toBe(expected);
    expect(await scrub(expected)).toBe(expected);
  });

  test('the whole AWS secret goes, although the scanner reports a range that ends in its middle', async () => {
    const secret = 'abcdefghij'.repeat(4);
    expect(await scrub(`xx aws_secret_access_key = ${secret} end`)).toBe(
      'xx aws_secret_access_key = [secret removed: aws] end',
    );
  });

  test('a sure secret is masked wherever else it stands', async () => {
    const secret = 'abcdefghij'.repeat(4);
    expect(await scrub(`It is ${secret}: aws_secret_access_key = ${secret}`)).toBe(
      'It is [secret removed: aws]: aws_secret_access_key = [secret removed: aws]',
    );
  });

  test('a comment in the text cannot switch the scanner off', async () => {
    const text = await scrub(made('<!-- secretlint-disable -->\nglpat', '-abcdefghij0123456789'));
    expect(text).toBe('<!-- secretlint-disable -->\n[secret removed: gitlab]');
  });

  test('secrets are found in every part of a long text', async () => {
    const secret = made('glpat', '-abcdefghij0123456789');
    const line = `${'word '.repeat(20)}\n`;
    const filler = line.repeat(2500);
    const text = await scrub(
      `${secret}\n${filler}${begin('PRIVATE KEY')}${keyBody}${end('PRIVATE KEY')}\n${filler}${secret}`,
    );
    expect(text).toBe(
      `[secret removed: gitlab]\n${filler}[secret removed: private key]\n${filler}[secret removed: gitlab]`,
    );
  });
});

describe('at once', () => {
  test('what was looked at before all rules were there is looked at again', async () => {
    vi.resetModules();
    const { scrubNow } = await import('./scrub.ts');
    const { readyToFind: untilReady } = await import('./find.ts');
    const text = made('use glpat', '-abcdefghij0123456789 here');
    expect(scrubNow(text)).toBe(text);
    await untilReady();
    expect(scrubNow(text)).toBe('use [secret removed: gitlab] here');
  });

  test('a text that comes again, and one that a clean one is part of, are answered as ever', async () => {
    await readyToFind();
    const secret = made('use glpat', '-abcdefghij0123456789');
    const clean = `${secret.slice(0, -8)}`;
    const look = (): string[] => [clean, secret, `${clean} and ${secret}`].map(scrubNow);
    const first = look();
    expect(first).toEqual([clean, 'use [secret removed: gitlab]', `${clean} and use [secret removed: gitlab]`]);
    expect(look()).toEqual(first);
  });
});

describe('text that stays as it is', () => {
  test.each([
    'password: string',
    'password: z.string().min(8)',
    'password: <your password>',
    'password: required',
    'password?: string | undefined',
    'token: string;',
    'token=${token}',
    'token: process.env.TOKEN',
    'token: https://example.com/abc123def456',
    'token: src/kernel/agents/gateway.ts:120',
    'token: 2026-02-14T09:30:00Z',
    'token: ModelAccessTokenOfActivity',
    'secret = readSecret(path)',
    'max_tokens=8000 and tokens: 12000',
    'Set the token: it is read from the file',
    'const accessToken = await requestAccessTokenFromServer',
    'the commit 3f2b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f7',
    'sk-learn-is-a-library-for-machine-learning',
    'Bearer authentication-is-the-scheme',
    'Basic authentication, and a ticket=open',
    'git@github.com:owner/repo.git and http://localhost:8080/@scope/x',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
    '---\ntitle: A note\n---\n\n$& \u0000 🙂 \r\n  trailing  \n\n',
    '',
  ])('%j', async (text) => {
    expect(await scrub(text)).toBe(text);
  });
});

describe('plain data', () => {
  const secret = made('glpat', '-abcdefghij0123456789');

  test('texts at any depth, names, and values whose name tells of them', async () => {
    await readyToFind();
    const escaped = { content: made('{"a": "password: \\"', 'swordfishes\\""}') };
    expect(
      scrubValue({
        list: [{ text: `it is ${secret}` }],
        [secret]: 1,
        apiKey: 'q9w8e7r6t5y4u3i2',
        tokens: 12,
        ...escaped,
      }),
    ).toEqual({
      list: [{ text: 'it is [secret removed: gitlab]' }],
      '[secret removed: gitlab]': 1,
      apiKey: '[secret removed: token]',
      tokens: 12,
      content: '{"a": "password: \\"[secret removed: password]\\""}',
    });
  });

  test('without a secret it is the very same', () => {
    const value = { a: ['x', { b: null, c: undefined, d: 1n }], token: 'string' };
    expect(scrubValue(value)).toBe(value);
  });

  test('what is deeper than any honest value is left out', () => {
    const deep = Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], secret);
    expect(JSON.stringify(scrubValue(deep))).toMatch(/^\[+"\[left out: too deep\]"\]+$/);
  });
});

test('findings that overlap leave one mark', () => {
  const findings = [
    { start: 4, end: 9, kind: 'b' },
    { start: 2, end: 6, kind: 'a' },
    { start: 12, end: 13, kind: 'c' },
  ];
  expect(maskFindings('0123456789abcdef', findings)).toBe('01[secret removed: a]9ab[secret removed: c]def');
});

test.each([
  ['letters', 'a'],
  ['names without values', 'password:token='],
  ['schemes', 'a://b:'],
  ['quotes', '"'],
  ['headers without their values', 'Bearer Basic '],
  ['dashes', '-'],
  ['beginnings of keys', 'AKIAeyJghp_xoxb-SG.'],
  ['lines that are nearly key material', `${'A'.repeat(29)} `],
])('a megabyte that nearly matches everywhere is looked through, not hung upon: %s', async (_, part) => {
  const text = part.repeat(1_000_000 / part.length);
  expect(await scrub(text)).toBe(text);
});

test('thousands of secrets in one text', async () => {
  const secret = made('AKIA', 'IOSFODNN7ABCDEFG');
  const other = (nth: number): string => secret.slice(0, -5) + String(nth).padStart(5, '0');
  const text = Array.from({ length: 10_000 }, (_, nth) => (nth % 2 === 0 ? secret : other(nth))).join('\n');
  expect(await scrub(text)).toBe(Array.from({ length: 10_000 }, () => '[secret removed: AWS key]').join('\n'));
});
