import { expect, test } from 'vitest';
import { readyToFind } from '../secrets/find.ts';
import { createLog } from './log.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const secrets = {
  bearer: made('Bearer ', 'abcdef0123456789abcdef'),
  aws: made('AKIA', 'IOSFODNN7ABCDEFG'),
  model: made('sk-ant-', 'api03-', 'aB3'.repeat(12)),
  gitlab: made('glpat-', 'abcdefghij0123456789'),
  link: made('http://127.0.0.1:4747/app/sign-in#', 'aB3-'.repeat(10)),
  key: made(
    '-----BEGIN ',
    'PRIVATE KEY-----\n',
    `${'MIIEabcd'.repeat(8)}\n`.repeat(3),
    '-----END ',
    'PRIVATE KEY-----',
  ),
};

function logInto(): { readonly lines: string[]; readonly log: ReturnType<typeof createLog> } {
  const lines: string[] = [];
  return { lines, log: createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } }) };
}

test.each(Object.entries(secrets))('a %s is masked wherever it stands in an entry [SEC-SECRETS]', async (_, secret) => {
  await readyToFind();
  const { lines, log } = logInto();
  const error = new Error(`refused: ${secret}`, { cause: new Error(secret) });
  log.error({ err: error, deep: { list: [secret] } }, `it was ${secret}`);
  log.child({ bound: secret }).info('%s', secret);
  log.warn(error);
  expect(lines).toHaveLength(3);
  const said = lines.join('');
  expect(said).toContain('[secret removed: ');
  expect(said).not.toContain(secret.split('\n')[1] ?? secret.replace(/^.*[ #]/, ''));
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) as number });
});

test('an entry without a secret is as it was, one line', () => {
  const { lines, log } = logInto();
  log.info({ pid: 12, url: 'http://127.0.0.1:4747', list: [null, true] }, 'the hall answers');
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 30, pid: 12, list: [null, true], msg: 'the hall answers' });
  expect(lines[0]).toMatch(/^\{"level":30,"time":"[^"]+",.*\}\n$/);
});

test('a very long text is cut, and no secret with it', () => {
  const { lines, log } = logInto();
  log.error({ reason: 'x '.repeat(4_995) + secrets.aws + ' y'.repeat(500_000) }, 'failed');
  expect(lines[0]!.length).toBeLessThan(10_300);
  expect(lines[0]).toContain('(1010010 characters)');
  expect(lines[0]).not.toContain('AKIA');
});
