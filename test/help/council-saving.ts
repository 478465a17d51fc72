/** A council that is ready to be saved, and a place to save it: a real repository with its integration checkout. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type CouncilEntry,
  type CouncilSession,
  councilIdSchema,
  councilSessionSchema,
  type CouncilTurn,
} from '../../src/features/councils/contract.ts';
import type { SavingContext } from '../../src/features/councils/saving/context.ts';
import type { CouncilRef } from '../../src/features/councils/store/place.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { ensureIntegration } from '../../src/kernel/git/integration.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { makeRepository, repositoryAt, tempFolder, type TestRepository } from './repositories.ts';

export interface SavingRig {
  readonly ctx: SavingContext;
  /** On the integration branch. */
  readonly ref: CouncilRef;
  /** The same council in the repository itself. */
  readonly inPlace: CouncilRef;
  readonly repository: TestRepository;
  /** The integration checkout. */
  readonly checkout: TestRepository;
}

export async function savingRig(files?: Readonly<Record<string, string>>): Promise<SavingRig> {
  const folder = await tempFolder();
  const repository = await makeRepository({ path: join(folder, 'repository'), ...(files && { files }) });
  const home = homePaths(join(folder, 'home'));
  mkdirSync(home.root, { recursive: true });
  const name = projectNameSchema.parse('sample');
  const ctx = { clock: systemClock, ids: systemIds, log: silentLog, locks: createLocks(), home };
  const worktree = home.integrationWorktree(name);
  await ensureIntegration(ctx, { repo: repository.path, branch: 'claude/main', worktree, name });
  const project = { name, path: repository.path, integrationBranch: 'claude/main', integrationWorktree: worktree };
  const ref = { project, id: readyToSave().sessionId, root: worktree };
  return { ctx, ref, inPlace: { ...ref, root: repository.path }, repository, checkout: repositoryAt(worktree) };
}

/** A council in place, in a folder without git. */
export async function folderRig(
  files: Readonly<Record<string, string>> = {},
): Promise<Pick<SavingRig, 'ctx' | 'inPlace'>> {
  const folder = await tempFolder();
  const root = join(folder, 'repository');
  const home = homePaths(join(folder, 'home'));
  mkdirSync(home.root, { recursive: true });
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const name = projectNameSchema.parse('sample');
  const ctx = { clock: systemClock, ids: systemIds, log: silentLog, locks: createLocks(), home };
  const integrationWorktree = home.integrationWorktree(name);
  const project = { name, path: root, integrationBranch: 'claude/main', integrationWorktree };
  return { ctx, inPlace: { project, id: readyToSave().sessionId, root } };
}

const usage = { inputTokens: 900, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.01 };

export function savedTurn(number: number, change: Partial<CouncilTurn> = {}): CouncilEntry {
  const turn: CouncilTurn = {
    id: `T${number}`,
    number,
    round: 1,
    phase: 'DISCUSS',
    kind: 'round-robin',
    speaker: 'Ada',
    role: 'Architect',
    body: `Words of turn ${number}.`,
    tokens: 100,
    runningTotal: number * 100,
    usage,
    via: 'subagent',
    origin: null,
    progress: 'none',
    claims: [],
    challenges: [],
    decisions: [],
    at: '2026-05-18T09:00:00.000Z',
    seal: 'seal',
    ...change,
  };
  return { kind: 'turn', turn };
}

const marker = (phase: CouncilSession['phase']): CouncilEntry => ({ kind: 'marker', phase });

