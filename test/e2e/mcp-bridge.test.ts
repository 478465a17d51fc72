/** `guild-hall mcp`: the hall's MCP door for programs that start their servers, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { deferred } from '../../src/kernel/pure/deferred.ts';
import { claudeTurn } from '../help/claude-mcp.ts';
import { freshHome, type Home, identityOf, programFile, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

interface Bridge {
  readonly child: ChildProcess;
  /** Everything that came on standard output, one message a line. */
  readonly messages: Record<string, unknown>[];
  readonly said: () => string;
  send(message: object): void;
  /** Sends a request and waits for its answer: its result, or its error. */
  ask(method: string, params?: object): Promise<Record<string, unknown>>;
  call(name: string, given?: object): Promise<Record<string, unknown>>;
  /** Ends its input. @returns its exit code */
  end(): Promise<number | null>;
}

function startBridge(home: Home, cwd = home.folder, env: NodeJS.ProcessEnv = home.env): Bridge {
  const child = spawn(process.execPath, [programFile(), 'mcp'], { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const messages: Record<string, unknown>[] = [];
  let said = '';
  let next = 0;
  createInterface({ input: child.stdout }).on('line', (line) =>
    messages.push(JSON.parse(line) as Record<string, unknown>),
  );
  child.stderr.on('data', (data) => (said += String(data)));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask: Bridge['ask'] = async (method, params = {}) => {
    const id = (next += 1);
    send({ id, method, params });
    const answer = () => messages.find((message) => message['id'] === id && message['method'] === undefined);
    await waitUntil(() => answer() !== undefined);
    return (answer()!['result'] ?? answer()!['error']) as Record<string, unknown>;
  };
  return {
    child,
    messages,
    said: () => said,
    send,
    ask,
    call: async (name, given = {}) => await ask('tools/call', { name, arguments: given }),
    end: async () => {
      child.stdin.end();
      return (await exited)[0];
    },
  };
}

async function begin(bridge: Bridge): Promise<void> {
  const clientInfo = { name: 'a-test', version: '1' };
  const result = await bridge.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  expect(result).toMatchObject({ serverInfo: { name: 'guild-hall' } });
  bridge.send({ method: 'notifications/initialized' });
}

/** A home whose hall takes any free port. */
async function homeOfAnyPort(): Promise<Home> {
  const home = await freshHome();
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, 'config.yaml'), 'port: 0\n');
  return home;
}

test('passes messages on and writes nothing else; starts the hall, knows the folder, ends with its input [DOOR-MCP-STDIO]', async () => {
  const home = await homeOfAnyPort();
  const bridge = startBridge(home);
  // What a client of a later version asks first.
  expect(await bridge.ask('server/discover')).toMatchObject({ code: -32602, data: { code: 'invalid' } });
  await begin(bridge);
  const shop = await makeRepository({ files: { 'README.md': '# Shop\n' } });
  const tally = await makeRepository({ files: { 'README.md': '# Tally\n' } });
  for (const [name, { path }] of Object.entries({ shop, tally })) await bridge.call('project_add', { path, name });
  expect(await bridge.call('project_show')).toMatchObject({ isError: true, structuredContent: { code: 'invalid' } });
  expect(await bridge.call('project_show', { project: 'shop' })).toMatchObject({ structuredContent: { name: 'shop' } });
  bridge.child.stdin!.write('this is no message\n[]\n');
  await waitUntil(() => bridge.messages.filter(({ id }) => id === null).length === 2);
  expect(bridge.said()).toContain('guild-hall mcp: ');
  expect(await bridge.end()).toBe(0);

  const here = startBridge(home, tally.path);
  await begin(here);
  expect(await here.call('project_show')).toMatchObject({ structuredContent: { name: 'tally' } });
  // A call that was sent before the input ended is still answered.
  here.send({ id: 'last', method: 'tools/call', params: { name: 'project_show', arguments: { project: 'shop' } } });
  expect(await here.end()).toBe(0);
  expect(here.messages.find(({ id }) => id === 'last')).toMatchObject({
    result: { structuredContent: { name: 'shop' } },
  });
});

