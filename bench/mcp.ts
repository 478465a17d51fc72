/**
 * How long a call takes at the doors of a hall: over HTTP, over MCP at `/mcp`, and through `guild-hall mcp`, in turns, so
 * that a busy machine slows all of them. The operation does next to nothing, so it is the doors that are measured.
 *
 *   npm run bench -- mcp [--calls 200] [--json <path>]
 *
 * Fails when a call over MCP takes more than 5 times as long as one over HTTP (p50), through the bridge more than 10 times.
 * Builds first where the build is old; GH_CLI=<path of cli.js> names another one.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { builtProgram } from './parts/built.ts';

const { values: flags } = parseArgs({
  options: { calls: { type: 'string', default: '200' }, json: { type: 'string' } },
});
const most = { mcp: 5, bridge: 10 };
const program = await builtProgram();

const home = mkdtempSync(join(tmpdir(), 'gh-mcp-'));
writeFileSync(join(home, 'config.yaml'), 'port: 0\n');
const env = { ...process.env, GUILD_HALL_HOME: home };
const guildHall = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args], { env, encoding: 'utf8' });

const { url } = JSON.parse(guildHall('up', '--detach', '--json')) as { url: string };
try {
  await measure();
} finally {
  guildHall('down');
  rmSync(home, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const authorization = `Bearer ${readFileSync(join(home, 'token'), 'utf8').trim()}`;
  const overHttp = async (): Promise<unknown> => {
    const headers = { authorization, 'content-type': 'application/json' };
    return await (await fetch(`${url}/api/signin/list`, { method: 'POST', headers, body: '{}' })).json();
  };
  const address = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization } },
  });
  const mcp = await connect(address as Parameters<Client['connect']>[0]);
  const command = { command: process.execPath, args: [program, 'mcp'], env: env as Record<string, string> };
  const bridge = await connect(new StdioClientTransport(command));
  const call = async (client: Client): Promise<unknown> =>
    await client.callTool({ name: 'signin_list', arguments: {} });
  const ways = { http: overHttp, mcp: async () => await call(mcp), bridge: async () => await call(bridge) };
  const times: Record<keyof typeof ways, number[]> = { http: [], mcp: [], bridge: [] };
  for (let turn = -10; turn < Number(flags.calls); turn += 1) {
    for (const way of ['http', 'mcp', 'bridge'] as const) {
      const before = performance.now();
      await ways[way]();
      if (turn >= 0) times[way].push(performance.now() - before);
    }
    // The hall takes 50 calls a second of one caller.
    await sleep(70);
  }
  await Promise.all([mcp.close(), bridge.close()]);
  report(times);
}

async function connect(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  return client;
}

function report(times: Readonly<Record<string, number[]>>): void {
  const [p50, p95] = [0.5, 0.95].map((share) =>
    Object.fromEntries(
      Object.entries(times).map(([way, each]) => [
        way,
        each.toSorted((a, b) => a - b)[Math.floor(each.length * share)]!,
      ]),
    ),
  ) as [Record<string, number>, Record<string, number>];
  const labels: Record<string, string> = { http: 'HTTP', mcp: 'MCP at /mcp', bridge: 'guild-hall mcp' };
  for (const [way, label] of Object.entries(labels)) {
    console.log(`${label.padEnd(16)} p50 ${p50[way]!.toFixed(2)} ms   p95 ${p95[way]!.toFixed(2)} ms`);
  }
  if (flags.json !== undefined) writeFileSync(flags.json, JSON.stringify({ p50, p95 }));
  const isSlow = p50['mcp']! > most.mcp * p50['http']! || p50['bridge']! > most.bridge * p50['http']!;
  process.exitCode = isSlow ? 1 : 0;
}
