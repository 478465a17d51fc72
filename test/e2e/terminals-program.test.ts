/** Terminals by the commands that a person types: the guide's examples, a hall that is killed, a machine without tmux. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConversationList } from '../../src/features/gatherings/contract.ts';
import type { DoctorReport } from '../../src/features/doctor/contract.ts';
import type { TerminalList, TerminalShown, TerminalView } from '../../src/features/terminals/contract.ts';
import { createClient, type HallClient } from '../../src/interfaces/cli/client.ts';
import {
  freshHome,
  type Home,
  identityOf,
  packageRoot,
  programFile,
  runProgram,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { startOnTerminal } from '../help/pty.ts';
import { makeRepository } from '../help/repositories.ts';
import { endTmuxOf } from '../help/tmux.ts';

useBuiltProgram();

const page = readFileSync(join(packageRoot, 'docs/guide/terminals.md'), 'utf8');

interface Example {
  readonly line: string;
  /** What is printed; `…` is anything. */
  readonly shown: string;
}

const examples: Example[] = [...page.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((example) => {
      const [line = '', ...rest] = example.trimEnd().split('\n');
      return { line, shown: rest.join('\n') };
    }),
);

function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}\\s*$`);
}

async function homeWithProject(extra: NodeJS.ProcessEnv = {}): Promise<{ home: Home; repo: string }> {
  const home = await freshHome(extra);
  onTestFinished(() => endTmuxOf(home.path));
  const { path: repo } = await makeRepository({ path: join(home.folder, 'tally') });
  await home.json('up', '--detach', '--port', '0');
  await home.json('project', 'add', repo, '--name', 'tally');
  return { home, repo };
}

/** Of the hall that runs now. */
function clientOf(home: Home): HallClient {
  const { url } = JSON.parse(readFileSync(join(home.path, 'state/hall.json'), 'utf8')) as { url: string };
  return createClient(home.path, url, readFileSync(join(home.path, 'token'), 'utf8').trim());
}

async function conversationOf(home: Home): Promise<string> {
  return ((await clientOf(home).call('conversation.list', {})) as ConversationList).conversations[0]!.id;
}

async function living(home: Home): Promise<TerminalList['terminals']> {
  return ((await clientOf(home).call('terminal.list', {})) as TerminalList).terminals;
}

test('every example of the page on terminals does what the page says', async () => {
  const { home, repo } = await homeWithProject();
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  const shell = async (line: string): Promise<string> =>
    await new Promise((resolve) => {
      const env = { ...home.env, PATH: `${bin}:${process.env['PATH']}` };
      const typed = line.replace(/^guild-hall/, `node '${programFile()}'`);
      const child = execFile('sh', ['-c', typed], { cwd: repo, env }, (_error, out, err) => resolve(`${out}${err}`));
      child.stdin!.end();
    });
  expect(examples.length).toBeGreaterThan(10);
  const said: string[] = [];
  for (const { line, shown } of examples) {
    const printed = await shell(line.replaceAll('<id>', line.includes('<id>') ? await conversationOf(home) : ''));
    said.push(`$ ${line}\n${printed}`);
    expect(said.join('\n')).not.toContain('▲');
    expect([line, printed]).toEqual([line, expect.stringMatching(patternOf(shown))]);
  }
});

test('a hall that is killed leaves its terminals, and the next one takes them up; a person sits down at one; down says what goes on', async () => {
  const { home, repo } = await homeWithProject();
  const agent = join(packageRoot, 'test/fixtures/terminals/line-agent.sh');
  const started = await runProgram(home.env, repo, ['terminal', 'start', '--name', 'Mo', '--json', '--', 'sh', agent]);
  const { id } = JSON.parse(started.out) as TerminalView;
  expect((await home.run('terminal', 'send', 'Mo', 'before')).out).toBe('✓ Mo took it.\n');
  process.kill(identityOf(home).pid, 'SIGKILL');
  await home.json('up', '--detach', '--port', '0');
  await waitUntil(async () => (await living(home))[0]?.status === 'idle');
  expect((await living(home)).map((each) => each.id)).toEqual([id]);
  expect((await home.run('terminal', 'send', 'Mo', 'after')).out).toBe('✓ Mo took it.\n');
  const shown = async (): Promise<string> =>
    ((await clientOf(home).call('terminal.show', { id: 'Mo' })) as TerminalShown).screen.lines.join('\n');
  await waitUntil(async () => (await shown()).includes('I heard: after'));
  expect((await shown()).split('I heard: before')).toHaveLength(2);

  // A person sits down at it, types, and leaves it running.
  const words = [process.execPath, programFile(), 'terminal', 'attach', 'Mo'];
  const seat = startOnTerminal(words, { env: home.env, cwd: repo, width: 90 });
  await seat.until('I heard: after');
  seat.type('by hand\r');
  await seat.until('I heard: by hand');
  expect(((await clientOf(home).call('terminal.show', { id: 'Mo' })) as TerminalShown).screen).toMatchObject({
    cols: 90,
    rows: 40,
  });
  seat.type('\u0002d');
  await seat.until('You left Mo; it goes on.');
  expect(await seat.ended).toBe(0);
  expect(await living(home)).toHaveLength(1);

  const down = await home.run('down');
  expect(down.out).toContain(`A terminal goes on without it: ${id}.`);
  expect(down.out).toContain(`tmux -S ${join(home.path, 'state/tmux/hall.sock')} kill-server`);
});

test('without tmux terminals say what is missing, and all else works', async () => {
  const { folder } = await freshHome();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const name of ['git', 'sh', 'node']) {
    const found = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    symlinkSync(found, join(bin, name));
  }
  const { home, repo } = await homeWithProject({ PATH: bin });
  const refused = await runProgram(home.env, repo, ['terminal', 'start', '--', 'sh']);
  expect(refused).toMatchObject({ exitCode: 7, out: '' });
  expect(refused.err).toContain('Terminals need tmux, and there is no such program on PATH.');
  expect(refused.err).toContain('apt-get install tmux');
  expect(await living(home)).toEqual([]);
  const { checks } = (await clientOf(home).call('doctor', {})) as DoctorReport;
  expect(checks.find(({ name }) => name === 'tmux')).toMatchObject({ state: 'note' });
  expect((await home.run('inbox')).exitCode).toBe(0);
});

test('bytes that are no text are refused, and not sent as other signs', async () => {
  const home = await freshHome();
  const file = join(home.folder, 'latin');
  writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  const { exitCode, err } = await home.run('terminal', 'send', 'Mo', '--file', file);
  expect([exitCode, err]).toEqual([2, expect.stringContaining('no text in UTF-8')]);
});
