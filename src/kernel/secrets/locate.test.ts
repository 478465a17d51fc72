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
