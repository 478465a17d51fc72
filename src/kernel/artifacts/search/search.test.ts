/** Search over real files, in this thread: what comes first, what stays hidden, what a crash or a hostile file does. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { createEngine, type Engine, find, keepOnly } from './engine.ts';
import { fold, foldWithPlaces } from './fold.ts';
import { cut, pageFacts, textOf } from './forms.ts';
import { parseQuery } from './query.ts';
import type { Form, Found, Shelf } from './shapes.ts';
import { fullSegment } from './store.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

interface Place {
  readonly root: string;
  readonly home: string;
  readonly shelves: Shelf[];
  engine: Engine;
}

async function place(files: Readonly<Record<string, string | Buffer>> = {}): Promise<Place> {
  const root = await tempFolder();
  const shelves: Shelf[] = [
    { name: 'pages', kind: 'page', root, folder: 'pages', names: [], shownBelow: 'pages/', form: { kind: 'page' } },
    { name: 'said', kind: 'said', root, folder: 'said', names: ['^(?<id>.+)\\.jsonl$'], form: lines },
    {
      name: 'talks',
      kind: 'talk',
      root,
      folder: 'talks',
      names: ['^(?<id>.+)\\.md$'],
      form: talk,
      titleOf: 'pages/<id>.md',
    },
  ];
  const made: Place = { root, home: join(root, 'search'), shelves, engine: createEngine() };
  for (const [path, text] of Object.entries(files)) write(made, path, text);
  return made;
}

const lines: Form = { kind: 'lines', tag: 'kind', texts: { words: ['text'] }, joined: ['words'], at: ['at'] };
const talk: Form = { kind: 'talk', heading: '^## (?:A|B) \\((?<at>[^)]+)\\)', skip: '^> Call: ' };

function write({ root }: Place, path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function ask(at: Place, words: string, more: { kinds?: string[]; limit?: number; readBytes?: number } = {}): Found {
  const project = { name: 'tally', shelves: at.shelves };
  const request = { home: at.home, projects: [project], kinds: [], limit: 20, readBytes: 1e9, nowMs, ...more };
  return find(at.engine, { ...request, terms: parseQuery(words) });
}

/** Names of what was found, the best first. */
function names(found: Found): string[] {
  return found.hits.map(({ path, id }) => path?.replace(/^pages\/|\.md$/g, '') ?? id!);
}

const filler = 'Counting goes on from morning to evening, and nobody minds. ';

test('the best match comes first: more words, rarer ones, near each other, in titles, newer, a phrase before all [GTH-HISTORY-3]', async () => {
  const at = await place();
  for (let n = 0; n < 30; n += 1) write(at, `pages/common/${n}.md`, `${filler} ledger number ${n}`);
  write(at, 'pages/both.md', 'The ledger disagrees with the migration.');
  write(at, 'pages/far.md', `A ledger is kept. ${filler.repeat(10)} The migration is late.`);
  write(at, 'pages/rare.md', `${filler} A migration.`);
  write(at, 'pages/titled.md', '---\ntitle: Migration\n---\n\nIt is late.');
  expect(names(ask(at, 'ledger migration')).slice(0, 2)).toEqual(['both', 'far']);
  const all = names(ask(at, 'ledger migration', { limit: 50 }));
  expect(all).toHaveLength(34);
  expect(all.indexOf('rare')).toBeLessThan(all.indexOf('common/3'));
  expect(names(ask(at, 'migration'))[0]).toBe('titled');

  write(at, 'pages/old.md', '---\ntitle: Old\ndate: 2024-01-01\n---\n\nA zebra crossed the yard.');
  write(at, 'pages/new.md', '---\ntitle: New\ndate: 2026-02-27\n---\n\nA zebra crossed the yard.');
  expect(names(ask(at, 'zebra'))).toEqual(['new', 'old']);

  write(at, 'pages/phrase.md', `${filler.repeat(3)} We agreed to round\nhalf up, in the end.`);
  write(
    at,
    'pages/words.md',
    '# Round half up\n\nRound the half. Up it goes: half, half, up, up, round. Round and round, half and up.',
  );
  write(at, 'pages/loose.md', '# Half\n\nRound up the half; half of it goes up and round.');
  const found = ask(at, '"half up" round');
  expect(names(found)[2]).toBe('loose');
  expect(names(found).slice(0, 2).toSorted()).toEqual(['phrase', 'words']);
});

