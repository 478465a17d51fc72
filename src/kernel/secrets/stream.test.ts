import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { findNow, readyToFind, rememberFrom } from './find.ts';
import { leftOutRules, loadRules, shortName } from './scanner.ts';
import { scrub } from './scrub.ts';
import { emptyMaskState, maskPiece, maskRest, withKnown } from './stream.ts';

beforeAll(readyToFind);

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const mixed = (length: number): string => 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7'.repeat(20).slice(0, length);
const hex = (length: number): string => '0a1b2c3d4e5f6789'.repeat(20).slice(0, length);
const keyLine = `${mixed(64)}\n`;
const pem = (what: string, body: string): string =>
  made('-----BEGIN ', what, '-----\n', body, '-----END ', what, '-----');
const encoded = Buffer.from(
  JSON.stringify({ email: 'a@b.example', secretKey: 'A3-C4ZJMN', salt: 'x'.repeat(64) }),
).toString('base64');

/** One secret for each of the scanner's rules. */
const ofRules: Readonly<Record<string, string>> = {
  aws: made('aws_secret_access_key = ', 'abcdefghij'.repeat(4)),
  npm: made('npm_', mixed(36)),
  slack: made('xoxb-', '123456789012-', mixed(24)),
  basicauth: made('https://builder:', 'Sw0rd-Fish_9@ci.acme.dev/x'),
  openai: made('sk-', mixed(20), 'T3BlbkFJ', mixed(20)),
  anthropic: made('sk-ant-api03-', mixed(93), 'AA'),
  groq: made('gsk_', mixed(52)),
  huggingface: made('hf_', 'abcdefghijklmnopqrstuvwxyzABCDEFGH'),
  linear: made('lin_api_', mixed(40)),
  notion: made('ntn_', '12345678901', mixed(35)),
  sendgrid: made('SG.', mixed(22), '.', mixed(43)),
  shopify: made('shpat_', hex(32)),
  github: made('ghp_', mixed(36)),
  gitlab: made('glpat-', mixed(20)),
  grafana: made('glsa_', mixed(32), '_', hex(8)),
  '1password': made('ops_', encoded),
  'database-connection-string': made('postgres://keeper:', 'Sw0rd(Fish|9@db.acme.dev/x'),
  'hashicorp-vault': made('hvs.', mixed(95)),
  vercel: made('vcp_', mixed(24)),
  databricks: made('dapi', hex(32)),
  docker: made('dckr_pat_', mixed(27)),
  figma: made('figd_', mixed(40)),
};

const secrets = [
  ...Object.values(ofRules),
  made('AKIA', 'IOSFODNN7ABCDEFG'),
  made('"AKIA', 'IOSFODNN7ABCDEFH"'),
  made('password: ', 'hunter2'),
  made('DB_PASSWORD="', 'swordfishes"'),
  made('{"password":"', 'swordfish9","user":"x"}'),
  made(String.raw`{\"password\":\"`, String.raw`swordfish9\",\"user\":\"x\"}`),
  made("passwd = '", "tr0ub4dor&3'"),
  made('api_key => ', 'q9w8e7r6t5y4u3i2'),
  made('?token=', 'abc123def456ghi&x=1'),
  made('Authorization: Bearer ', 'abcdef0123456789abcdef'),
  made('Bearer\n  ', 'abcdef0123456789abcdeg'),
  made('Authorization: Basic ', 'dXNlcjpwYXNzd29yZA=='),
  made('redis://:', 'passw0rd@cache.acme.dev'),
  made('https://user:', 'pässw0rd9@acme.dev/x'),
  made('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.abcdefghij'),
  made('http://127.0.0.1:4747/app/sign-in#', mixed(43)),
  pem('RSA PRIVATE KEY', keyLine.repeat(20)),
  pem(
    'PRIVATE KEY',
    `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${hex(32).toUpperCase()}\n\n${keyLine.repeat(60)}abc=\n`,
  ),
  pem('OPENSSH PRIVATE KEY', keyLine.repeat(8)).replaceAll('\n', String.raw`\n`),
  pem('EC PRIVATE KEY', keyLine.repeat(3)).replaceAll(/^/gm, '   12\t| '),
  made('-----BEGIN ', 'PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n', keyLine.repeat(5), 'and no end of it'),
];

