/** Agents' programs in real terminals, before the hall's own gateway with its rehearsal. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  EntrySettings,
  PreparedTerminal,
  TerminalAgentRequest,
  TerminalEntry,
} from '../../src/kernel/agents/drivers/terminal/contract.ts';
import { prepareTerminalAgent, type TerminalAgentParts } from '../../src/kernel/agents/drivers/terminal/prepare.ts';
import { type Gateway, startGateway } from '../../src/kernel/agents/gateway/gateway.ts';
import { createRehearsal } from '../../src/kernel/agents/rehearsal/rehearsal.ts';
import type { SandboxSettings } from '../../src/kernel/agents/sandbox/sandbox.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { defaultConfig } from '../../src/kernel/projects/config.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { terminalIdSchema } from '../../src/kernel/terminals/contract.ts';
import { deliver, screenOf, settledReceipt, startTerminal, statusOf } from '../../src/kernel/terminals/terminals.ts';
import { makeTestSandbox, type TestSandbox } from '../fixtures/test-sandbox.ts';
import { waitUntil } from './programs.ts';
import { endTestTerminals, openTestTerminals, type TestTerminals } from './terminals.ts';

export interface AgentBench {
  readonly hall: TestTerminals;
  readonly gateway: Gateway;
  readonly sandbox: TestSandbox;
  readonly parts: TerminalAgentParts;
  /** Holds a folder for each terminal's program to work in. */
  readonly folder: string;
  /** What the rehearsal does from now on, as a scenario in YAML. */
  readonly play: (scenario: string) => void;
}

export const project = projectNameSchema.parse('sample');

export async function openAgentBench(settings: Partial<SandboxSettings> = {}): Promise<AgentBench> {
  const hall = await openTestTerminals();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-agents-')));
  const scenario = join(folder, 'scenario.yaml');
  const ctx = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    config: () => defaultConfig,
    home: homePaths(join(folder, 'home')),
  };
  writeFileSync(scenario, '[]');
  const rehearsal = createRehearsal(ctx, { plays: [], scenario, unlabelled: ['terminal'] });
  const gateway = await startGateway(ctx, { rehearsal });
  const sandbox = await makeTestSandbox({
    settings: () => ({ mode: 'required', network: 'full', readable: [], ...settings }),
  });
  const parts: TerminalAgentParts = { gateway, sandbox, maxRetries: () => 1, environment: process.env };
  return { hall, gateway, sandbox, parts, folder, play: (text) => writeFileSync(scenario, text) };
}

export async function closeAgentBench({ hall, gateway, sandbox, folder }: AgentBench): Promise<void> {
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
    mark: `mark-${process.pid}-${count}`,
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
  return { id: request.id, prepared, folder: request.folder, cwd: request.cwd };
}

let messages = 0;

/** Resolves with what came of it. */
export async function tell({ hall }: AgentBench, { id }: Pick<LiveAgent, 'id'>, text: string): Promise<unknown> {
  messages += 1;
  const messageId = `m-${messages}`;
  await deliver(hall.terminals, id, { id: messageId, origin: 'hall', text });
  return settledReceipt(hall.terminals, id, messageId);
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
