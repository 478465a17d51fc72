/** How long a search takes grows with the text, whatever the text is. */
import { beforeAll, describe, expect, test } from 'vitest';
import { findSecrets, findNow, readyToFind } from './find.ts';
import { locateInFile, maskFile } from './files.ts';
import { pieceLength } from './pieces.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');

const names =
  'password passwd passphrase pwd token secret api_key access-key account_key private_key credential auth_key account aws aws_secret_access_key AWS_ACCOUNT_ID _authToken';
const prefixes =
  'AKIA ASIA AIza eyJ ghp_ github_pat_ sk- sk-ant- sk_live_ rk_live_ pypi-AgE ya29. AGE-SECRET-KEY-1 npm_ xoxb- xapp- gsk_ hf_ lin_api_ ntn_ SG. shpat_ shpss_ glpat- glc_ glsa_ ops_ hvs. hvb. vca_ dapi dckr_pat_ figd_ A3- T3BlbkFJ Bearer Basic -----BEGIN -----END PRIVATE key Key';
const places =
  '/app/sign-in# ?ticket= &ticket= :// a:// a://a: a://: a:a@ https:// http://a: ftp://a postgres:// mysql:// mongodb:// mongodb+srv://a: jdbc: https://hooks.slack.com/services/ //registry.npmjs.org/:_authToken= op://';
const signs = [
  'a',
  'A',
  '0',
  'a0',
  'aA0',
  '-',
  '_',
  '.',
  '/',
  '+',
  '=',
  ':',
  '@',
  '"',
  "'",
  '\\"',
  '%',
  ' ',
  '\t',
  'é',
];
const begun = `${names} ${prefixes} ${places}`.split(' ');
const units = [
  ...signs,
  ...begun.flatMap((word) => [
    word,
    ...['-', '.', ' ', '_', '"'].map((sign) => sign + word),
    ...['=', ': ', '="', ' a', '0.', ' = '].map((sign) => word + sign),
  ]),
];

/** Milliseconds of the processor. */
function workOf(text: string): number {
  const before = process.cpuUsage();
  findNow(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (text: string, times: number): number => Math.min(...Array.from({ length: times }, () => workOf(text)));
const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

/** Sixteen times the text costs sixteen times the work; where each beginning is read to the end, two hundred times. */
function grows(unit: string): boolean {
  const isTooMuch = (times: number): boolean =>
    least(repeated(unit, 16_000), times) > 48 * Math.max(0.25, least(repeated(unit, 1000), times));
  return isTooMuch(1) && isTooMuch(5);
}

describe('no text keeps the search busy [SEC-SECRETS]', () => {
  beforeAll(readyToFind);

  test('made of one beginning of a secret, again and again', () => {
    expect(units.filter(grows)).toEqual([]);
  });

  test('a table of new secrets in the place of others', async () => {
    const table = (rows: number, word: string): Buffer =>
      Buffer.from(Array.from({ length: rows }, (_, row) => made('pass', `word=${word}${1_000_000 + row}\n`)).join(''));
    const search = async (rows: number): Promise<number> => {
      const file = { path: 'data.csv', bytes: table(rows, 'q7'), before: table(rows, 'z9') };
      const before = process.cpuUsage();
      await locateInFile(file);
      return process.cpuUsage(before).user;
    };
    // The least of some tries: the processor's time is also what others on the machine make it.
    const leastOf = async (rows: number, times: number): Promise<number> => {
      let found = Infinity;
      for (let at = 0; at < times; at += 1) found = Math.min(found, await search(rows));
      return found;
    };
    const isTooMuch = async (times: number): Promise<boolean> =>
      (await leastOf(16_000, times)) > 18 * (await leastOf(2000, times));
    await search(100);
    expect((await isTooMuch(1)) && (await isTooMuch(4))).toBe(false);
  });

  test('others get their turn while a long text is looked through, with and without lines', async () => {
    for (const unit of ['a word = 1 ', 'a word = 1\n']) {
      let turns = 0;
      let isDone = false;
      const turn = (): void => {
        turns += 1;
        if (!isDone) setImmediate(turn);
      };
      setImmediate(turn);
      await findSecrets(repeated(unit, 400_000));
      isDone = true;
      expect(turns).toBeGreaterThanOrEqual(6);
    }
  });
});

describe('a line that is longer than a piece', () => {
  const token = made('eyJ', 'a1'.repeat(1900), '.eyJ', 'b2'.repeat(1900), '.', 'c3'.repeat(1900));
  test.each([
    ['a password', made('pass', 'word: '), made('hunter', '2345')],
    ['a key of a cloud', ' ', made('AKIA', 'IOSFODNN7ABCDEFG')],
    ['a long web token', ' ', token],
  ])('%s is found once, wherever the line is cut', async (_what, name, secret) => {
    const filler = 'word '.repeat(24_000);
    for (let at = pieceLength - 40; at < pieceLength + 20; at += 1) {
      const text = `${filler.slice(0, at)} ${name}${secret} ${filler}`;
      const start = text.indexOf(secret);
      expect((await findSecrets(text)).map((found) => [found.start, found.end])).toEqual([
        [start, start + secret.length],
      ]);
    }
  });
});

describe('a file with more new secrets than anybody reads about', () => {
  const rows = Array.from({ length: 250 }, (_, row) => made('pass', `word=q7${1_000_000 + row}`));

  test('the first are named, and how many more there are [SEC-ASK-SECRETS]', async () => {
    const places = await locateInFile({ path: 'data.csv', bytes: Buffer.from(rows.join('\n')), before: undefined });
    expect(places).toHaveLength(201);
    expect(places.slice(199)).toEqual([
      { line: 200, kind: 'password' },
      { line: 201, kind: 'and 50 more' },
    ]);
  });

  test('all of them are masked [SEC-SECRETS]', async () => {
    const masked = await maskFile({ path: '.lore/a.md', bytes: Buffer.from(rows.join('\n')), before: undefined });
    expect(String(masked).match(/secret removed/g)).toHaveLength(250);
  });
});