const prose = [
  'The parser reads a file line by line and reports where it is wrong.',
  'A token: it is read from the file, and the password is asked for. The tokens count: 12,000.',
  'See `src/kernel/x.ts:12-40`, https://example.com/a?b=c#d and [the notes](../notes/a.md).',
  '| name | what |\n|------|------|\n| a | **b** |\n\n---\n\n- one\n- two\n',
  '```ts\nconst token = await readToken(home);\nif (password === undefined) throw fail(code);\n```\n',
  '密码由用户输入，令牌保存在文件中。Größe und Maß; l’été; 🙂🙂.',
  'A PEM file begins with -----BEGIN CERTIFICATE----- and so on; a well-known e.g. sk-learn.',
  'Bearer of news, basic usage, https is a scheme, shape, hint, mysql, AK, AKIRA.',
  '',
];

const pieceOfText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...prose) },
  { weight: 2, arbitrary: fc.constantFrom(...secrets) },
  fc.constantFrom(' ', '\n', ', ', '"', '`', ': ', ' = ', 'x'),
);

/** No two of the same secret: what is repeated is masked in a whole text also before the name that tells of it. */
const texts = fc
  .tuple(fc.array(fc.tuple(pieceOfText, fc.constantFrom(' ', '\n', '. ', '\n\n')), { maxLength: 12 }))
  .map(([parts]) => {
    const seen = new Set<string>();
    const isFirst = (part: string): boolean =>
      !secrets.includes(part) || (!seen.has(part) && seen.add(part) !== undefined);
    return parts
      .filter(([part]) => isFirst(part))
      .map((part) => part.join(''))
      .join('');
  });

function stream(text: string, cuts: readonly number[]): string {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  let state = emptyMaskState;
  let shown = '';
  for (const [index, from] of [0, ...places].entries()) {
    const step = maskPiece(state, text.slice(from, places[index] ?? text.length));
    state = step.state;
    shown += step.text;
  }
  return shown + maskRest(state);
}

describe('what is streamed is what a scrub of the whole would be [SEC-SECRETS]', () => {
  test('wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(fc.nat(), { maxLength: 60 }), async (text, cuts) => {
        expect(stream(text, cuts)).toBe(await scrub(text));
      }),
      { numRuns: 1500 },
    );
  });

  test.each(secrets.map((secret) => [secret.slice(0, 18).replaceAll('\n', ' '), secret]))(
    'letter by letter, and in every two parts: %s …',
    async (_, secret) => {
      const text = `Here it is: ${secret} and the words after it.`;
      const whole = await scrub(text);
      expect(whole).toContain('[secret removed: ');
      expect(
        stream(
          text,
          Array.from(text, (__, at) => at),
        ),
      ).toBe(whole);
      for (let at = 0; at <= text.length; at += 1) expect(stream(text, [at])).toBe(whole);
    },
  );

  test('a rule that the scanner has has a secret here', async () => {
    const names = (await loadRules()).map(shortName);
    expect([...Object.keys(ofRules), ...Object.keys(leftOutRules)].toSorted()).toEqual(names.toSorted());
    const kinds = Object.entries(ofRules).map(([name, secret]) => [name, findNow(secret).length > 0]);
    expect(kinds.filter(([, isFound]) => isFound !== true)).toEqual([]);
  });
});

test('what was found once is masked where it is repeated without its name', async () => {
  const value = 'abcdefghij'.repeat(4);
  const text = `aws_secret_access_key = ${value}, so ${value} it is`;
  expect(stream(text, [10, 40, 50, 60, 70, 90, 100])).toBe(await scrub(text));
  expect(stream(text, [])).not.toContain(value);
});

