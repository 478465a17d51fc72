import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { makeHallRepository } from '../../../test/help/hall-repository.ts';
import { repositoryAt, tempFolder } from '../../../test/help/repositories.ts';
import { silentLog } from '../log/log.ts';
import { runCommand } from '../processes/command.ts';

const source = new URL('../../../test/fixtures/merge-until-fault.ts', import.meta.url).pathname;

/** One file that starts quickly: it is run many times. */
async function bundled(): Promise<string> {
  const outfile = join(await tempFolder(), 'merge-until-fault.mjs');
  const banner = {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  };
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner,
  });
  return outfile;
}

const files = { 'shared.md': 'before\n', 'other.md': 'o\n' };

/** Dies at the n-th point, is started again, and has then done its work exactly once. */
async function dieAndGoOn(program: string, dieAt: number): Promise<'died' | 'came through'> {
  const hall = await makeHallRepository({ files });
  hall.hall.write({ 'other.md': 'being written', 'unknown.md': 'u' });
  const path = join(hall.ctx.home.root, 'worktrees', 'sample', 'activity-one');
  const branch = 'claude/activity/one';
  const words = [hall.ctx.home.root, hall.repo.path, hall.hall.path, path, branch];
  const run = async (fault: number): Promise<string | number | null> => {
    const env = { ...process.env, GUILD_HALL_FAULT_AT: String(fault) };
    const request = { file: process.execPath, args: [program, ...words], cwd: hall.repo.path, env, timeoutMs: 60_000 };
    const end = await runCommand({ log: silentLog }, request);
    return end.exitCode === 0 ? 0 : (end.signal ?? `${end.exitCode}: ${end.stderr}`);
  };
  const first = await run(dieAt);
  expect(['SIGKILL', 0]).toContain(first);
  // What git was doing when its caller died is done to the end by git itself, or not begun.
  expect(await run(0)).toBe(0);

  const tree = repositoryAt(hall.hall.path);
  expect(tree.git('log', '--format=%s', '--grep=Guild-Hall-Tip')).toBe('Work');
  expect(tree.git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual([
    'other.md',
    'record.md',
    'shared.md',
    'work.md',
  ]);
  expect(tree.git('show', 'HEAD:record.md')).toBe('closed');
  expect(tree.git('status', '--porcelain')).toBe(' M other.md\n?? unknown.md');
  expect(readFileSync(join(tree.path, 'shared.md'), 'utf8')).toBe('work of one, longer than before\n');
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(dirname(path))).toEqual([]);
  expect(tree.git('branch', '--list', '--format=%(refname:short)')).toBe('claude/main\nmain');
  expect(tree.git('worktree', 'list').split('\n')).toHaveLength(2);
  const gitDir = tree.git('rev-parse', '--absolute-git-dir');
  expect(readdirSync(gitDir).filter((name) => /guild-hall-index|lock/.test(name))).toEqual([]);
  return first === 0 ? 'came through' : 'died';
}

describe('a process killed between any two git steps', () => {
  // Every eleventh point, to be quick; with a step of 1 it tries each.
  test('goes on from there: nothing twice, nothing lost, nothing left lying about [SYS-CRASH]', async () => {
    const program = await bundled();
    let dieAt = 4;
    while ((await dieAndGoOn(program, dieAt)) === 'died') dieAt += 11;
    expect(dieAt).toBeGreaterThan(60);
  }, 120_000);
});