export function readyToSave(change: Partial<CouncilSession> = {}): CouncilSession {
  const charter = 'Choose a cache for sessions.';
  const transcript: CouncilEntry[] = [
    marker('INVITE'),
    marker('CHARTER'),
    { kind: 'charter', text: charter },
    marker('RESEARCH'),
    savedTurn(1, { phase: 'RESEARCH', kind: 'prelude', round: 0, body: 'The prelude of Ada.' }),
    savedTurn(2, {
      phase: 'RESEARCH',
      kind: 'prelude',
      round: 0,
      speaker: 'Ben',
      role: 'Tester',
      body: 'That of Ben.',
    }),
    marker('DISCUSS'),
    savedTurn(3, {
      decisions: ['Redis keeps the sessions'],
      claims: [{ line: 1, text: 'It is fast.', verdict: 'not-found', citations: ['README.md:1'] }],
    }),
    savedTurn(4, { speaker: 'Ben', role: 'Tester', challenges: ['Nobody has measured it'] }),
    { kind: 'line', name: 'cost-check', text: '[cost-check] 400 tokens' },
    marker('CLOSE'),
    marker('REVIEW'),
  ];
  return councilSessionSchema.parse({
    sessionId: councilIdSchema.parse('2026-05-18-cache-choice'),
    phase: 'SAVE',
    round: 1,
    turnCounter: 4,
    cadenceCounter: 4,
    raiseHandLedger: '',
    scratchpadState: '',
    cumulativeCost: 400,
    lastCheckpointAt: '',
    lastCheckpointPhase: 'pre-save',
    lastYieldEmittedAt: '',
    agentDispatchFindings: '',
    userAttendance: 'false',
    version: 1,
    project: 'sample',
    status: 'running',
    charter,
    setup: {
      mode: 'decide',
      bias: 'decision-record',
      invitees: [
        { name: 'Ada', role: 'Architect', worker: 'ada' },
        { name: 'Ben', role: 'Tester', worker: 'ben' },
      ],
      inviteesOverride: false,
      defaultInviteesResolved: [],
      missingInvitees: ['Nate'],
      noWeb: false,
      skipResearch: false,
      turns: 2,
      maxTurns: 40,
      perAgentCap: 25_000,
      yes: false,
      inPlace: null,
      userName: 'Pat',
      date: '2026-05-18',
      slug: 'cache-choice',
      startedAt: '2026-05-18T08:59:00.000Z',
    },
    cadence: 4,
    transcript,
    preludesDone: 2,
    slotsDone: 2,
    discussTurns: 2,
    discussTurnsAtYield: 0,
    inserted: [],
    waitingHands: [],
    passed: [],
    wrapUp: false,
    researchPhase: 'enabled',
    tokens: { Ada: 200, Ben: 200 },
    muted: [],
    loopWindow: [],
    pins: [
      pin(1, { content: '{"ttl": 60}', contentType: 'json', disposition: 'extract' }),
      pin(2, { content: '# Kept\n\n## In the notes\n', disposition: 'keep' }),
      pin(3, { content: 'Dropped words', disposition: 'drop' }),
      pin(4, { content: 'Plan: use it\nsecond line', disposition: 'extract' }),
    ],
    fetched: {},
    question: null,
    halt: null,
    trouble: null,
    drafts: {
      actionItems: [
        item(1, { assignee: 'Ada', pins: ['SP-1'] }),
        item(2, {
          type: 'adr-draft',
          contextForTarget: 'Two lines:\n- "quoted", # and signs',
          acceptance: 'After draft-1.',
        }),
      ],
      memory: [
        {
          agent: 'Ada',
          tags: ['cache', 'sessions'],
          decided: ['Redis keeps the sessions'],
          constraints: ['Nothing is kept\nlonger than a day'],
          tracking: ['Wait for draft-2'],
          sources: ['README.md:1'],
        },
        { agent: 'Ben', tags: [], decided: [], constraints: [], tracking: [], sources: [] },
      ],
      notes: {
        summary: 'They chose Redis, see draft-1.\n\nIt has "quotes" and\n## no heading',
        sections: { Decision: 'Redis.', Owner: 'Ada', 'Something else': 'More.' },
        openQuestions: ['How large does it get?'],
        minority: 'Ben would measure first.',
      },
      by: 'facilitator',
    },
    reviews: ['action-items', 'memory:Ada', 'memory:Ben', 'notes'].map((draft) => ({
      draft,
      disposition: 'accept',
      text: null,
    })),
    save: null,
    ...change,
  });
}

function pin(n: number, change: Partial<CouncilSession['pins'][number]>): CouncilSession['pins'][number] {
  const usual = { id: `SP-${n}`, content: '', contentType: 'md', agent: 'Ada', intent: 'to keep', historyCount: 0 };
  return { ...usual, disposition: null, ...change };
}

function item(n: number, change: Partial<NonNullable<CouncilSession['drafts']>['actionItems'][number]>) {
  const usual = { id: `draft-${n}`, type: 'feature' as const, priority: 'normal', assignee: 'unassigned', pins: [] };
  return { ...usual, contextForTarget: `Item ${n}.`, acceptance: 'It is there.', ...change };
}