test('what was known before is masked wherever it stands, in small letters too, cut anywhere', () => {
  const known = rememberFrom(made('My pass', 'word: Hunter-Two9 it is, and ', 'pwd=abc'));
  expect(known).toEqual([
    { value: 'Hunter-Two9', kind: 'password' },
    { value: 'hunter-two9', kind: 'password' },
  ]);
  const text = 'I tried Hunter-Two9, "hunter-two9" and the h-word';
  for (let at = 0; at <= text.length; at += 1) {
    let step = maskPiece(withKnown(emptyMaskState, known), text.slice(0, at));
    let shown = step.text;
    step = maskPiece(step.state, text.slice(at));
    shown += step.text + maskRest(step.state);
    expect(shown).toBe('I tried [secret removed: password], "[secret removed: password]" and the h-word');
  }
});

test('a word without an end is let go in part, and no secret within it', () => {
  const secret = made('ghp_', mixed(36));
  const text = `data:image/png;base64,${'iVBOR/'.repeat(2000)}.${secret}.${'AAAA/'.repeat(3000)}`;
  let state = emptyMaskState;
  let shown = '';
  let mostHeld = 0;
  for (let at = 0; at < text.length; at += 23) {
    const step = maskPiece(state, text.slice(at, at + 23));
    state = step.state;
    shown += step.text;
    mostHeld = Math.max(mostHeld, state.open.length);
  }
  shown += maskRest(state);
  expect(shown).toBe(text.replace(secret, '[secret removed: GitHub token]'));
  expect(mostHeld).toBeLessThan(9_000);
});

test('of a long private key only its ends are kept while it comes in', () => {
  let state = maskPiece(emptyMaskState, made('-----BEGIN ', 'PRIVATE KEY-----\n')).state;
  let shown = '';
  for (let line = 0; line < 5_000; line += 1) {
    const step = maskPiece(state, keyLine);
    state = step.state;
    shown += step.text;
    expect(state.open.length).toBeLessThan(2_400);
  }
  expect(shown).toBe('');
  const last = maskPiece(state, made('-----END ', 'PRIVATE KEY-----\n', 'That was it.'));
  expect(last.text + maskRest(last.state)).toBe('[secret removed: private key]\nThat was it.');
});

test('after a header without a key the words come again soon', () => {
  const text = made('It begins with -----BEGIN ', 'PRIVATE KEY----- and ') + 'more words follow. '.repeat(30);
  let state = emptyMaskState;
  let mostHeld = 0;
  for (const word of text.split(/(?<= )/)) {
    state = maskPiece(state, word).state;
    mostHeld = Math.max(mostHeld, state.open.length - state.shown);
  }
  expect(mostHeld).toBeLessThan(300);
});

describe('prose is not kept waiting', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/guide.md'), 'utf8');

  test('a word without a sign of a secret is shown with the piece that it came in', () => {
    let state = emptyMaskState;
    for (const piece of [
      'The',
      ' parser',
      ' reads',
      ' the',
      ' well',
      '-known',
      ' file',
      ' (twice',
      '),',
      ' count',
      'Words',
    ]) {
      const step = maskPiece(state, piece);
      expect(step.text).toBe(piece);
      state = step.state;
    }
  });

  test('a page of documentation: at most a word is held, and mostly nothing', () => {
    let state = emptyMaskState;
    const held: number[] = [];
    for (const piece of page.match(/\s?\S{1,5}/g) ?? []) {
      state = maskPiece(state, piece).state;
      held.push(state.open.length - state.shown);
    }
    const nothing = held.filter((count) => count === 0).length;
    expect(nothing / held.length).toBeGreaterThan(0.6);
    expect(Math.max(...held)).toBeLessThan(120);
  });
});
