import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeRepository, tempFolder } from '../help/repositories.ts';
import { packageRoot, programFile, runProgram, useBuiltProgram } from '../help/programs.ts';

useBuiltProgram();

/** A folder with `guild-hall` on its PATH, as somebody's shell has it. */
async function shellIn(cwd: string): Promise<(line: string) => Promise<string>> {
  const bin = join(await tempFolder(), 'bin');
  mkdirSync(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${programFile()}' "$@"\n`;
  writeFileSync(join(bin, 'guild-hall'), script, { mode: 0o755 });
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH']}`,
    TMPDIR: bin,
    GUILD_HALL_HOME: join(bin, 'home'),
  };
  return async (line) =>
    await new Promise((resolve) => {
      execFile('bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env }, (_, out) => resolve(out));
    });
}

/** Commands of the page's console blocks with what is printed below each. */
function examplesOf(page: string): (readonly [command: string, printed: string])[] {
  const blocks = [...page.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block]) => block!);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const cut = part.indexOf('\n');
        return [part.slice(0, cut), part.slice(cut + 1)] as const;
      }),
  );
}

test('every example of the page of the rule helpers prints what stands there', async () => {
  const page = readFileSync(join(packageRoot, 'docs/guide/rule-helpers.md'), 'utf8');
  // Each part of the page stands for itself, in a repository of its own.
  const parts = page.split(/^## /m).map(examplesOf);
  expect(parts.flat().length).toBeGreaterThan(40);
  await Promise.all(
    parts.map(async (examples) => {
      const { path } = await makeRepository();
      const run = await shellIn(path);
      for (const [command, printed] of examples) expect([command, await run(command)]).toEqual([command, printed]);
    }),
  );
});

describe('a rule helper as a process', () => {
  const run = async (cwd: string, words: readonly string[], input?: string) =>
    await runProgram(
      { ...process.env, TMPDIR: cwd, GUILD_HALL_HOME: join(cwd, 'home') },
      cwd,
      ['rule', ...words],
      input,
    );

  test.each<[words: string[], exitCode: number]>([
    [['raise-hand-arbiter', '--detect', 'no'], 1],
    [['resolve-mode', '--mode='], 4],
    [['no-such-rule'], 3],
    [['--help'], 0],
  ])('%j ends with %i', async (words, exitCode) => {
    const folder = await tempFolder();
    const { exitCode: given, out, err } = await run(folder, words);
    expect(given).toBe(exitCode);
    expect(exitCode === 0 ? err : out).toBe('');
  });

  test('standard input is read, and what is large goes through whole', async () => {
    const folder = await tempFolder();
    const { exitCode, out } = await run(folder, ['scratchpad-detect-type'], `fn go() {\n${'x'.repeat(300_000)}`);
    expect([exitCode, out]).toEqual([0, 'rs\n']);
    const many = await run(folder, ['turn-order', '--invitees', 'Zara,Ivo', '--turns', '50000']);
    expect(many.out.split('\n')).toHaveLength(50_001);
  });

  test('two processes that count at once are both counted', async () => {
    const folder = await tempFolder();
    const tick = ['cost-cadence', '--state', 'deep/counter', '--tick'];
    const ticks = await Promise.all(Array.from({ length: 4 }, async () => (await run(folder, tick)).out));
    expect(ticks.toSorted()).toEqual(['1\n', '2\n', '3\n', '4\n']);
  });
});
