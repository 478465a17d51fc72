import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listArtifacts, readArtifact, updateArtifact } from './read.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'gh-read-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});
const place = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
};
const notUtf8 = Buffer.from([...Buffer.from('---\na: 1\n---\nok\nx '), 0xff, 0xfe, 0x00]);

describe('readArtifact', () => {
  test('a document, with the path in its problems', async () => {
    await place('.lore/a.md', '---\ntitle: T\nx: [\n---\nbody');
    expect(await readArtifact(root, '.lore/a.md')).toMatchObject({
      frontmatter: { title: 'T' },
      body: 'body',
      problems: [{ file: '.lore/a.md', line: 4, column: 1 }],
    });
  });

  test('what is not there, and what leads out', async () => {
    await mkdir(join(root, '.lore'));
    await expect(readArtifact(root, '.lore/a.md')).rejects.toMatchObject({ code: 'not_found' });
    await expect(readArtifact(root, '.lore')).rejects.toMatchObject({ code: 'not_found' });
    await expect(readArtifact(root, '../x.md')).rejects.toMatchObject({ code: 'invalid' });
  });

  test('bytes that are no text: a problem with its place', async () => {
    await place('a.md', notUtf8);
    expect((await readArtifact(root, 'a.md')).problems).toEqual([
      { file: 'a.md', line: 5, column: 3, message: 'The file is not UTF-8 text here.' },
    ]);
    await place('b.md', 'a real \ufffd is text');
    expect((await readArtifact(root, 'b.md')).problems).toEqual([]);
  });
});

describe('updateArtifact', () => {
  test('edits of one file at the same time are all kept [SYS-WRITE-ATOMIC]', async () => {
    await place('a.md', '---\nlog: []\n---\nbody\n');
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => updateArtifact(root, 'a.md', { append: { log: [index] } })),
    );
    const { frontmatter, body } = await readArtifact(root, 'a.md');
    expect(frontmatter['log']).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(body).toBe('body\n');
  });

  test('decides from what is there', async () => {
    await place('a.md', '---\nn: 1\n---\n');
    const changed = await updateArtifact(root, 'a.md', ({ frontmatter }) => ({
      set: { n: Number(frontmatter['n']) + 1 },
    }));
    expect(changed.frontmatter).toEqual({ n: 2 });
  });

  test('a file that is no text is not touched', async () => {
    await place('a.md', notUtf8);
    await expect(updateArtifact(root, 'a.md', { set: { a: 2 } })).rejects.toMatchObject({ code: 'conflict' });
    expect(await readFile(join(root, 'a.md'))).toEqual(notUtf8);
  });
});

describe('listArtifacts', () => {
  test('a project without the folder has none', async () => {
    expect(await listArtifacts(root)).toEqual([]);
  });

  test('title, date, status and tags in whatever form; broken files are listed too [SYS-READ-TOLERANT]', async () => {
    await place('.lore/b/plan.md', '---\ntitle: "P"\ndate: 2026-01-02\nstatus: open\ntags: [x, 7]\n---\n# Other\n');
    await place('.lore/a.md', '# From *heading* #\n\ntext');
    await place('.lore/c.MD', 'no heading');
    await place('.lore/broken.md', '---\ntitle: B\nx: {\n---\n');
    await place('.lore/garbage.md', Buffer.from([0xff, 0, 1, 2]));
    await place('.lore/empty.md', '');
    await place('.lore/tag.md', '---\ntags: single\ntitle: ""\n---\n');
    await place('.lore/other.txt', 'x');
    await place('.lore/.guild-hall-1-1.tmp', 'x');
    const list = await listArtifacts(root);
    expect(list.map(({ path, title, problems }) => [path, title, problems.length])).toEqual([
      ['.lore/a.md', 'From *heading*', 0],
      ['.lore/b/plan.md', 'P', 0],
      ['.lore/broken.md', 'B', 1],
      ['.lore/c.MD', 'c', 0],
      ['.lore/empty.md', 'empty', 0],
      ['.lore/garbage.md', 'garbage', 1],
      ['.lore/tag.md', 'tag', 0],
    ]);
    expect(list[1]).toMatchObject({ date: '2026-01-02', status: 'open', tags: ['x', '7'] });
    expect(list[6]).toMatchObject({ date: null, status: null, tags: ['single'] });
    expect((await listArtifacts(root, '.lore/b')).map(({ path }) => path)).toEqual(['.lore/b/plan.md']);
  });

  test('links and other repositories are not followed; a link as the folder itself only inside', async () => {
    await place('outside.md', 'x');
    await place('.lore/sub/.git/x.md', 'x');
    await symlink(join(root, 'outside.md'), join(root, '.lore/link.md'));
    await symlink(root, join(root, '.lore/loop'));
    expect(await listArtifacts(root)).toEqual([]);
    await symlink(tmpdir(), join(root, 'out'));
    expect(await listArtifacts(root, 'out')).toMatchObject(
      [{ path: 'out', problems: [{ message: /link/ }] }].map(() => ({ path: 'out' })),
    );
  });

  test('a long file is summed up from its head', async () => {
    await place('.lore/long.md', `---\ntitle: L\n---\n${'é🙂 text\n'.repeat(700_000)}`);
    expect(await listArtifacts(root)).toMatchObject([{ title: 'L', problems: [] }]);
  });

  test.runIf(process.getuid?.() !== 0)('a file without permission is listed with the reason', async () => {
    await place('.lore/secret.md', 'x');
    await chmod(join(root, '.lore/secret.md'), 0);
    expect(await listArtifacts(root)).toMatchObject([{ title: 'secret', problems: [{ line: 1 }] }]);
  });
});
