/** Terminals over a tmux server of their own, with programs that keep what they are told. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Background, createBackground } from '../../src/kernel/background/background.ts';
import { type Clock, systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLog, silentLog } from '../../src/kernel/log/log.ts';
import {
  type Manner,
  type ScreenText,
  type Signal,
  type Speech,
  type TerminalId,
  terminalIdSchema,
} from '../../src/kernel/terminals/contract.ts';
import type {
  ReceiptChange,
  StatusChange,
  TerminalEnd,
  TerminalKind,
  TerminalRequest,
} from '../../src/kernel/terminals/shapes.ts';
import {
  closeTerminals,
  listenToTerminals,
  openTerminals,
  startTerminal,
  type Terminals,
} from '../../src/kernel/terminals/terminals.ts';
import { killServer } from '../../src/kernel/terminals/tmux/server.ts';
import { packageRoot } from './programs.ts';
import { tmuxEnv } from './tmux.ts';

export interface TestTerminals {
  readonly terminals: Terminals;
  readonly background: Background;
  readonly folder: string;
  readonly speeches: Speech[];
  readonly receipts: ReceiptChange[];
  readonly statuses: StatusChange[];
  readonly ends: TerminalEnd[];
}

export function scratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gh-term-'));
}

/** @param folder of an earlier one, to be the hall that comes after it */
export async function openTestTerminals(folder = scratchFolder(), clock: Clock = systemClock): Promise<TestTerminals> {
  const log = process.env['SHOW_LOG'] === undefined ? silentLog : createLog({ level: 'debug' });
  const background = createBackground(log);
  const ctx = { clock, ids: systemIds, log, spawn: background.spawn };
  const terminals = await openTerminals(ctx, {
    socket: join(folder, 'hall.sock'),
    folder: join(folder, 'terminals'),
    env: tmuxEnv,
  });
  const told = { speeches: [] as Speech[], receipts: [] as ReceiptChange[] };
  const more = { statuses: [] as StatusChange[], ends: [] as TerminalEnd[] };
  listenToTerminals(terminals, {
    onSpeech: async (speech) => void told.speeches.push(speech),
    onReceipt: (change) => void told.receipts.push(change),
    onStatus: (change) => void more.statuses.push(change),
    onEnd: (end) => void more.ends.push(end),
  });
  return { terminals, background, folder, ...told, ...more };
}

/** The programs live on. */
export async function leaveTestTerminals({ terminals, background }: TestTerminals): Promise<void> {
  await closeTerminals(terminals);
  await background.stop(2_000);
}

export async function endTestTerminals(test: TestTerminals): Promise<void> {
  await leaveTestTerminals(test);
  await killServer(test.terminals.tmux);
  rmSync(test.folder, { recursive: true, force: true });
}

/** A program whose screen says nothing. */
export const anyManner: Manner = { name: 'any', speech: 'quiet', hasReceipts: false };

const lastLine = ({ lines }: ScreenText): string => lines.findLast((line) => line !== '') ?? '';

/** Of `terminal-agent.mjs`. */
export const agentManner: Manner = {
  name: 'agent',
  takesPaste: true,
  speech: 'marker',
  hasReceipts: false,
  isIdle: (screen) => lastLine(screen).startsWith('❯') || (screen.lines[screen.cursorLine] ?? '').startsWith('❯'),
  isBusy: ({ lines, cursorLine }) => lines.slice(0, cursorLine + 1).findLast((line) => line !== '') === 'working',
  dialogOf: (screen) => (lastLine(screen) === 'May I begin?' ? 'May I begin?' : undefined),
  isNoise: (line) => /^─+$/.test(line) || line === 'working',
};

export const signallingManner: Manner = { ...agentManner, speech: 'signal', hasReceipts: true };

export function readTestSignal(json: unknown): Signal | undefined {
  return json as Signal;
}

export interface StartedAgent {
  readonly id: TerminalId;
  readonly kind: TerminalKind;
  /** What it took, in order. */
  readonly taken: () => string[];
}

let count = 0;

export async function startAgent(
  { terminals, folder }: TestTerminals,
  manner: Manner,
  env: Readonly<Record<string, string>> = {},
  more: Pick<TerminalRequest, 'holdMs'> = {},
): Promise<StartedAgent> {
  count += 1;
  const id = terminalIdSchema.parse(`agent-${process.pid}-${count}`);
  const agent = agentAt(folder, id, manner);
  const hasSignals = agent.kind.readSignal === undefined ? {} : { SIGNALS: join(folder, 'terminals', id, 'signals') };
  await startTerminal(terminals, {
    ...agent.kind,
    ...more,
    file: process.execPath,
    args: [join(packageRoot, 'test/fixtures/terminal-agent.mjs')],
    cwd: folder,
    env: { KEEP: keepOf(folder, id), ...hasSignals, ...env },
  });
  return agent;
}

/** One that was started by an earlier hall. */
export function agentAt(folder: string, id: TerminalId, manner: Manner): StartedAgent {
  const readSignal = manner.speech === 'signal' ? readTestSignal : undefined;
  return {
    id,
    kind: { id, manner, restFolder: join(folder, 'rest', id), readSignal },
    taken: () => takenIn(keepOf(folder, id)),
  };
}

function keepOf(folder: string, id: TerminalId): string {
  return join(folder, `${id}.jsonl`);
}

function takenIn(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as string);
}
