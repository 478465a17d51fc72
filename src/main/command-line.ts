/** The command line of a person. What runs a hall is loaded only by the commands that need it. */
import { readFile, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { connectHall, type HallClient } from '../interfaces/cli/client.ts';
import type { OwnCommand } from '../interfaces/cli/parts.ts';
import { leaveWithReader } from '../interfaces/cli/pipes.ts';
import { runCli } from '../interfaces/cli/program.ts';
import { createTerminal } from '../interfaces/cli/terminal.ts';
import { isInside } from '../kernel/artifacts/paths.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import type { BoundOperation } from '../kernel/operations/operations.ts';
import { fail, HallError } from '../kernel/pure/errors.ts';
import { homePaths, homeRoot, type HomePaths } from '../kernel/projects/home.ts';
import type { ProjectList } from '../features/projects/contract.ts';
import { candidates } from './candidates.ts';
import { commandGroups, descriptions, firstSteps, follows, nounSummaries, verdicts, waits } from './descriptions.ts';
import { packageVersion } from './package.ts';
import { terminalPrompt } from './prompting.ts';
import { renderers } from './renderers.ts';
import { shellCommands } from './shell-commands.ts';

const words = process.argv.slice(2);
const wantsNoColour = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).includes('--no-color');
const terminal = createTerminal(
  { out: process.stdout, err: process.stderr },
  wantsNoColour ? { ...process.env, NO_COLOR: '1' } : process.env,
  process.argv[1],
);

// A hall goes on when nobody reads what it says; everything else has nobody to work for.
leaveWithReader([process.stdout, process.stderr], () => (process.argv[2] === 'up' ? undefined : process.exit(0)));

/** Found when a command needs it, so that help works whatever the environment says. */
function home(): HomePaths {
  return homePaths(homeRoot(process.env));
}

async function runHere(name: string): Promise<BoundOperation> {
  const { operationHere } = await import('./without-hall.ts');
  return operationHere(home(), name);
}

function onInterrupt(listener: () => void): () => void {
  process.on('SIGINT', listener);
  return () => void process.off('SIGINT', listener);
}

function onStop(listener: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, listener);
}

async function readInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return textOf(Buffer.concat(parts)).replace(/\n$/, '');
}

/** @throws HallError `invalid` for bytes that are no UTF-8: they would arrive as other signs */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail('invalid', 'What was given is no text in UTF-8.', 'Convert it first: iconv -f <encoding> -t UTF-8');
  }
}

async function readNamedFile(path: string): Promise<string> {
  try {
    return textOf(await readFile(path));
  } catch (error) {
    if (error instanceof HallError) throw error;
    throw fail('invalid', `${path} cannot be read: ${(error as Error).message}`, 'Name a file of text.');
  }
}

/** The project whose repository or integration worktree holds the current folder. */
async function projectHere(client: HallClient): Promise<string | undefined> {
  const here = await realpath(process.cwd());
  const { projects } = (await client.call('project.list', {})) as ProjectList;
  const holds = projects.filter(({ path, worktree }) => isInside(path, here) || isInside(worktree, here));
  return holds.sort((a, b) => b.path.length - a.path.length)[0]?.name;
}

function linesOf(given: unknown): number {
  if (given === undefined) return 100;
  if (typeof given === 'string' && /^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw fail(
    'invalid',
    `--lines: expected a whole number from 1 to 999999, given ${JSON.stringify(given)}.`,
    'guild-hall logs --lines 100',
  );
}

function portOf(given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^\d{1,5}$/.test(given)) return Number(given);
  throw fail(
    'invalid',
    `--port: expected a number from 0 to 65535, given ${JSON.stringify(given)}.`,
    'guild-hall up --port 0',
  );
}

