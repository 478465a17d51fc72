/** Tab in the real shells, with a hall in a process of its own. */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freshHome, type Home, programFile, type Up, useBuiltProgram } from '../help/programs.ts';
import { type Pty, startOnTerminal } from '../help/pty.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

interface Desk {
  readonly home: Home;
  /** With the program on its PATH, as `guild-hall`. */
  readonly env: NodeJS.ProcessEnv;
}

async function desk(): Promise<Desk> {
  const home = await freshHome();
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  const program = join(bin, 'guild-hall');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${programFile()}' "$@"\n`);
  chmodSync(program, 0o755);
  return { home, env: { ...home.env, PATH: `${bin}:${process.env['PATH']}`, LC_ALL: 'C.UTF-8' } };
}

/** With one open meeting, and an artifact whose name a shell would run if it were not quoted. */
async function busyDesk(): Promise<Desk & { readonly short: string }> {
  const made = await desk();
  const { home } = made;
  await home.json<Up>('up', '--detach', '--port', '0');
  const repository = await makeRepository({
    files: { '.lore/odd/a $(touch pwned) b.md': '# Odd\n', '.lore/plain.md': '# Plain\n' },
  });
  await home.json('project', 'add', repository.path, '--name', 'shop');
  const { id } = await home.json<{ id: string }>('meeting', 'open', '--worker', 'researcher', 'Where is x?');
  return { ...made, short: id.slice(-4) };
}

/** What a shell says to a script of its own. */
async function inShell({ home, env }: Desk, words: readonly string[]): Promise<string> {
  const [file = '', ...args] = words;
  return await new Promise((resolve) => {
    execFile(file, args, { env, cwd: home.folder }, (_error, out, err) => resolve(out + err));
  });
}

async function interactive({ home, env }: Desk, words: readonly string[], setup: string): Promise<Pty> {
  const pty = startOnTerminal(words, { env: { ...env, PS1: '> ' }, cwd: home.folder });
  // What is typed is written too: the mark is put together by the shell.
  pty.type(`${setup}; printf '%s%s\\n' rea dy\n`);
  await pty.until('ready');
  return pty;
}

describe('bash', () => {
  const words = ['bash', '--norc', '--noprofile', '-i'];
  const setup = 'bind "set bell-style none"; bind "set page-completions off"; eval "$(guild-hall completion bash)"';

  test('completes commands, lists what there is with a word about each, and short ids of the running hall [DOOR-COMPLETION]', async () => {
    const at = await busyDesk();
    const pty = await interactive(at, words, setup);
    pty.type('guild-hall mee\t');
    await pty.until('guild-hall meeting ');
    pty.type('s\t\t');
    await pty.until(/say +\(Say something in an open meeting\)\s+show +\(Show a meeting/);
    pty.type('ay \t');
    await pty.until(`ay ${at.short} `);
    pty.type('--pro\t');
    await pty.until('--project ');
    pty.type('\t');
    await pty.until('shop ');
    pty.type('\u0015guild-hall meeting list --status=o\t');
    await pty.until('--status=open ');
    pty.type('\u0015guild-hall meeting open --worker=res\t');
    await pty.until('--worker=researcher ');
    expect(pty.written()).not.toContain('command not found');
  });

  test('inserts a path so that the shell takes it for one word, and runs nothing in it [DOOR-COMPLETION]', async () => {
    const at = await busyDesk();
    const pty = await interactive(at, words, setup);
    pty.type('guild-hall artifact show .lore/o\t');
    await pty.until('.lore/odd/a\\ \\$\\(touch\\ pwned\\)\\ b.md ');
    pty.type('\n');
    await pty.until('Odd');
    // Within double quotes it would be run; it is not offered there, and the plain one is.
    pty.type('guild-hall artifact show ".lore/o\t"; guild-hall artifact show ".lore/p\t; printf "%s%s\\n" do ne\n');
    await pty.until('done');
    expect(pty.written()).toContain('".lore/plain.md"');
    expect(existsSync(join(at.home.folder, 'pwned'))).toBe(false);
  });

  test('without a hall it knows commands, flags and files, and is otherwise silent [DOOR-COMPLETION]', async () => {
    const at = await desk();
    writeFileSync(join(at.home.folder, 'some-file'), '');
    const pty = await interactive(at, words, setup);
    // All that may follow begins with two dashes, which are inserted.
    pty.type('guild-hall meeting say \t');
    await pty.until('say --');
    pty.type('no-f\t');
    await pty.until('no-follow ');
    pty.type('\u0015guild-hall project add some\t');
    await pty.until('some-file ');
    expect(pty.written()).not.toMatch(/No hall|unavailable/);
  });
});

describe('zsh', () => {
  test('completes the same; also as a file of fpath [DOOR-COMPLETION]', async () => {
    const at = await busyDesk();
    const words = ['zsh', '-f', '-i'];
    const init = 'autoload -Uz compinit; compinit -u -D';
    const pty = await interactive(at, words, `${init}; eval "$(guild-hall completion zsh)"`);
    pty.type('guild-hall mee\t');
    await pty.until('ting');
    pty.type('s\t');
    await pty.until(/say +-- Say something in an open meeting/);
    pty.type('\u0015guild-hall meeting say \t');
    await pty.until(at.short);
    pty.type('\u0015guild-hall artifact show .lore/o\t');
    await pty.until('a\\ \\$\\(touch\\ pwned\\)\\ b.md');

    await inShell(at, ['sh', '-c', 'mkdir zfuncs && guild-hall completion zsh > zfuncs/_guild-hall']);
    const other = await interactive(at, words, `fpath=($PWD/zfuncs $fpath); ${init}`);
    other.type('guild-hall completion f\t');
    await other.until('ish');
    expect(pty.written() + other.written()).not.toContain('command not found');
  });
});

describe('fish', () => {
  test('completes the same [DOOR-COMPLETION]', async () => {
    const at = await busyDesk();
    const ask = async (line: string): Promise<string> =>
      await inShell(at, ['fish', '--no-config', '-c', `guild-hall completion fish | source; complete -C "${line}"`]);
    expect(await ask('guild-hall mee')).toBe('meeting\tTalk with one worker\n');
    expect(await ask('guild-hall meeting say ')).toBe(`${at.short}\tWhere is x?\n`);
    expect(await ask('guild-hall meeting list --status=o')).toBe('--status=open\n');
    expect(await ask('guild-hall project remove ')).toMatch(/^shop\t\//);
    expect(await ask('guild-hall project add bi')).toBe('bin/\n');
  });
});

test.each(['bash', 'zsh', 'fish'])('%s finds no fault in its script', async (shell) => {
  const at = await desk();
  await inShell(at, ['sh', '-c', `guild-hall completion ${shell} > script`]);
  expect(await inShell(at, [shell, '-n', 'script'])).toBe('');
});

test('another shell is refused with those that are known', async () => {
  const { home } = await desk();
  const { exitCode, err } = await home.run('completion', 'fissh');
  expect(exitCode).toBe(2);
  expect(err).toContain('expected one of bash, zsh, fish');
  expect(err).toContain('Did you mean fish?');
});
