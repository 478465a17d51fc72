/** What a meeting made, seen before it is merged: its artifacts, its changes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Conflicts } from '../../src/features/forecast/contract.ts';
import type { MeetingArtifactShown, MeetingDiff } from '../../src/features/meetings/contract.ts';
import { waitUntil } from '../help/programs.ts';
import { close, openMeeting, say, show, startHallWithProject, type TestHall } from '../help/halls.ts';

const files = {
  'src/count.ts': 'export const count = 1;\n',
  '.lore/notes/old.md': '# Old\n\nAs it was.\n',
  '.lore/notes/linked.md': '---\ntitle: Linked only\n---\nText\n',
};
const scenario = `
- match: link it
  do:
    - call: { tool: link_artifact, input: { path: .lore/notes/linked.md } }
    - call: { tool: write_artifact, input: { path: .lore/notes/new.md, content: "---\\ntitle: Brand new\\n---\\n# New\\n\\nWords" } }
    - say: Done.
`;
const artifact = async (hall: TestHall, id: string, path: string): Promise<MeetingArtifactShown> =>
  (await hall.client.call('meeting.artifact', { id, path })) as MeetingArtifactShown;
const diff = async (hall: TestHall, id: string): Promise<MeetingDiff> =>
  (await hall.client.call('meeting.diff', { id })) as MeetingDiff;

test('artifacts and changes of an open meeting, uncommitted ones included, and none of them in the project yet [MTG-27.1]', async () => {
  const { hall, repo } = await startHallWithProject({ files, scenario });
  const { id, worktree, path: record } = await openMeeting(hall, { message: 'link it' });
  writeFileSync(join(worktree, '.lore/notes/old.md'), '# Old, mended\n\nAs it is.\n');
  writeFileSync(join(worktree, 'src/count.ts'), 'export const count = 2;\n');
  writeFileSync(join(worktree, 'picture.bin'), 'a\0b');
  const view = await show(hall, id);
  expect(view.artifacts).toEqual([
    { path: '.lore/notes/new.md', status: 'new', title: 'Brand new' },
    { path: '.lore/notes/old.md', status: 'changed', title: 'Old, mended' },
    { path: '.lore/notes/linked.md', status: 'same', title: 'Linked only' },
  ]);
  expect(view.changedFiles).toEqual([
    { path: '.lore/notes/new.md', status: 'A' },
    { path: '.lore/notes/old.md', status: 'M' },
    { path: 'picture.bin', status: 'A' },
    { path: 'src/count.ts', status: 'M' },
  ]);
  expect(await artifact(hall, id, './.lore//notes/new.md')).toMatchObject({
    id,
    path: '.lore/notes/new.md',
    status: 'new',
    title: 'Brand new',
    isText: true,
    content: '---\ntitle: Brand new\n---\n# New\n\nWords',
    frontmatter: { title: 'Brand new' },
    body: '# New\n\nWords',
  });
  expect(await artifact(hall, id, '.lore/notes/old.md')).toMatchObject({ status: 'changed' });
  const { base, files: changed, more } = await diff(hall, id);
  expect([base, more]).toEqual([repo.git('merge-base', 'claude/main', `claude/meeting/${id}`), 0]);
  expect(changed.map(({ path }) => path)).not.toContain(record);
  expect(changed.find(({ path }) => path === 'src/count.ts')).toEqual({
    path: 'src/count.ts',
    status: 'M',
    isBinary: false,
    text: '@@ -1 +1 @@\n-export const count = 1;\n+export const count = 2;\n',
    isCut: false,
    added: 1,
    removed: 1,
  });
  expect(changed.find(({ path }) => path === 'picture.bin')).toMatchObject({ isBinary: true, text: '' });
  expect(repo.git('ls-tree', '-r', '--name-only', 'claude/main')).not.toContain('new.md');
  expect(repo.git('status', '--porcelain')).toBe('');
  await close(hall, id);
  expect(await show(hall, id)).toMatchObject({ artifacts: [], changedFiles: [] });
  expect(await diff(hall, id)).toMatchObject({ base: null, files: [] });
  await expect(artifact(hall, id, '.lore/notes/new.md')).rejects.toMatchObject({
    code: 'not_found',
    message: `Meeting ${id} has no work that is not merged.`,
  });
});

test('a conflict is foreseen on both meetings; of it, whose worktree is gone, they are read from the branch [SYS-FORECAST]', async () => {
  const { hall, repo } = await startHallWithProject({ files, scenario });
  const { id, worktree } = await openMeeting(hall, { message: 'link it' });
  writeFileSync(join(worktree, 'src/count.ts'), 'export const count = 2;\n');
  const other = await openMeeting(hall, { message: 'Hello' });
  writeFileSync(join(other.worktree, 'src/count.ts'), 'export const count = 3;\n');
  const foreseen = { kind: 'meeting', files: ['src/count.ts'], isConflict: true };
  // An answer may be some seconds old.
  await waitUntil(async () => (await show(hall, id)).conflicts.length > 0);
  expect((await show(hall, id)).conflicts).toMatchObject([{ id: other.id, ...foreseen }]);
  expect((await show(hall, other.id)).conflicts).toMatchObject([{ id, ...foreseen }]);
  const { pairs } = (await hall.client.call('project.conflicts', {})) as Conflicts;
  expect(pairs).toMatchObject([{ a: { kind: 'meeting' }, b: { kind: 'meeting' }, isConflict: true }]);
  await close(hall, other.id);
  expect(await close(hall, id)).toMatchObject({ merge: { state: 'merge_conflict' } });
  const view = await show(hall, id);
  expect(view.worktree).toBeNull();
  expect(view.artifacts.map(({ path, status }) => [path, status])).toEqual([
    ['.lore/notes/new.md', 'new'],
    ['.lore/notes/linked.md', 'same'],
  ]);
  expect(await artifact(hall, id, '.lore/notes/new.md')).toMatchObject({ status: 'new', title: 'Brand new' });
  const { files: changed } = await diff(hall, id);
  expect(changed.map(({ path }) => path)).toEqual(['.lore/notes/new.md', 'src/count.ts']);
  expect(repo.git('status', '--porcelain')).toBe('');
});

test('nothing but plain files below .lore/ is read, however they are named or linked; a broken worktree hides only its changes', async () => {
  const { hall, repo } = await startHallWithProject({ files, scenario });
  const { id, worktree } = await openMeeting(hall, { message: 'Hello' });
  const notes = join(worktree, '.lore/notes');
  symlinkSync('/etc/passwd', join(notes, 'passwd.md'));
  symlinkSync(join(hall.home, 'token'), join(notes, 'token.md'));
  symlinkSync('../../src/count.ts', join(notes, 'code.md'));
  symlinkSync(join(hall.home), join(worktree, '.lore/home'));
  execFileSync('mkfifo', [join(notes, 'pipe.md')]);
  writeFileSync(join(notes, 'huge.md'), 'x'.repeat(1024 * 1024 + 1));
  writeFileSync(join(notes, 'bytes.md'), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(notes, 'folder.md'));
  const refused: readonly (readonly [string, string])[] = [
    ['.lore/notes/passwd.md', 'forbidden'],
    ['.lore/notes/token.md', 'forbidden'],
    ['.lore/notes/code.md', 'forbidden'],
    ['.lore/home/token', 'forbidden'],
    ['.lore/notes/pipe.md', 'not_found'],
    ['.lore/notes/folder.md', 'not_found'],
    ['.lore/notes/none.md', 'not_found'],
    ['.lore/notes/huge.md', 'too_large'],
    ['.lore/../src/count.ts', 'forbidden'],
    ['src/count.ts', 'forbidden'],
    ['/etc/passwd', 'forbidden'],
    ['.lore', 'forbidden'],
    ['.lorentz/x.md', 'forbidden'],
  ];
  for (const [path, code] of refused)
    expect([path, await artifact(hall, id, path).catch((error: { code: string }) => error.code)]).toEqual([path, code]);
  expect(await artifact(hall, id, '.lore/notes/bytes.md')).toMatchObject({ isText: false, content: '', body: '' });
  const all = JSON.stringify([await show(hall, id), await diff(hall, id)]);
  for (const secret of ['root:', hall.token]) expect(all).not.toContain(secret);
  rmSync(join(worktree, '.lore'), { recursive: true });
  symlinkSync(hall.home, join(worktree, '.lore'));
  expect(await artifact(hall, id, '.lore/token').catch((error: { code: string }) => error.code)).toBe('forbidden');
  expect((await show(hall, id)).artifacts).toEqual([]);
  rmSync(join(worktree, '.lore'));
  writeFileSync(join(worktree, '.git'), 'gitdir: /nowhere\n');
  expect(await show(hall, id)).toMatchObject({ meeting: { status: 'open' }, changedFiles: [] });
  rmSync(worktree, { recursive: true });
  expect((await show(hall, id)).changedFiles).toEqual([]);
  expect((await say(hall, id, 'Still there?')).events.at(-1)).toMatchObject({ type: 'turn_end' });
  expect(repo.git('worktree', 'list')).toContain(worktree);
});
