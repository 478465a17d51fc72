import { expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import type { FileContent } from '../../../test/help/repositories.ts';
import { type LookedThrough, lookThroughBranch } from './look-through.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const awsKey = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');
const config = `export const key = '${awsKey}';\n`;

async function lookAt(
  before: Record<string, FileContent>,
  files: Record<string, FileContent>,
  more: (git: (...words: string[]) => string) => void = () => {},
): Promise<LookedThrough> {
  const hall = await makeHallRepository({ files: { 'README.md': 'x\n', ...before } });
  const one = await hall.activity('one');
  one.write(files);
  more((...words) => one.git(...words));
  const tip = one.commit('work');
  return lookThroughBranch(hall.ctx, {
    repo: hall.repo.path,
    integrationBranch: hall.branch,
    tip,
    recordFolders: ['.lore/records'],
  });
}

test('artifacts are masked with their mode kept, other files are named by line; records and deleted files are passed over', async () => {
  const looked = await lookAt(
    { 'old.ts': config },
    {
      '.lore/notes/a b.md': `# A\n\n${awsKey}\n`,
      '.lore/run.sh': { executable: `echo ${awsKey}\n` },
      '.lore/records/wish.md': awsKey,
      '.lore/clean.md': 'nothing\n',
      'src/one.ts': `\n\n${config}${config.replace('ABCDEFG', 'ABCDEFH')}`,
      'src/naïve\nname.ts': config,
      link: { link: `/tmp/${awsKey}` },
      'picture.png': Buffer.from(`\0PNG${awsKey}`),
    },
    (git) => git('rm', '--quiet', 'old.ts'),
  );
  expect(looked.masked.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString()])).toEqual([
    ['.lore/notes/a b.md', '100644', '# A\n\n[secret removed: AWS key]\n'],
    ['.lore/run.sh', '100755', 'echo [secret removed: AWS key]\n'],
  ]);
  expect(looked.secrets.toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line)).toEqual([
    { path: 'link', line: 1, kind: 'AWS key' },
    { path: 'src/naïve\nname.ts', line: 1, kind: 'AWS key' },
    { path: 'src/one.ts', line: 3, kind: 'AWS key' },
    { path: 'src/one.ts', line: 4, kind: 'AWS key' },
  ]);
});

test('what was there before is not new, in a file that was changed', async () => {
  const looked = await lookAt({ 'src/one.ts': config }, { 'src/one.ts': `// more\n${config}` });
  expect(looked).toEqual({ masked: [], secrets: [] });
});

test('a branch that shares nothing with the project is looked through whole', async () => {
  const looked = await lookAt({ 'src/one.ts': config }, {}, (git) => {
    git('checkout', '--quiet', '--orphan', 'claude/activity/other');
  });
  expect(looked.secrets).toEqual([{ path: 'src/one.ts', line: 1, kind: 'AWS key' }]);
});

test('many files, and large ones: one of more than 16 MiB is told, not passed over in silence', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, nth) => [`src/many/${nth}.ts`, `export const n = ${nth};\n`]),
  );
  const line = `${'words of a large file '.repeat(10)}\n`;
  const large = line.repeat(20_000);
  const looked = await lookAt(
    {},
    {
      ...many,
      'src/many/333.ts': config,
      'src/large.txt': `${large}${awsKey}\n${large}`,
      'src/huge.txt': line.repeat(80_000),
    },
  );
  expect(looked.secrets.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: 'src/huge.txt', line: 1, kind: '17 MiB, too large to be looked through' },
    { path: 'src/large.txt', line: 20_001, kind: 'AWS key' },
    { path: 'src/many/333.ts', line: 1, kind: 'AWS key' },
  ]);
});

test("a file that was too large to be read, and is small now, stands in nobody's way", async () => {
  const { secrets } = await lookAt({ 'data.bin': Buffer.alloc(65 * 1024 * 1024) }, { 'data.bin': config });
  expect(secrets).toMatchObject([{ path: 'data.bin', line: 1 }]);
});