const up: OwnCommand = {
  name: 'up',
  summary: 'Start the hall',
  options: [
    { flags: '--port <number>', help: 'port to listen on; 0 takes a free one (else `port` in config.yaml, else 4747)' },
    { flags: '--detach', help: 'let it run by itself; returns when it answers' },
    { flags: '--open', help: 'open its pages in your browser, signed in' },
    { flags: '--json', help: 'say the address as JSON, without a sign-in link' },
  ],
  examples: [
    { line: 'guild-hall up', does: 'runs until Ctrl-C' },
    { line: 'guild-hall up --detach', does: 'runs by itself; end it with: guild-hall down' },
  ],
  run: async (options) => {
    const { runDetached, runUp } = await import('./up.ts');
    const request = {
      home: home(),
      port: portOf(options['port']),
      term: terminal,
      asJson: options['json'] === true,
      wantsBrowser: options['open'] === true,
      onStop,
    };
    if (options['detach'] !== true) {
      const exitCode = await runUp(request);
      // It has given back its home: whatever of it did not end in time must not go on beside the next hall.
      setTimeout(() => process.exit(), 1_000).unref();
      return exitCode;
    }
    return await runDetached(request, [resolve(process.argv[1] ?? '')]);
  },
};

const down: OwnCommand = {
  name: 'down',
  summary: 'Stop the hall',
  options: [{ flags: '--json', help: 'answer as JSON' }],
  examples: [{ line: 'guild-hall down', does: 'interrupts turns, ends agents; what was said stays' }],
  run: async (options) => {
    const { runDown } = await import('./down.ts');
    return await runDown(home(), terminal, options['json'] === true);
  },
};

const open: OwnCommand = {
  name: 'open',
  summary: 'Open the hall’s pages in your browser, signed in by a link that works once',
  options: [
    { flags: '--no-open', help: 'print the link only' },
    { flags: '--json', help: 'answer as JSON' },
  ],
  examples: [
    { line: 'guild-hall open', does: 'opens the pages and prints the link' },
    { line: 'guild-hall open --no-open', does: 'prints a link, to be opened within ten minutes' },
  ],
  run: async (options) => {
    const { runOpen } = await import('./open.ts');
    const asJson = options['json'] === true;
    return await runOpen({ home: home(), term: terminal, asJson, wantsBrowser: options['open'] !== false });
  },
};

const logs: OwnCommand = {
  name: 'logs',
  summary: 'Show the end of the hall’s log',
  options: [
    { flags: '--follow', help: 'go on with what comes' },
    { flags: '--lines <number>', help: 'how many lines to begin with (else 100)' },
    { flags: '--json', help: 'the lines as they are: JSON' },
  ],
  examples: [{ line: 'guild-hall logs --follow', does: 'shows what the hall does; Ctrl-C leaves' }],
  run: async (options) => {
    const { runLogs } = await import('./logs.ts');
    const lines = linesOf(options['lines']);
    const follow = options['follow'] === true;
    return await runLogs({
      home: home(),
      term: terminal,
      follow,
      asJson: options['json'] === true,
      lines,
      onInterrupt,
    });
  },
};

const mcp: OwnCommand = {
  name: 'mcp',
  summary: 'Pass MCP between standard input and output and the hall, for programs that start their servers',
  options: [],
  examples: [{ line: 'claude mcp add guild-hall -- guild-hall mcp', does: 'gives Claude Code the tools of the hall' }],
  run: async () => {
    const { runMcp } = await import('./mcp-bridge.ts');
    return await runMcp({ home, env: process.env, projectHere });
  },
};

process.exitCode = await runCli(
  {
    version: packageVersion(),
    terminal,
    descriptions,
    nounSummaries,
    groups: commandGroups,
    firstSteps,
    ownCommands: [up, down, open, logs, mcp, ...shellCommands(terminal, home)],
    renderers,
    verdicts,
    follows,
    waits,
    candidates,
    connect: async () => await connectHall(home().root),
    withoutHall: Object.fromEntries(
      ['doctor', 'config.show', 'config.check'].map((name) => [name, () => runHere(name)]),
    ),
    projectHere,
    absolute: (path) => resolve(path),
    readInput,
    readFile: readNamedFile,
    prompt: terminalPrompt(terminal),
    isTypedInput: () => isatty(0),
    onInterrupt,
    sleep: systemClock.sleep,
    nowIso: systemClock.nowIso,
  },
  words,
);