test('case, accents, beginnings of words and scripts without blanks', async () => {
  const at = await place({
    'pages/a.md': 'The Straße to ZÜRICH was closed: “Überraschung”.',
    'pages/b.md': 'countWords and snake_case_word; errors in the terror.',
    'pages/c.md': '会議の記録は明日までに保存されます。',
    'pages/d.md': 'Łódź — naïve café, Ångström.',
  });
  expect(names(ask(at, 'zurich'))).toEqual(['a']);
  expect(names(ask(at, 'STRASSE'))).toEqual(['a']);
  expect(names(ask(at, 'überrasch'))).toEqual(['a']);
  expect(names(ask(at, 'ERROR'))).toEqual(['b']);
  expect(names(ask(at, 'rror'))).toEqual([]);
  expect(names(ask(at, 'case'))).toEqual(['b']);
  expect(names(ask(at, '記録'))).toEqual(['c']);
  expect(names(ask(at, 'lodz cafe angstrom'))).toEqual(['d']);
  expect(names(ask(at, 'nowhere'))).toEqual([]);
});

test('of a word that is looked for from within, its beginning counts', async () => {
  const words = ['bledger', 'danger', 'ger', 'ledge', 'fledger', 'ledger', 'Xledger-ledger', 'le dger', 'dger'];
  const at = await place(Object.fromEntries(words.map((word, n) => [`pages/${n}.md`, `${word} is ${word}`])));
  const found = ask(at, 'ledger');
  expect([found.total, ...names(found).toSorted()]).toEqual([2, '5', '6']);
  expect(names(ask(at, '"ledger is ledger"'))[0]).toBe('5');
  expect(names(ask(at, 'dger'))).toEqual(['7', '8']);
});

test('what is typed becomes terms: empty words go where others are, quotes stay together', () => {
  const texts = (given: string): string[] =>
    parseQuery(given).map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text));
  expect(texts('What is the ledger?')).toEqual(['ledger']);
  expect(texts('to be')).toEqual(['to', 'be']);
  expect(texts('“Half  up” ledger Ledger')).toEqual(['"half up"', 'ledger']);
  expect(texts('"one"')).toEqual(['one']);
  expect(texts(' ?! ')).toEqual([]);
  expect(parseQuery('w '.repeat(500) + Array.from({ length: 100 }, (_each, n) => `word${n}`).join(' ')).length).toBe(
    24,
  );
});

test('what came, changed, grew or went since is found, or not any more', async () => {
  const at = await place({ 'pages/a.md': 'An apple.', 'said/x.jsonl': said('An apricot.') });
  expect(names(ask(at, 'apple apricot')).toSorted()).toEqual(['a', 'x']);
  write(at, 'pages/a.md', 'A banana, which is longer.');
  expect(names(ask(at, 'apple'))).toEqual([]);
  expect(names(ask(at, 'banana'))).toEqual(['a']);
  appendFileSync(join(at.root, 'said/x.jsonl'), said('A blueberry.') + '{"kind":"words","text":"A cran');
  expect(names(ask(at, 'blueberry'))).toEqual(['x']);
  expect(names(ask(at, 'apricot'))).toEqual(['x']);
  appendFileSync(join(at.root, 'said/x.jsonl'), 'berry.","at":"2026-01-01T00:00:00Z"}\n');
  expect(names(ask(at, 'cranberry'))).toEqual(['x']);
  expect(ask(at, 'apricot').searched.sources).toBe(2);
  rmSync(join(at.root, 'said/x.jsonl'));
  expect(names(ask(at, 'apricot blueberry'))).toEqual([]);
  rmSync(join(at.root, 'pages'), { recursive: true });
  expect(ask(at, 'banana')).toMatchObject({ hits: [], total: 0, searched: { sources: 0, passages: 0 } });
});

