import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { scrubCouncil, scrubTexts } from './scrub.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const aws = made('AKIA', 'IOSFODNN7ABCDEFG');
const github = (kind: string): string => made(kind, '_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6');
const body = 'MIIEabcdefghijklmnopQRSTUVwxyz0123456789+/ab\n'.repeat(4);
const pem = (kind: string): string => made('-----BEGIN ', kind, '-----\n', body, '-----END ', kind, '-----');
const opaque = 'a1B2c3D4e5F6g7H8i9J0k1';
const pemGone = 'REDACTED-PRIVATE-KEY-HEADER\nREDACTED-PRIVATE-KEY-FOOTER';

const cases: readonly (readonly [string, string])[] = [
  [`id ${aws}.`, 'id REDACTED-AWS-KEY.'],
  ...['ghp', 'ghs', 'gho', 'ghu'].map((kind) => [`use ${github(kind)} now`, 'use REDACTED-GITHUB-TOKEN now'] as const),
  [`a\n${pem('RSA PRIVATE KEY')}\nb`, `a\n${pemGone}\nb`],
  [`a\n${pem('PRIVATE KEY')}\nb`, `a\n${pemGone}\nb`],
  [made('text\n-----END RSA ', 'PRIVATE KEY-----\nmore'), 'text\nREDACTED-PRIVATE-KEY-FOOTER\nmore'],
  [made('-----BEGIN EC ', 'PRIVATE KEY-----\n', body), 'REDACTED-PRIVATE-KEY-HEADER\n'],
  [`api_key: ${opaque}`, 'api_key=REDACTED-OPAQUE-SECRET'],
  [`API-KEY = "${opaque}" and`, 'API-KEY=REDACTED-OPAQUE-SECRET and'],
  [`apikey='${opaque}'`, 'apikey=REDACTED-OPAQUE-SECRET'],
  [`CLIENT_SECRET=${opaque};`, 'CLIENT_SECRET=REDACTED-OPAQUE-SECRET;'],
  [`password: ${'x'.repeat(20)}`, 'password=REDACTED-OPAQUE-SECRET'],
  [`token=${opaque}`, 'token=REDACTED-OPAQUE-SECRET'],
  [`token: ${github('ghp')}`, 'token: REDACTED-GITHUB-TOKEN'],
];

test.each(cases)('%s [CNC-SEC-3, CNC-HLP-55]', async (text, clean) => {
  expect(await scrubCouncil(text)).toBe(clean);
  expect(await scrubCouncil(clean)).toBe(clean);
});

test.each([
  [made('npm_', 'abcdefghijklmnopqrstuvwxyz0123456789')],
  [made('xoxb-', '123456789012-123456789012-', 'abcdefghijklmnopqrstuvwx')],
  [made('github', '_pat_', '11ABCDEFG0123456789abcdefghijklmnop')],
  [made('sk-', 'ant-api03-', 'abcdefgh1234567890ABCDEFGH')],
  [made('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N')],
  [made('postgres://admin:', 'S3cretPassw0rd', '@db.company.io/x'), 'S3cretPassw0rd'],
  [made('password: ', 'swordfish9!')],
])('a scanner’s rules are there, too: %s [CNC-SEC-4]', async (text, secret?: string) => {
  const clean = await scrubCouncil(`Look: ${text}`);
  expect(clean).toMatch(/REDACTED-|\[secret removed: /);
  expect(clean).not.toContain(secret ?? text.slice(-12));
  expect(await scrubCouncil(clean)).toBe(clean);
});

test('a key’s body does not stay, indented or quoted [CNC-SEC-4]', async () => {
  const indented = pem('PRIVATE KEY').replaceAll('\n', '\n    ');
  expect(await scrubCouncil(`key: |\n    ${indented}\nmore: 1`)).toBe(
    'key: |\n    REDACTED-PRIVATE-KEY-HEADER\n    REDACTED-PRIVATE-KEY-FOOTER\nmore: 1',
  );
  const inOneLine = JSON.stringify({ key: pem('PRIVATE KEY') });
  expect(await scrubCouncil(inOneLine)).not.toContain('MIIE');
});

test.each([
  'The token is read from src/features/councils/session-file once.',
  'token: src/features/councils/rules/machine',
  'We keep password: <yours>. Is a secret needed?',
  'REDACTED-AWS-KEY stays, and commit 3f2b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f7.',
])('ordinary words stay: %s', async (text) => {
  expect(await scrubCouncil(text)).toBe(text);
});

test('scrubbing twice changes nothing more, whatever stands together', async () => {
  const piece = fc.constantFrom(
    aws,
    github('ghp'),
    pem('PRIVATE KEY'),
    opaque,
    'token: ',
    'password=',
    'secret: "',
    '"',
    '\n',
    ' ',
    "'",
    'api_key:',
    '=',
    '-----BEGIN ',
    'x',
    '[secret removed: token]',
    'REDACTED-OPAQUE-SECRET',
    '-----END PRIVATE KEY-----',
    'abc123',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const once = await scrubCouncil(pieces.join(''));
      expect(await scrubCouncil(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});

test('texts in values are scrubbed; values without secrets are the very same', async () => {
  const clean = { a: ['x', { b: 'y' }], n: 1, z: null };
  expect(await scrubTexts(clean)).toBe(clean);
  expect(await scrubTexts({ a: [`k ${aws}`], n: 1 })).toEqual({ a: ['k REDACTED-AWS-KEY'], n: 1 });
});

test('the helper gives what the engine gives [CNC-SEC-5, CNC-HLP-55]', async () => {
  const { run, cwd } = await ruleWorld();
  const text = cases.map(([given]) => given).join('\n\n');
  writeFileSync(join(cwd, 'in.txt'), text);
  expect(await run('secret-scrubber', '--in', 'in.txt', '--out=out.txt')).toEqual({ exitCode: 0, out: [], err: [] });
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe(await scrubCouncil(text));
  expect((await run('secret-scrubber', '--in', 'absent', '--out', 'o')).exitCode).toBe(2);
  expect((await run('secret-scrubber', '--in', 'in.txt')).exitCode).toBe(2);
});