test('outlives its hall: a call under way is told that it is not known what became of it, later ones find the next hall [DOOR-MCP-STDIO]', async () => {
  const home = await homeOfAnyPort();
  await home.run('up', '--detach');
  const bridge = startBridge(home);
  await begin(bridge);
  expect(await bridge.call('status')).toMatchObject({ structuredContent: { pid: identityOf(home).pid } });
  // A check that goes on until the hall is gone.
  const { path } = await makeRepository({ files: { 'README.md': '# Shop\n' } });
  await bridge.call('project_add', { path, name: 'shop' });
  process.kill(identityOf(home).pid, 'SIGSTOP');
  const underWay = bridge.call('meeting_open', { worker: 'researcher', message: 'Hello' });
  // It is on its way when the hall's socket has taken it, which nobody tells; that it was not sent is told otherwise.
  await waitUntil(() => bridge.child.stdin!.writableLength === 0);
  process.kill(identityOf(home).pid, 'SIGKILL');
  const lost = await underWay;
  expect(lost).toMatchObject({ code: -32007, data: { code: 'unavailable' } });
  expect(await bridge.call('status')).toMatchObject({
    code: -32007,
    data: { code: 'unavailable', hint: 'guild-hall up --detach' },
  });
  await home.run('up', '--detach');
  const again = await Promise.all([bridge.call('status'), bridge.call('project_list')]);
  expect(again[0]).toMatchObject({ structuredContent: { pid: identityOf(home).pid } });
  expect(again[1]).toMatchObject({ structuredContent: { projects: [{ name: 'shop' }] } });
  expect(await bridge.end()).toBe(0);
});

test('shows the token of the environment where there is one, and the home’s to no other address; the real Claude Agent SDK starts it [SEC-MCP]', async () => {
  const seen: (string | undefined)[] = [];
  const closed = deferred();
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(401, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code: 'unauthorized', detail: 'No.', hint: 'Ask.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close(() => closed.resolve());
    server.closeAllConnections();
    await closed.promise;
  });
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`;
  const home = await homeOfAnyPort();
  await home.run('up', '--detach');
  const own = readFileSync(join(home.path, 'token'), 'utf8').trim();
  const asTerminal = { ...home.env, GUILD_HALL_MCP_URL: url, GUILD_HALL_MCP_TOKEN: 'a-token-of-a-terminal' };
  const bridge = startBridge(home, home.folder, asTerminal);
  expect(await bridge.ask('initialize')).toMatchObject({ code: -32001, message: 'No. Ask.' });
  const half = startBridge(home, home.folder, { ...home.env, GUILD_HALL_MCP_URL: url });
  expect(await half.ask('initialize')).toMatchObject({ data: { code: 'invalid' } });
  expect(seen).toEqual(['Bearer a-token-of-a-terminal']);
  const stranger = startBridge(home, home.folder, { ...home.env, GUILD_HALL_MCP_TOKEN: 'a-token-of-a-terminal' });
  expect(await stranger.ask('initialize')).toMatchObject({ data: { code: 'unauthorized' } });
  expect([...bridge.messages, ...half.messages].map((message) => JSON.stringify(message)).join('')).not.toContain(own);
  await Promise.all([bridge, half, stranger].map(async (each) => expect(await each.end()).toBe(0)));

  const asClaude = {
    type: 'stdio' as const,
    command: process.execPath,
    args: [programFile(), 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', HOME: home.folder, GUILD_HALL_HOME: home.path },
    alwaysLoad: true,
  };
  const turn = await claudeTurn(asClaude, [['worker_list', {}]]);
  expect(turn.status).toBe('connected');
  expect(turn.tools).toContain('meeting_open');
  expect(turn.results).toContain('researcher');
});

test('costs the other commands nothing: what speaks MCP is read by it alone', () => {
  const folder = dirname(programFile());
  const holds = (file: string): boolean => readFileSync(join(folder, file), 'utf8').includes('mcp-session-id');
  expect(readdirSync(folder).filter((file) => file.endsWith('.js') && holds(file))).toEqual(['mcp-bridge.js']);
});