function said(text: string, time = '2026-01-01T00:00:00Z'): string {
  return `${JSON.stringify({ kind: 'words', text, at: time })}\n`;
}

test('words that came in pieces are whole, and each passage knows when it was said', async () => {
  const at = await place({
    'said/x.jsonl': `${JSON.stringify({ kind: 'tool', text: 'hidden' })}\n${said('The straw', '2026-02-01T10:00:00Z')}${said('berry is red.')}`,
    'talks/m.md':
      '## A (2026-02-03T10:00:00.000Z) turn 1 m-1\nWhat of the peach?\n\n## B (2026-02-03T10:00:09.000Z) turn 1 done\n> Call: {"peach":1}\nThe plum is ripe.\n\n',
    'pages/m.md': '---\ntitle: "Fruit of the day"\n---\n',
  });
  expect(ask(at, 'strawberry').hits).toMatchObject([
    { id: 'x', text: 'The strawberry is red.', atMs: Date.parse('2026-02-01T10:00:00Z') },
  ]);
  expect(names(ask(at, 'hidden'))).toEqual([]);
  const [plum] = ask(at, 'plum').hits;
  expect(plum).toMatchObject({ id: 'm', title: 'Fruit of the day', atMs: Date.parse('2026-02-03T10:00:09.000Z') });
  expect(plum!.text.trim()).toBe('The plum is ripe.');
  expect(ask(at, 'peach').hits[0]!.passages).toBe(1);
});

test('only the kinds that are asked for, and no more than the limit; the rest is counted', async () => {
  const at = await place({ 'said/x.jsonl': said('A fig.') });
  for (let n = 0; n < 9; n += 1) write(at, `pages/${n}.md`, 'A fig.');
  expect(names(ask(at, 'fig', { kinds: ['said'] }))).toEqual(['x']);
  const found = ask(at, 'fig', { limit: 3 });
  expect(found.hits).toHaveLength(3);
  expect(found).toMatchObject({ total: 10, searched: { sources: 10, passages: 10, unread: 0, leftOut: 0 } });
});

test('links, pipes, binary and huge files do no harm', async () => {
  const at = await place({
    'pages/good.md': 'A grape.',
    'pages/binary.md': Buffer.from('A grape\0\u0001\u0002'),
    'pages/utf16.md': Buffer.from('A grape.', 'utf16le'),
    'pages/latin1.md': Buffer.from('A gr\u00e4pe and a grape.', 'latin1'),
    'pages/long-line.md': `${'grape'.repeat(400_000)} `,
    'pages/huge.md': `A grape.\n${'x y z\n'.repeat(500_000)}A melon.`,
    'pages/marks.md': 'A \u001egrape\u001f0:0\u001f\u001e1:2:3:4\u001f grape',
    'pages/fields.md': `---\n${'title: [\n'.repeat(100)}---\nA grape.`,
    'outside/secret.md': 'A grape.',
  });
  symlinkSync(join(at.root, 'outside/secret.md'), join(at.root, 'pages/link.md'));
  symlinkSync(join(at.root, 'outside'), join(at.root, 'pages/linked'));
  symlinkSync(join(at.root, 'pages'), join(at.root, 'pages/loop'));
  execFileSync('mkfifo', [join(at.root, 'pages/pipe.md')]);
  mkdirSync(join(at.root, 'pages/folder.md'));
  const found = ask(at, 'grape');
  expect(names(found).toSorted()).toEqual(['fields', 'good', 'huge', 'latin1', 'long-line', 'marks']);
  expect(found.searched.leftOut).toBe(3);
  expect(names(ask(at, 'melon'))).toEqual([]);
  rmSync(join(at.root, 'said'), { recursive: true, force: true });
  symlinkSync(join(at.root, 'outside'), join(at.root, 'said'));
  write(at, 'outside/x.jsonl', said('A grape.'));
  expect(names(ask(at, 'grape'))).not.toContain('x');
});

