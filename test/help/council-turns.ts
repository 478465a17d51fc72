/** Turns of councils without a hall: the real driver before the rehearsal, on a repository of their own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SpeakHooks } from '../../src/features/councils/context.ts';
import {
  councilIdSchema,
  councilKind,
  type CouncilSession,
  type CouncilTurn,
} from '../../src/features/councils/contract.ts';
import type { SpeakStep } from '../../src/features/councils/rules/facts.ts';
import type { RuleIo } from '../../src/features/councils/rule/io.ts';
import type { CouncilRef } from '../../src/features/councils/store/place.ts';
import type { TurnsContext } from '../../src/features/councils/turns/context.ts';
import { councilPlay } from '../../src/features/councils/turns/play.ts';
import { createClaudeDriver } from '../../src/kernel/agents/drivers/claude/driver.ts';
import { startGateway } from '../../src/kernel/agents/gateway/gateway.ts';
import type { Move, MoveBlock, RehearsalPlay } from '../../src/kernel/agents/rehearsal/move.ts';
import { offeredTool } from '../../src/kernel/agents/rehearsal/plays/offered.ts';
import type { Situation } from '../../src/kernel/agents/rehearsal/situation.ts';
import { createRehearsal } from '../../src/kernel/agents/rehearsal/rehearsal.ts';
import { noSandbox } from '../../src/kernel/agents/sandbox/probe.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig, type HallConfig } from '../../src/kernel/projects/settings.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { readyToFind } from '../../src/kernel/secrets/find.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';
import { loadWorkers } from '../../src/kernel/workers/catalogue.ts';
import { packageRoot } from '../../src/main/package.ts';
import { makeTestSandbox, type TestSandbox } from '../fixtures/test-sandbox.ts';

export const facts = { at: '2026-11-22T09:00:00.000Z', seal: () => 'seal', digest: () => 'digest' };

/** For rules that read nothing and say nothing. */
export const noIo: RuleIo = {
  out: () => undefined,
  err: () => undefined,
  stdin: async () => Promise.resolve(''),
  env: {},
  cwd: '/',
  now: () => facts.at,
};

export interface TurnsRig {
  readonly ctx: TurnsContext;
  readonly ref: CouncilRef;
  readonly close: () => Promise<void>;
}

export interface TurnsRequest {
  /** Folder that holds everything; empty. */
  readonly folder: string;
  /** A checkout. */
  readonly root: string;
  /** Asked before the rehearsal's own. */
  readonly plays?: readonly RehearsalPlay[];
  /** Text of a scenario. */
  readonly scenario?: string;
  /** Left out: none. */
  readonly sandbox?: boolean;
  readonly config?: Partial<HallConfig>;
}

export async function makeTurnsRig(request: TurnsRequest): Promise<TurnsRig> {
  await readyToFind();
  const { folder, root } = request;
  const home = homePaths(join(folder, 'home'));
  const scenario = join(folder, 'scenario.yaml');
  if (request.scenario !== undefined) write(scenario, request.scenario);
  const background = createBackground(silentLog);
  const project = projectNameSchema.parse('sample');
  const config: HallConfig = { ...defaultConfig, projects: [{ name: project, path: root }], ...request.config };
  const kernel = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    spawn: background.spawn,
    home,
    config: () => config,
  };
  const gateway = await startGateway(kernel, {
    rehearsal: createRehearsal(kernel, {
      plays: [...(request.plays ?? []), councilPlay],
      unlabelled: [councilKind],
      ...(request.scenario !== undefined && { scenario }),
    }),
  });
  const sandbox: TestSandbox | undefined =
    request.sandbox === true ? await makeTestSandbox({ repositoryOf: () => root }) : undefined;
  const driver = createClaudeDriver(kernel, {
    settings: () => config.agents,
    recordsDir: home.processes,
    ...(sandbox !== undefined && { sandbox }),
  });
  const sources = { shipped: join(packageRoot(), 'workers'), packages: home.packages };
  const ctx: TurnsContext = {
    ...kernel,
    gateway,
    driver,
    sandbox: { state: () => sandbox?.state() ?? noSandbox('None in this test.', 'guild-hall doctor') },
    catalogue: async () => await loadWorkers(kernel, sources),
    scrub,
    recordFolders: () => [],
    councilPrompts: join(packageRoot(), 'src', 'features', 'councils', 'prompts'),
  };
  const close = async (): Promise<void> => {
    await driver.stop();
    await gateway.close();
    await sandbox?.close();
    await background.idle();
  };
  const id = councilIdSchema.parse('2026-11-22-a-council');
  const place = { name: project, path: root, integrationBranch: 'main', integrationWorktree: root };
  return { ctx, ref: { project: place, id, root }, close };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const twoSpeakers = [
  { name: 'Ada', role: 'Architect', worker: 'researcher' },
  { name: 'Ben', role: 'Tester', worker: 'reviewer' },
] as const;

