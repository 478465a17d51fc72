import { expect, test } from 'vitest';
import { locateSecrets } from './locate.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const key = made(
  '-----BEGIN ',
  'PRIVATE KEY-----\n',
  'MIIEabcdefghijklmnop\n'.repeat(3),
  '-----END ',
  'PRIVATE KEY-----',
);
const filler = `${'word '.repeat(20)}\n`.repeat(2500);

test.each([
  ['nothing', '# A note\n\nNothing here.\n', []],
  ['one of ours', made('# A\n\npassword: ', 'hunter2\n'), [{ line: 3, kind: 'password' }]],
  ['one that only the scanner knows', made('a\nb glpat', '-abcdefghij0123456789 c\n'), [{ line: 2, kind: 'gitlab' }]],
  [
    'a key over several lines, and one after it',
    made('a\n', key, '\nb\npassword: ', 'hunter2'),
    [
      { line: 2, kind: 'private key' },
      { line: 8, kind: 'password' },
    ],
  ],
  ['two of a kind in one line, once', made('pwd: ', 'hunter2 password: ', 'hunter3'), [{ line: 1, kind: 'password' }]],
  ['one far down a long text', made(filler, 'password: ', 'hunter2'), [{ line: 2501, kind: 'password' }]],
])('finds %s', async (_what, text, places) => {
  expect(await locateSecrets(text)).toEqual(places);
});

test.each([
  ['a key of a cloud', made('AKIA', 'IOSFODNN7ABCDEFG'), true],
  ['the one of its handbook', made('AKIA', 'IOSFODNN7EXAMPLE'), false],
  ['a key with its body', key, true],
  ['the first line of a key alone', made('if it begins with -----BEGIN ', 'PRIVATE KEY----- it is one'), false],
  ['what a password is called', 'password: hunter2', false],
  ['a password in code', "login({ password: 'swordfish9' })", false],
  ['a short opaque value', made('token: ', 'abc123def456ghi'), false],
  ['a long opaque value', made('API_KEY=', 'aB3dE6gH9jK2mN5pQ8sT1vW4'), true],
  ['an address elsewhere', made('postgres://keeper:', 'Sw0rdFish9@db.acme.dev/x'), true],
  ['an address of this machine', made('postgres://keeper:', 'Sw0rdFish9@localhost/x'), false],
  ['an address of an example', made('https://user:', 'passw0rd9@example.com/x'), false],
])('%s is sure: %j', async (_what, text, isSure) => {
  expect(await locateSecrets(text)).not.toEqual([]);
  expect((await locateSecrets(text, { sureOnly: true })).length > 0).toBe(isSure);
});