test('a page of many beginnings, or a field of many blanks, is read as soon as any other', () => {
  expect(pageFacts(`---\ntitle: Far\n---\n${'\r---\n'.repeat(80_000)}`).title).toBe('Far');
  expect(pageFacts(`---\n${'\r---\n'.repeat(80_000)}# Near\n`).title).toBe('Near');
  const fields = ['\r', '\u2028'].map((end) => `${' '.repeat(5_900)}far${end}away\n`).join('');
  const { passages } = cut({ kind: 'page' }, Buffer.from(`---\n${fields.repeat(20)}---\nNear.\n`), true);
  const words = passages.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  expect(words).toEqual([...Array(40).fill('far away'), 'Near.']);
});

test('whatever the bytes are, cutting them fails nowhere and loses nothing', () => {
  for (const form of [lines, talk, { kind: 'page' } as const]) {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9_000 }), fc.boolean(), (given, isEnd) => {
        const bytes = Buffer.from(given);
        const { passages, used } = cut(form, bytes, isEnd);
        expect(used).toBeLessThanOrEqual(bytes.length);
        for (const { from, to } of passages) expect(from).toBeLessThan(to);
        for (const { from, to, isFields, text } of passages)
          if (form.kind === 'page') expect(textOf(form, bytes.subarray(from, to), isFields)).toBe(text);
      }),
      { numRuns: 100 },
    );
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const { text: folded, from } = foldWithPlaces(text);
      expect(from).toHaveLength(folded.length + 1);
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test('a killed search leaves nothing that the next one stumbles over', async () => {
  const at = await place();
  for (let n = 0; n < 40; n += 1) write(at, `said/${n}.jsonl`, said(`Kiwi ${n} ${filler}`).repeat(20));
  const { total, searched } = ask(at, 'kiwi');
  expect(total).toBe(40);
  const folder = join(at.home, 'tally');
  const list = join(folder, 'sources.jsonl');
  const text = join(folder, '0.text');
  const again = (): Found => {
    at.engine = createEngine();
    return ask(at, 'kiwi');
  };
  const damage: readonly (() => void)[] = [
    () => appendFileSync(text, '\u001e1:0:9:0\u001fkiwi that nobody wrote\n'),
    () => appendFileSync(list, '{"n":3,"key":"said/torn'),
    () => truncateSync(list, statSync(list).size - 30),
    () => truncateSync(text, 100),
    () => rmSync(text),
    () => writeFileSync(list, 'nonsense\n'),
    () => writeFileSync(list, `${readFileSync(list, 'utf8')}{"n":"?"}\n`),
    () => writeFileSync(list, `{"version":999}\n`),
    () => rmSync(folder, { recursive: true }),
  ];
  for (const [n, harm] of damage.entries()) {
    harm();
    const found = again();
    expect([n, found.total, found.searched.passages]).toEqual([n, 40, searched.passages]);
    expect(found.hits.every(({ text: words }) => words.includes('Kiwi'))).toBe(true);
  }
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder))
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

