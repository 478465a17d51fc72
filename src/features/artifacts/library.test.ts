import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder, writeFiles } from '../../../test/help/repositories.ts';
import { type Library, placesNaming, readLibrary } from './library.ts';
import { linkedInText } from './links.ts';

test('links are read by the syntax: not those in code, nor those that only look like one', async () => {
  const body = [
    'See [a](a.md), [named][ref], ![picture](b.md) and <https://example.com/x.md>.',
    '`[no](c.md)` and \\[no\\](d.md)',
    '',
    '    [no](e.md)',
    '',
    '> - a list with [one](<f g.md>)',
    '',
    '- item',
    '',
    '      under it, [far](j.md) in',
    '',
    '```',
    '[no](h.md)',
    '',
    '[no](h.md)',
    '````',
    '- ~~~ts',
    '  [no](h.md)',
    '  ~~~',
    '- [yes](k.md)',
    '',
    'A line with `a word](l.md) and [m](m.md)`, [n](n.md)',
    '',
    '[ref]: ../i.md "title"',
    '```unclosed',
    '[no](o.md)',
  ].join('\n');
  const names = ['a', 'b', 'f g', 'j', 'k', 'n'].map((name) => `.lore/n/${name}.md`);
  expect([...(await linkedInText('.lore/n/x.md', body))].toSorted()).toEqual(['.lore/i.md', ...names]);
  expect([...(await linkedInText('.lore/n/x.md', body.replaceAll('\n', '\r\n')))].toSorted()).toEqual([
    '.lore/i.md',
    ...names,
  ]);
});

test('a long list of links is read in pieces, whole', async () => {
  const body = Array.from({ length: 300 }, (_, at) => `- [number ${at}](${at}.md)`).join('\n');
  expect((await linkedInText('.lore/x.md', body)).size).toBe(300);
});

test('a line of hundreds of quotes or lists in each other is left out: it alone would take a second', async () => {
  const deep = `${'> - '.repeat(900)}[b](b.md)`;
  const body = `${deep}\n> > - 1. [a](a.md)\n`;
  expect([...(await linkedInText('.lore/x.md', body))]).toEqual(['.lore/a.md']);
});

test.each([
  ['quotes in quotes', '> '.repeat(100_000)],
  ['lists in lists', '- '.repeat(100_000)],
  ['both', '> - '.repeat(50_000)],
  ['open brackets', '['.repeat(100_000)],
  ['open links', '[a]('.repeat(50_000)],
  ['definitions', '[a]: b.md\n'.repeat(1000)],
])('hostile text does not hold the hall up: %s', async (_what, hostile) => {
  // Were the whole of it read at once, it would take minutes to hours.
  const found = await linkedInText('.lore/x.md', `[a](a.md)\n\n${hostile}.md](\n\n[z](z.md)\n`);
  expect([...found]).toEqual(expect.arrayContaining(['.lore/a.md', '.lore/z.md']));
});

test('long lines of signs of emphasis are read within the limit of a test, a hundred of them', async () => {
  // A reader of the whole syntax takes a second for each.
  const text = `[a](b.md) ${'*_'.repeat(1900)}\n\n`.repeat(100);
  expect([...(await linkedInText('.lore/x.md', text))]).toEqual(['.lore/b.md']);
});

const namers = async (library: Library, root: string, path: string): Promise<string[]> => {
  const { entries } = await readLibrary(library, root);
  const found: string[] = [];
  for (const [from, entry] of entries)
    for (const place of await placesNaming(root, from, entry, path)) found.push(`${from} ${place}`);
  return found.toSorted();
};

test('what is known follows the files: changed, new, moved, gone', async () => {
  const root = await tempFolder();
  writeFiles(root, {
    '.lore/a.md': '---\ntitle: A\nrelated: [.lore/b.md]\nlinked_artifacts: .lore/b.md\n---\n[b](b.md)\n',
    '.lore/c.md': '# C\n\n`[b](b.md)`\n',
    'd.md': '[b](.lore/b.md)\n',
  });
  const library: Library = new Map();
  expect(await namers(library, root, '.lore/b.md')).toEqual([
    '.lore/a.md linked_artifacts',
    '.lore/a.md related',
    '.lore/a.md text',
  ]);
  const before = (await readLibrary(library, root)).entries;
  writeFileSync(join(root, '.lore/c.md'), '# C\n\n[the b](./b.md)\n');
  mkdirSync(join(root, '.lore/sub'));
  writeFileSync(join(root, '.lore/sub/d.md'), '[b](../b.md)\n');
  renameSync(join(root, '.lore/a.md'), join(root, '.lore/z.md'));
  expect(await namers(library, root, '.lore/b.md')).toEqual([
    '.lore/c.md text',
    '.lore/sub/d.md text',
    '.lore/z.md linked_artifacts',
    '.lore/z.md related',
    '.lore/z.md text',
  ]);
  rmSync(join(root, '.lore/sub'), { recursive: true });
  const after = (await readLibrary(library, root)).entries;
  expect([...after.keys()].toSorted()).toEqual(['.lore/c.md', '.lore/z.md']);
  expect((await readLibrary(library, root)).entries.get('.lore/c.md')).toBe(after.get('.lore/c.md'));
  expect(after.get('.lore/c.md')).not.toBe(before.get('.lore/c.md'));
  expect((await readLibrary(library, join(root, 'nowhere'))).entries.size).toBe(0);
});
