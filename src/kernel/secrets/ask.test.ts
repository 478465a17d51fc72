import { expect, test } from 'vitest';
import { HallError } from '../pure/errors.ts';
import { requireNoSecrets } from './ask.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const awsKey = made('AKIA', 'IOSFODNN7ABCDEFG');

const refusalOf = async (texts: Parameters<typeof requireNoSecrets>[0]): Promise<HallError | undefined> => {
  try {
    await requireNoSecrets(texts);
    return undefined;
  } catch (error) {
    return error instanceof HallError ? error : undefined;
  }
};

test('what is sure is asked about everywhere, and named without its words [SEC-ASK-SECRETS]', async () => {
  const refusal = await refusalOf([
    { what: 'the agenda', text: 'Words.', isCommitted: true },
    { what: 'the message', text: `One.\n\nUse ${awsKey} there.`, isCommitted: false },
  ]);
  expect(refusal?.facts).toEqual({
    code: 'conflict',
    message: 'It looks as if there is a secret in the message, line 3 (AWS key); nothing was done.',
    hint: 'Take it out, or repeat with --allow-secrets: the worker and its model will read it.',
    details: { kind: 'secrets', secrets: [{ in: 'the message', line: 3, kind: 'AWS key' }] },
  });
  expect(JSON.stringify(refusal?.facts)).not.toContain(awsKey);
});

test('what is committed is asked about whatever it looks like; what is only said is not [SEC-ASK-SECRETS]', async () => {
  const text = made('password: ', 'hunter2');
  expect(await refusalOf([{ what: 'the message', text, isCommitted: false }])).toBeUndefined();
  const refusal = await refusalOf([{ what: 'the title', text, isCommitted: true }]);
  expect(refusal?.message).toContain('the title, line 1 (password)');
  expect(refusal?.hint).toContain('in the history of the repository for good');
});

test('many are not all named', async () => {
  const text = Array.from({ length: 9 }, (_, index) => awsKey.replace(/.$/, String(index))).join('\n');
  const refusal = await refusalOf([{ what: 'the message', text, isCommitted: false }]);
  expect(refusal?.message).toMatch(/line 5 \(AWS key\) and 4 more; nothing was done\.$/);
});

test.each([
  'My password: it is the one that I told you. The token is read from the file.',
  'Set TOKEN=$TOKEN and password=<yours>; see https://example.com/a?token=x',
  'The commit 3f2b8c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f7 broke `password: string` in src/login.ts:12.',
  'Why does if (text.includes("-----BEGIN PRIVATE KEY-----")) match? The id is m-k3f9x2ab.',
  'postgres://postgres:postgres@localhost:5432/shop is what the tests use',
  'integrity sha512-egdyZlydr2KLPBUB2GXEfm3Nl84RS4LKvoJkQ3/Je1JFSNypHrUUovJq7lBOgGVWG1sPuoxg20PBz5V8gg5Png==',
  'It said Bearer token-is-missing, error 401, request 550e8400-e29b-41d4-a716-446655440000.',
])('ordinary words are not asked about: %s', async (text) => {
  expect(await refusalOf([{ what: 'the message', text, isCommitted: false }])).toBeUndefined();
});
