import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../log/log.ts';
import { runCommand } from '../processes/command.ts';
import {
  appendDurably,
  createExclusively,
  isTempFileName,
  readTextIfExists,
  removeStaleTempFiles,
  writeAtomically,
} from './write.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-write-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

describe('writeAtomically', () => {
  test('writes text and bytes, makes folders, leaves no temporary file', async () => {
    await writeAtomically(join(folder, 'a/b/c.md'), 'é🙂\n');
    await writeAtomically(join(folder, 'a/b/d.bin'), Buffer.from([0, 255, 10]));
    expect(await readFile(join(folder, 'a/b/c.md'), 'utf8')).toBe('é🙂\n');
    expect([...(await readFile(join(folder, 'a/b/d.bin')))]).toEqual([0, 255, 10]);
    expect(await readdir(join(folder, 'a/b'))).toEqual(['c.md', 'd.bin']);
  });

  test('keeps the mode of the file that is there, and sets the one asked for', async () => {
    const path = join(folder, 'x');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await writeAtomically(path, 'new');
    expect(await modeOf(path)).toBe(0o640);
    await writeAtomically(path, 'newer', { mode: 0o600 });
    expect(await modeOf(path)).toBe(0o600);
  });

  test('a symbolic link is replaced, what it points at is not touched', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, 'mine');
    await symlink(outside, join(folder, 'link'));
    await writeAtomically(join(folder, 'link'), 'hall');
    expect(await readFile(outside, 'utf8')).toBe('mine');
    expect((await lstat(join(folder, 'link'))).isSymbolicLink()).toBe(false);
  });

  test('writes to one path are done in the order of the calls', async () => {
    const path = join(folder, 'x');
    const sizes = Array.from({ length: 30 }, (_, index) => (30 - index) * 1000);
    await Promise.all(sizes.map((size) => writeAtomically(path, 'x'.repeat(size))));
    expect((await stat(path)).size).toBe(1000);
  });

  test('a reader never sees a part [SYS-WRITE-ATOMIC]', async () => {
    const path = join(folder, 'x');
    await writeAtomically(path, 'a'.repeat(300_000));
    let writing = true;
    const writer = (async () => {
      for (const letter of 'bcdefghij') await writeAtomically(path, letter.repeat(300_000));
      writing = false;
    })();
    while (writing) {
      const seen = await readFile(path, 'utf8');
      expect(seen).toBe(seen[0]!.repeat(300_000));
    }
    await writer;
  });

  test('a failed write leaves the old file and no temporary one [SYS-WRITE-ATOMIC]', async () => {
    const path = join(folder, 'x');
    await mkdir(path);
    await expect(writeAtomically(path, 'text')).rejects.toThrow('EISDIR');
    expect(await readdir(folder)).toEqual(['x']);
  });
});

describe('appendDurably', () => {
  test('many appends at once are all kept, each whole, with the mode asked for [SYS-WRITE-ATOMIC]', async () => {
    const path = join(folder, 'log');
    const lines = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(index)}\n`);
    await Promise.all(lines.map((line) => appendDurably(path, line, { mode: 0o600 })));
    expect(await readFile(path, 'utf8')).toBe(lines.join(''));
    expect(await modeOf(path)).toBe(0o600);
  });

  test('an append that meets a replacement is not lost [SYS-WRITE-ATOMIC]', async () => {
    const path = join(folder, 'log');
    const work = [writeAtomically(path, 'start\n')];
    for (let index = 0; index < 20; index += 1) work.push(appendDurably(path, `${index}\n`));
    await Promise.all(work);
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(22);
  });

  test('a symbolic link is refused', async () => {
    await writeFile(join(folder, 'outside'), 'mine');
    await symlink(join(folder, 'outside'), join(folder, 'link'));
    await expect(appendDurably(join(folder, 'link'), 'x')).rejects.toThrow('ELOOP');
    expect(await readFile(join(folder, 'outside'), 'utf8')).toBe('mine');
  });
});

describe('createExclusively', () => {
  test('one of many callers makes the file', async () => {
    const path = join(folder, 'x');
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => createExclusively(path, String(index))));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(String(made.indexOf(true)));
    expect(await readdir(folder)).toEqual(['x']);
  });

  test('a dangling link counts as taken', async () => {
    await symlink(join(folder, 'nowhere'), join(folder, 'x'));
    expect(await createExclusively(join(folder, 'x'), 'text')).toBe(false);
    expect(await readTextIfExists(join(folder, 'nowhere'))).toBeUndefined();
  });
});

test('readTextIfExists: text, undefined, or the failure', async () => {
  await writeFile(join(folder, 'x'), 'text');
  expect(await readTextIfExists(join(folder, 'x'))).toBe('text');
  expect(await readTextIfExists(join(folder, 'y'))).toBeUndefined();
  expect(await readTextIfExists(join(folder, 'x/y'))).toBeUndefined();
  await expect(readTextIfExists(folder)).rejects.toThrow('EISDIR');
});

describe('temporary files', () => {
  test('those of dead processes go, those of living ones and other files stay', async () => {
    const dead = 99_999_999;
    await mkdir(join(folder, 'deep/er'), { recursive: true });
    const stale = [
      `.guild-hall-${dead}-1.tmp`,
      `deep/er/.guild-hall-${dead}-2.tmp`,
      `.guild-hall-${process.pid}-0.tmp`,
    ];
    const kept = [`.guild-hall-${process.ppid}-1.tmp`, 'notes.md', '.guild-hall-x-1.tmp'];
    for (const name of [...stale, ...kept]) await writeFile(join(folder, name), '');
    expect(await removeStaleTempFiles(folder)).toBe(3);
    expect((await readdir(folder)).toSorted()).toEqual([...kept, 'deep'].toSorted());
    expect(await readdir(join(folder, 'deep/er'))).toEqual([]);
    expect(await removeStaleTempFiles(join(folder, 'missing'))).toBe(0);
  });

  test('names', () => {
    expect(isTempFileName('.guild-hall-12-3.tmp')).toBe(true);
    expect(isTempFileName('plan.md')).toBe(false);
  });

  test.each(['before', 'after'])(
    'a process that dies at write:%s leaves the old or the new file whole [SYS-WRITE-ATOMIC]',
    async (moment) => {
      const path = join(folder, 'x.md');
      const script = `const { writeAtomically } = await import(${JSON.stringify(new URL('write.ts', import.meta.url).href)});
      await writeAtomically(${JSON.stringify(path)}, 'old'); await writeAtomically(${JSON.stringify(path)}, 'new');`;
      const child = await runCommand(
        { log: silentLog },
        {
          file: process.execPath,
          args: ['--import', 'tsx', '--input-type=module', '-e', script],
          cwd: process.cwd(),
          env: { ...process.env, GUILD_HALL_FAULT_AT: '2', GUILD_HALL_FAULT_MATCH: `write:${moment}:x.md` },
          timeoutMs: 20_000,
        },
      );
      expect(child.signal).toBe('SIGKILL');
      expect(await readFile(path, 'utf8')).toBe(moment === 'before' ? 'old' : 'new');
    },
  );
});

test('folders that are made for a file that others may not read are closed to them, those for another are not [SYS-HOME]', async () => {
  await writeAtomically(join(folder, 'own/deep/a.json'), '{}', { mode: 0o600 });
  await createExclusively(join(folder, 'own/other/b.json'), '{}', { mode: 0o600 });
  await writeAtomically(join(folder, 'shown/c.md'), '#\n');
  const modes = await Promise.all(['own', 'own/deep', 'own/other', 'shown'].map((name) => modeOf(join(folder, name))));
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o777 & ~process.umask()]);
});
