import { expect, test } from 'vitest';
import { locateInFile, maskFile } from './files.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const awsKey = made('AKIA', 'IOSFODNN7ABCDEFG');
const password = made("password: '", "swordfish9'");

test.each([
  ['UTF-8', 'utf8', ''],
  ['UTF-16 of Windows', 'utf16le', '\uFEFF'],
  ['an old encoding', 'latin1', ''],
] as const)('a file in %s is masked and keeps its encoding [SEC-SECRETS]', async (_, encoding, mark) => {
  const bytes = Buffer.from(`${mark}é: ${awsKey}\r\n`, encoding);
  const masked = await maskFile({ path: 'a.md', bytes, before: undefined });
  expect(masked).toEqual(Buffer.from(`${mark}é: [secret removed: AWS key]\r\n`, encoding));
});

test('a file in UTF-16 of other machines is masked too', async () => {
  const bytes = Buffer.from(`\uFEFF${awsKey}`, 'utf16le').swap16();
  const masked = await maskFile({ path: 'a.md', bytes, before: undefined });
  expect(masked?.swap16().toString('utf16le')).toBe('\uFEFF[secret removed: AWS key]');
});

test('what is no text, what has no secret, and what was there before is left alone', async () => {
  const alone = (bytes: Buffer, before?: Buffer) => maskFile({ path: 'a.md', bytes, before });
  expect(await alone(Buffer.from(`\0\0${awsKey}`))).toBeUndefined();
  expect(await alone(Buffer.from('words'))).toBeUndefined();
  expect(await alone(Buffer.from(`more\n${awsKey}\n`), Buffer.from(`${awsKey} here`))).toBeUndefined();
  const both = Buffer.from(`${awsKey}\n${password}`);
  expect((await alone(both, Buffer.from(awsKey)))?.toString()).toBe(
    `${awsKey}\npassword: '[secret removed: password]'`,
  );
});

test.each([
  ['src/config.ts', password, ['password']],
  ['.env', made('DB_PASSWORD=', 'swordfish9'), ['password']],
  ['test/login.test.ts', password, []],
  ['src/login.spec.ts', password, []],
  ['docs/setup.md', password, []],
  ['.env.example', password, []],
  ['test/login.test.ts', awsKey, ['AWS key']],
  ['src/latest.ts', password, ['password']],
])('in %s %s is worth stopping for: %j [SEC-ASK-SECRETS]', async (path, text, kinds) => {
  const places = await locateInFile({ path, bytes: Buffer.from(`one\n${text}\n`), before: undefined });
  expect(places).toEqual(kinds.map((kind) => ({ line: 2, kind })));
});