/** A council that is in DISCUSS, with nothing said. */
export function sessionOf(charter: string, change: Partial<CouncilSession> = {}): CouncilSession {
  return {
    sessionId: councilIdSchema.parse('2026-11-22-a-council'),
    phase: 'DISCUSS',
    round: 1,
    turnCounter: 0,
    cadenceCounter: 0,
    raiseHandLedger: '',
    scratchpadState: '',
    cumulativeCost: 0,
    lastCheckpointAt: '',
    lastCheckpointPhase: '',
    lastYieldEmittedAt: '',
    agentDispatchFindings: '',
    userAttendance: '',
    version: 1,
    project: projectNameSchema.parse('sample'),
    status: 'running',
    charter,
    setup: {
      mode: 'decide',
      bias: 'decision-record',
      invitees: [...twoSpeakers],
      inviteesOverride: false,
      defaultInviteesResolved: [],
      missingInvitees: [],
      noWeb: true,
      skipResearch: false,
      turns: 4,
      maxTurns: 40,
      perAgentCap: 25_000,
      yes: false,
      inPlace: null,
      userName: null,
      date: '2026-11-22',
      slug: 'a-council',
      startedAt: '2026-11-22T08:00:00.000Z',
    },
    cadence: 4,
    transcript: [],
    preludesDone: 0,
    slotsDone: 0,
    discussTurns: 0,
    discussTurnsAtYield: 0,
    inserted: [],
    waitingHands: [],
    passed: [],
    wrapUp: false,
    researchPhase: 'enabled',
    tokens: {},
    muted: [],
    loopWindow: [],
    pins: [],
    fetched: {},
    question: null,
    halt: null,
    trouble: null,
    drafts: null,
    reviews: [],
    save: null,
    ...change,
  };
}

export function stepOf(
  kind: SpeakStep['kind'],
  speaker: SpeakStep['speaker'] = twoSpeakers[0],
  more: Partial<SpeakStep> = {},
): SpeakStep {
  return { do: 'speak', kind, speaker, number: 1, round: kind === 'prelude' ? 0 : 1, by: '', question: '', ...more };
}

export interface HeardHooks extends SpeakHooks {
  readonly words: string[];
  readonly tools: string[];
  readonly attempts: number[];
}

export function hooksOf(signal = new AbortController().signal): HeardHooks {
  const words: string[] = [];
  const tools: string[] = [];
  const attempts: number[] = [];
  return {
    signal,
    words,
    tools,
    attempts,
    onAttempt: (attempt) => void attempts.push(attempt),
    onWords: (text) => void words.push(text),
    onTool: (name, subject) => void tools.push(`${name} ${subject}`),
  };
}

/** One list of blocks for each model call of a prompt; the last again where there are more. */
export const inTurn =
  (...moves: readonly (readonly MoveBlock[])[]) =>
  (situation: Situation): Move => ({
    blocks: (moves[Math.min(situation.turn.answers, moves.length - 1)] ?? []).map((block) =>
      block.type === 'tool_use' ? { ...block, name: offeredTool(situation, block.name)?.name ?? block.name } : block,
    ),
  });

/** What is said to each prompt of a turn: to the first, when asked again, and again. */
export const saying =
  (...texts: readonly string[]) =>
  (situation: Situation): Move => ({ blocks: [words(texts[Math.min(situation.turns.length, texts.length - 1)]!)] });

export const words = (text: string): MoveBlock => ({ type: 'text', text });
export const call = (name: string, input: Record<string, unknown>): MoveBlock => ({ type: 'tool_use', name, input });

export function turnOf(
  speaker: string,
  kind: CouncilTurn['kind'],
  body: string,
  more: Partial<CouncilTurn> = {},
): CouncilTurn {
  return {
    id: 'T1',
    number: 1,
    round: kind === 'prelude' ? 0 : 1,
    phase: kind === 'prelude' ? 'RESEARCH' : 'DISCUSS',
    kind,
    speaker,
    role: 'Tester',
    body,
    tokens: 10,
    runningTotal: 10,
    usage: { inputTokens: 1, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 },
    via: 'subagent',
    origin: null,
    progress: 'none',
    claims: [],
    challenges: [],
    decisions: [],
    at: '2026-11-22T09:00:00.000Z',
    seal: '',
    ...more,
  };
}
