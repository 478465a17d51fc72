/** The examples of docs/guide/mcp.md, in order: with the real Claude Code, and by the entries that clients are given. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentProgram } from '../../src/kernel/agents/drivers/claude/program.ts';
import { connectMcp } from '../help/mcp.ts';
import { freshHome, packageRoot, programFile, useBuiltProgram } from '../help/programs.ts';

useBuiltProgram();

const page = readFileSync(join(packageRoot, 'docs/guide/mcp.md'), 'utf8');

interface Example {
  readonly line: string;
  /** What follows a line `$ cat > …`. */
  readonly input: string;
  /** What is printed; `…` is anything. */
  readonly shown: readonly string[];
}

const examples: Example[] = [...page.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((example) => {
      const [line = '', ...rest] = example.trimEnd().split('\n');
      return line.startsWith('cat >')
        ? { line, input: `${rest.join('\n')}\n`, shown: [] }
        : { line, input: '', shown: rest };
    }),
);
const entries = [...page.matchAll(/```json\n(.*?)```/gs)].map(
  ([, text = '']) => (JSON.parse(text) as { mcpServers: Record<string, Entry> }).mcpServers['guild-hall']!,
);

interface Entry {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function runShell(line: string, cwd: string, env: NodeJS.ProcessEnv, input: string): Promise<string> {
  return await new Promise((resolve) => {
    const child = execFile('sh', ['-c', line], { cwd, env }, (_error, out, err) => resolve(`${out}${err}`));
    child.stdin!.end(input);
  });
}

function patternOf(shown: readonly string[]): RegExp {
  const parts = shown
    .join('\n')
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('[^]*')}\\s*$`);
}

test('every example of the page on MCP does what the page says [DOOR-MCP, DOOR-MCP-STDIO]', async () => {
  const home = await freshHome({ DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' });
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, 'config.yaml'), 'port: 0\n');
  symlinkSync(home.path, join(home.folder, '.guild-hall'));
  const { url } = await home.json<{ url: string }>('up', '--detach');
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'guild-hall'), `#!/bin/sh\nexec '${process.execPath}' '${programFile()}' "$@"\n`, {
    mode: 0o755,
  });
  symlinkSync(agentProgram()!, join(bin, 'claude'));
  const env = { ...home.env, HOME: home.folder, PATH: `${bin}:${process.env['PATH']}` };

  expect(examples.length).toBe(6);
  for (const { line, input, shown } of examples) {
    const said = await runShell(line.replaceAll('http://127.0.0.1:4747', url), home.folder, env, input);
    expect([line, said]).toEqual([line, expect.stringMatching(patternOf(shown))]);
  }

  const [stdio, http] = entries;
  const child = spawn(join(bin, stdio!.command!), stdio!.args!, {
    env,
    cwd: home.folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(readFileSync(join(home.folder, 'messages')));
  const [answer] = (await once(child.stdout, 'data')) as [Buffer];
  expect(String(answer)).toContain('"name":"guild-hall"');
  const token = readFileSync(join(home.path, 'token'), 'utf8').trim();
  expect(http!.headers!['Authorization']).toBe('Bearer <the text of ~/.guild-hall/token>');
  const address = new URL(http!.url!);
  expect([address.port, address.pathname]).toEqual(['4747', '/mcp']);
  await home.json('project', 'sample', '--name', 'shop');
  await home.json('project', 'sample', join(home.folder, 'other'), '--name', 'other');
  const { call } = await connectMcp({ url, token, project: address.searchParams.get('project')! });
  expect((await call('project_show')).value).toMatchObject({ name: 'shop' });
});
