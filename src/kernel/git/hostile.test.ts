/** Worktrees as an agent that means harm would leave them: each is saved soon, and nothing of them is run or waited for. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HallRepository, makeHallRepository } from '../../../test/help/hall-repository.ts';
import type { TestRepository } from '../../../test/help/repositories.ts';
import { removeTree } from './removal.ts';
import { saveEverything } from './saving.ts';

const within = 'mkdir sub && git init -q sub && echo kept > sub/x';

/** Words for a shell in the worktree; what is changed by the commit that keeps its work. */
const rows: readonly (readonly [name: string, script: string, kept: string])[] = [
  [
    'pipes as files of git',
    'mkfifo .gitignore .gitattributes .gitmodules && mkdir d && mkfifo d/.gitignore && echo x > d/x',
    'd/x',
  ],
  ['a pipe in the place of a file', 'rm README.md && mkfifo README.md && echo x > x', 'README.md x'],
  ['a repository within whose settings cannot be read', `${within} && echo "[broken" > sub/.git/config`, 'sub/x'],
  ['one of a version to come', `${within} && git -C sub config core.repositoryformatversion 99`, 'sub/x'],
  ['one whose files are elsewhere', `${within} && git -C sub config core.worktree /usr`, 'sub/x'],
  ['one without files', `${within} && git -C sub config core.bare true`, 'sub/x'],
  ['one with a broken index', `${within} && echo nothing > sub/.git/index`, 'sub/x'],
  ['one made of pipes', `${within} && cd sub/.git && rm HEAD config && mkfifo HEAD config index`, 'sub/x'],
  [
    'one that is told to wait',
    `${within} && mkfifo /tmp/p$$ && git -C sub config core.excludesFile /tmp/p$$ && echo $$`,
    'sub/x',
  ],
  [
    'a submodule whose settings cannot be read',
    'git init -q vendor && echo "[broken" > vendor/.git/config && echo x > x',
    'x',
  ],
  [
    'a submodule made of pipes',
    'git init -q vendor && rm vendor/.git/HEAD && mkfifo vendor/.git/HEAD && echo x > x',
    'x',
  ],
];

async function workedIn(
  script: string,
): Promise<{ hall: HallRepository; tree: TestRepository; save: () => Promise<string | undefined> }> {
  const hall = await makeHallRepository({ files: { 'README.md': '#\n' } });
  const oid = hall.hall.git('rev-parse', 'HEAD');
  hall.hall.git('update-index', '--add', '--cacheinfo', `160000,${oid},vendor`);
  hall.hall.git('commit', '--quiet', '-m', 'A submodule');
  const tree = await hall.activity('one');
  execFileSync('sh', ['-ec', `mkdir -p vendor; ${script}`], { cwd: tree.path });
  const words = { message: 'Keep', trailer: 'activity one', owner: 'one' };
  return { hall, tree, save: () => saveEverything(hall.ctx, { repo: hall.repo.path, worktree: tree.path, ...words }) };
}

const changedBy = (tree: TestRepository, commit: string | undefined): string =>
  tree.git('diff-tree', '-r', '--no-commit-id', '--name-only', commit!).split('\n').join(' ');

describe('is saved at once, whatever stands in it [COM-14.3]', () => {
  test.each(rows)('%s', { timeout: 20_000 }, async (_name, script, kept) => {
    const { tree, save } = await workedIn(script);
    expect(changedBy(tree, await save())).toBe(kept);
    expect(await save()).toBeUndefined();
  });
});

test('filters and monitors of a submodule that an agent made its own are never started [SYS-GIT-HOOKS, SEC-SANDBOX-GIT]', async () => {
  const mine = 'git config user.name A && git config user.email a@example.invalid';
  const { hall, tree, save } = await workedIn(
    `cd vendor && git init -q && ${mine} && echo "* filter=own" > .gitattributes && echo a > a && git add . && git commit -qm x`,
  );
  await save();
  // As a project whose submodule is at that commit has it.
  const proof = join(hall.ctx.home.root, 'was-run');
  const vendor = tree.git('-C', 'vendor', 'rev-parse', 'HEAD');
  tree.git('update-index', '--cacheinfo', `160000,${vendor},vendor`);
  tree.git('commit', '--quiet', '--allow-empty', '-m', 'As it stands');
  for (const name of ['filter.own.clean', 'filter.own.process', 'core.fsmonitor']) {
    tree.git('-C', 'vendor', 'config', name, `touch ${proof}; cat`);
  }
  execFileSync('sh', ['-c', 'echo b > vendor/a; touch -d 2001-01-01 vendor/a; echo x > x'], { cwd: tree.path });
  expect(changedBy(tree, await save())).toBe('x');
  expect(existsSync(proof)).toBe(false);
});

// As root nothing is closed: there it only shows that nothing is broken by it.
test('files and folders that an agent closed are work all the same, and go with the rest', async () => {
  const { tree, save } = await workedIn(
    'mkdir d; echo x > d/x; echo y > y; echo z > README.md; chmod 000 d/x d y README.md',
  );
  expect(changedBy(tree, await save())).toBe('README.md d/x y');
  execFileSync('sh', ['-c', 'chmod 000 d'], { cwd: tree.path });
  await removeTree(tree.path);
  expect(existsSync(tree.path)).toBe(false);
});

test('folders that lie too deep to be named are removed with the rest', async () => {
  const { tree, save } = await workedIn('echo x > x');
  const deep = `const fs = require('fs'); for (let i = 0; i < 200; i++) { fs.mkdirSync('d'.repeat(40)); process.chdir('d'.repeat(40)); } fs.writeFileSync('x', '');`;
  execFileSync(process.execPath, ['-e', deep], { cwd: tree.path });
  expect(changedBy(tree, await save())).toBe('x');
  await removeTree(tree.path);
  expect(existsSync(tree.path)).toBe(false);
});
