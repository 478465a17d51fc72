/** The real agents: which packages, how they are fetched, how their models call their tools. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { acpEntries } from '../../src/kernel/agents/drivers/acp/driver.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { runCommand } from '../../src/kernel/processes/command.ts';
import type { RealAgent } from '../../test/fixtures/acp-rig.ts';

export interface Adapter {
  /** Of its entry. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly npmArguments: readonly string[];
  /** Below the folder that it is installed into. */
  readonly command: (folder: string) => readonly [string, ...string[]];
  readonly toolName: (name: string) => string;
  readonly write: (path: string, text: string) => { readonly name: string; readonly input: unknown };
}

export const adapters: readonly Adapter[] = [
  {
    name: 'claude-acp',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.49.0',
    // The program itself is the one that the hall brings.
    npmArguments: ['--omit=optional'],
    command: (folder) => [
      process.execPath,
      join(folder, 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js'),
    ],
    toolName: (name) => `mcp__hall__${name}`,
    write: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    npmArguments: [],
    command: (folder) => [
      join(folder, 'node_modules', `opencode-${process.platform}-${process.arch}`, 'bin/opencode'),
      'acp',
    ],
    toolName: (name) => `hall_${name}`,
    write: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  },
];

/** Installs it where it is not there yet. */
export async function fetchAdapter(adapter: Adapter, cache: string): Promise<RealAgent> {
  const folder = join(cache, `${adapter.name}-${adapter.version}`);
  const [program, script] = adapter.command(folder);
  const wanted = script !== undefined && script.endsWith('.js') ? script : program;
  if (!existsSync(wanted)) await install(adapter, folder);
  if (!existsSync(wanted)) throw new Error(`${adapter.package} has no ${wanted}`);
  const entry = acpEntries({}).find(({ name }) => name === adapter.name)!;
  return { entry, command: adapter.command(folder), toolName: adapter.toolName, writeCall: adapter.write };
}

async function install(adapter: Adapter, folder: string): Promise<void> {
  const named = `${adapter.package}@${adapter.version}`;
  process.stdout.write(`Fetching ${named}.\n`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  const words = ['install', '--no-save', '--no-audit', '--no-fund', ...adapter.npmArguments, named];
  const done = await runCommand({ log: silentLog }, { file: 'npm', args: words, cwd: folder, timeoutMs: 600_000 });
  if (done.exitCode !== 0) throw new Error(`npm could not install ${named}:\n${done.stderr.slice(-2_000)}`);
}
