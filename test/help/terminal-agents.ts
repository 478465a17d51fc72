/** Agents' programs in real terminals, before the hall's own gateway with its rehearsal. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  EntrySettings,
  PreparedTerminal,
  TerminalAgentRequest,
  TerminalEntry,
} from '../../src/kernel/agents/drivers/terminal/shapes.ts';
import { prepareTerminalAgent, type TerminalAgentParts } from '../../src/kernel/agents/drivers/terminal/prepare.ts';
import type { Gateway } from '../../src/kernel/agents/gateway/gateway.ts';
import { startGatewayAgain } from '../../src/kernel/agents/gateway/kept-port.ts';
import { createRehearsal } from '../../src/kernel/agents/rehearsal/rehearsal.ts';
import type { SandboxSettings } from '../../src/kernel/agents/sandbox/sandbox.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { defaultConfig } from '../../src/kernel/projects/config.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { terminalIdSchema } from '../../src/kernel/terminals/contract.ts';
import {
  deliver,
  letIn,
  screenOf,
  settledReceipt,
  startTerminal,
  statusOf,
} from '../../src/kernel/terminals/terminals.ts';
import { makeTestSandbox, type TestSandbox } from '../fixtures/test-sandbox.ts';
import { waitUntil } from './programs.ts';
import { endTestTerminals, leaveTestTerminals, openTestTerminals, type TestTerminals } from './terminals.ts';

export interface AgentBench {
  readonly hall: TestTerminals;
  readonly gateway: Gateway;
  readonly sandbox: TestSandbox;
  readonly parts: TerminalAgentParts;
  /** Holds a folder for each terminal's program to work in. */
  readonly folder: string;
  /** What the rehearsal does from now on, as a scenario in YAML. */
  readonly play: (scenario: string) => void;
  /** Each call of a model, as the text of its messages. */
  readonly asked: () => readonly string[];
  /** Requests to what stands for the hall's MCP door, as method, path and authorization. */
  readonly knocks: () => readonly string[];
  readonly mcpUrl: string;
  readonly close: () => Promise<void>;
}

export const project = projectNameSchema.parse('sample');

/** @param earlier one that was left, to be the hall that comes after it */
export async function openAgentBench(
  settings: Partial<SandboxSettings> = {},
  earlier?: Pick<AgentBench, 'folder' | 'hall'>,
): Promise<AgentBench> {
  const hall = await openTestTerminals(earlier?.hall.folder);
  const folder = earlier?.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'gh-agents-')));
  const scenario = join(folder, 'scenario.yaml');
  const ctx = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    config: () => defaultConfig,
    home: homePaths(join(folder, 'home')),
  };
  writeFileSync(scenario, '[]');
  const asked: string[] = [];
  const played = createRehearsal(ctx, { plays: [], scenario, unlabelled: ['terminal'] });
  const rehearsal: typeof played = {
    ...played,
    reply: async (body, origin) => {
      asked.push(wordsOf(body));
      return played.reply(body, origin);
    },
  };
  const gateway = await startGatewayAgain(ctx, join(folder, 'gateway-port'), { rehearsal });
  const sandbox = await makeTestSandbox({
    settings: () => ({ mode: 'required', network: 'full', readable: [], ...settings }),
  });
  const parts: TerminalAgentParts = { gateway, sandbox, maxRetries: () => 1, environment: process.env };
  const play = (text: string): void => writeFileSync(scenario, text);
  const knocks: string[] = [];
  const door = createServer((request, response) => {
    knocks.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    // Its tools are here, though there are none.
    for (const live of hall.terminals.live.values()) letIn(hall.terminals, live.id);
    response.writeHead(404).end();
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const mcpUrl = `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`;
  const close = async (): Promise<void> => {
    door.closeAllConnections();
    await new Promise((resolve) => door.close(resolve));
  };
  return {
    hall,
    gateway,
    sandbox,
    parts,
    folder,
    play,
    asked: () => asked,
    knocks: () => knocks,
    mcpUrl,
    close,
  };
}

/** What was said in a request, and that it holds answers of tools. */
function wordsOf(body: unknown): string {
  const { messages = [] } = body as { messages?: { content: string | { type: string; text?: string }[] }[] };
  return messages
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : content.map((block) => block.text ?? JSON.stringify(block)),
    )
    .join('\n');
}

/** Lets go of all, as a hall that ends; programs live on. */
export async function leaveAgentBench({ hall, gateway, sandbox, close }: AgentBench): Promise<void> {
  await leaveTestTerminals(hall);
  await gateway.close();
  await sandbox.close();
  await close();
}

export async function closeAgentBench({ hall, gateway, sandbox, folder, close }: AgentBench): Promise<void> {
  await close();
  await endTestTerminals(hall);
  await gateway.close();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

export interface LiveAgent {
  readonly id: TerminalAgentRequest['id'];
  readonly prepared: PreparedTerminal;
  /** Its own, where hooks and settings are. */
  readonly folder: string;
  readonly cwd: string;
  readonly mark: string;
  readonly mcpToken: string;
}

let count = 0;

export function requestFor(bench: AgentBench, more: Partial<TerminalAgentRequest> = {}): TerminalAgentRequest {
  count += 1;
  const id = terminalIdSchema.parse(`t-${process.pid}-${count}`);
  const cwd = join(bench.folder, `work-${count}`);
  mkdirSync(cwd, { recursive: true });
  return {
    id,
    project,
    folder: join(bench.hall.folder, 'terminals', id),
    cwd,
    write: true,
    isAttended: true,
    mark: `mark-of-a-test-${process.pid}-${count}`,
    mcp: { url: bench.mcpUrl, token: `token-of-a-test-${count}` },
    ...more,
  };
}

export async function startLive(
  bench: AgentBench,
  entry: TerminalEntry,
  more: Partial<TerminalAgentRequest> = {},
  settings: EntrySettings = {},
): Promise<LiveAgent> {
  const request = requestFor(bench, more);
  const prepared = await prepareTerminalAgent({ log: silentLog }, bench.parts, { entry, settings }, request);
  await startTerminal(bench.hall.terminals, prepared.request);
  const { id, folder, cwd, mark, mcp } = request;
  return { id, prepared, folder, cwd, mark, mcpToken: mcp?.token ?? '' };
}

let messages = 0;

/** @returns the message's id, once it is kept */
export async function send({ hall }: AgentBench, { id }: Pick<LiveAgent, 'id'>, text: string): Promise<string> {
  messages += 1;
  await deliver(hall.terminals, id, { id: `m-${messages}`, origin: 'hall', text });
  return `m-${messages}`;
}

/** Resolves with what came of it. */
export async function tell(bench: AgentBench, agent: Pick<LiveAgent, 'id'>, text: string): Promise<unknown> {
  return settledReceipt(bench.hall.terminals, agent.id, await send(bench, agent, text));
}

export async function untilStatus({ hall }: AgentBench, { id }: Pick<LiveAgent, 'id'>, status: string): Promise<void> {
  try {
    await waitUntil(() => statusOf(hall.terminals, id).status === status);
  } catch (error) {
    const shown = screenOf(hall.terminals, id).lines.join('\n');
    throw new Error(`It is ${JSON.stringify(statusOf(hall.terminals, id))}, not ${status}. It shows:\n${shown}`, {
      cause: error,
    });
  }
}

/** What it said, in order. */
export function spoken({ hall }: AgentBench, { id }: Pick<LiveAgent, 'id'>): string[] {
  return hall.speeches.filter(({ terminal }) => terminal === id).map(({ text }) => text);
}