test('many segments are looked through, and made anew when most of what they hold is of the past', async () => {
  const at = await place();
  const size = (): number =>
    readdirSync(join(at.home, 'tally')).reduce((sum, name) => sum + statSync(join(at.home, 'tally', name)).size, 0);
  const fill = (word: string): void => {
    for (let n = 0; n < 6; n += 1)
      write(at, `pages/${n}.md`, `Lime ${n} ${word}\n${`${filler}${word}${n}\n`.repeat(8_000)}`);
  };
  ask(at, 'nothing');
  // Left by one that was killed.
  for (const n of [0, 1, 2]) write(at, `search/tally/${n}.words`, '\nnothing\n');
  at.engine = createEngine();
  fill('first');
  write(at, 'pages/one.md', 'A pomegranate.');
  utimesSync(join(at.root, 'pages/one.md'), 1, 1);
  expect(names(ask(at, 'pomegranate'))).toEqual(['one']);
  const before = size();
  expect(before).toBeGreaterThan(4 * fullSegment);
  expect(existsSync(join(at.home, 'tally/0.words'))).toBe(true);
  for (const word of ['second', 'third', 'fourth']) {
    fill(word);
    expect(names(ask(at, `${word}3`))).toEqual(['3']);
  }
  expect(names(ask(at, 'first3'))).toEqual([]);
  expect(names(ask(at, 'pomegranate'))).toEqual(['one']);
  ask(at, 'lime');
  expect(size()).toBeLessThan(before * 3.2);
});

test('what cannot be read at once is told, and read by and by; the newest last', async () => {
  const at = await place();
  for (let n = 0; n < 10; n += 1) write(at, `pages/${n}.md`, `A quince. ${filler.repeat(200)}`);
  let found = ask(at, 'quince', { readBytes: 30_000 });
  expect(found.searched.unread).toBe(7);
  for (let tries = 0; found.searched.unread > 0 && tries < 9; tries += 1)
    found = ask(at, 'quince', { readBytes: 30_000 });
  expect(found.total).toBe(10);
  keepOnly(at.engine, at.home, ['another']);
  expect(existsSync(join(at.home, 'tally'))).toBe(false);
  expect(ask(at, 'quince').total).toBe(10);
});

test('a frequent word costs no more than its newest places, and does not hide a rare one', async () => {
  const at = await place({ 'said/old.jsonl': said('Vanilla with rhubarb.') });
  utimesSync(join(at.root, 'said/old.jsonl'), 1, 1);
  write(at, 'said/many.jsonl', Array.from({ length: 4_000 }, (_each, n) => `${said(`Vanilla ${n}.`)}{}\n`).join(''));
  const found = ask(at, 'vanilla rhubarb');
  expect(names(found)[0]).toBe('old');
  expect(found.hits.find(({ id }) => id === 'many')!.passages).toBeLessThan(2_000);
});

test('keys and hashes are not kept whole, and found all the same', async () => {
  const hash = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c';
  const at = await place({
    'pages/a.md': `Commit ${hash.toUpperCase()} of internationalizationsteam, id walrus-20260101-101112-k3f9.`,
  });
  for (const words of [hash, hash.slice(0, 10), 'internationalizationsteam', 'walrus-20260101-101112-k3f9'])
    expect([words, names(ask(at, words))]).toEqual([words, ['a']]);
  const kept = readFileSync(join(at.home, 'tally/0.text'), 'utf8');
  expect(kept).toContain(hash.slice(0, 16));
  expect(kept).not.toContain(hash.slice(0, 17));
});

test('of frontmatter the values are shown, and a page that is found by its title shows how it begins', async () => {
  const at = await place({
    'pages/a.md':
      '---\ntitle: "Walrus watch"\ndate: 2026-01-01\ntags: [coast, ice]\nempty: []\nlog:\n  - event: opened\n    reason: "Seen by Ada"\nnotes: |\n  A long swim.\n---\n\nIt begins here.\n',
  });
  expect(ask(at, 'ada').hits.map(({ text }) => text)).toEqual([
    '2026-01-01 · coast, ice · opened · Seen by Ada · A long swim.',
  ]);
  expect(ask(at, 'watch').hits.map(({ text }) => text.trim())).toEqual(['It begins here.']);
  for (let n = 0; n < 30; n += 1) write(at, `pages/log/${n}.md`, '---\ntitle: Watch log\n---\n\nNothing.\n');
  write(at, 'pages/b.md', 'A quiet swimmer of the coast.');
  expect(names(ask(at, 'watch quiet'))[0]).toBe('b');
});
