/**
 * Sessions over what is on disk, without a hall's doors: everything real but the agent, which plays what a test has given
 * it. Programs that die at fault points use it, too.
 */
import { createSessionDesk, type SessionsContext } from '../../src/features/sessions/context.ts';
import type { SessionId, SessionState, SessionView } from '../../src/features/sessions/contract.ts';
import { agentNameSchema } from '../../src/features/sessions/contract/words.ts';
import { bindSessions } from '../../src/features/sessions/operations.ts';
import { closeLogs, openSession } from '../../src/features/sessions/reactions/live.ts';
import { recoverSessions } from '../../src/features/sessions/reactions/recovery.ts';
import type {
  AgentDriver,
  AgentEvent,
  AgentSession,
  OpenOptions,
  PromptPart,
} from '../../src/kernel/agents/contract.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { callOperation, personCaller } from '../../src/kernel/operations/operations.ts';
import { ensureHome, homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig } from '../../src/kernel/projects/settings.ts';
import type { NewEvent } from '../../src/kernel/pure/events.ts';
import { agentSessionIdSchema, projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { readyToFind } from '../../src/kernel/secrets/find.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';

/** One prompt, as the agent has it. */
export interface Played {
  readonly parts: readonly PromptPart[];
  /** All texts of the prompt. */
  readonly words: string;
  readonly resume: string | null;
  readonly open: OpenOptions;
  /** Aborted when the turn is to end. */
  readonly interrupted: AbortSignal;
}

export type Play = (played: Played) => AsyncGenerator<AgentEvent>;

export interface SessionsHall {
  readonly ctx: SessionsContext;
  /** What was announced, in order. */
  readonly events: NewEvent[];
  /** What the agent was asked, in order. */
  readonly asked: Played[];
  /** What the agent was told to choose. */
  readonly chosen: string[];
  /** Names of the agents whose driver was asked for. */
  readonly drivers: string[];
  /** How the agent answers; changed by tests. */
  play: Play;
  /** Set: the agent cannot begin, and says this. */
  refusal: Error | undefined;
  /** Set: nothing can be chosen, and it says this. */
  unchosen: Error | undefined;
  /** It does not end a turn when it is told to. */
  isDeaf: boolean;
  opened: number;
  closed: number;
  call<Answer = SessionView>(name: string, input?: object): Promise<Answer>;
  /** Resolves when nothing runs. */
  readonly idle: () => Promise<void>;
  /** Ends as a hall does. */
  readonly stop: () => Promise<void>;
  readonly state: (id: SessionId) => Promise<SessionState>;
}

const modes = [
  { id: 'ask', name: 'Ask', description: '' },
  { id: 'plan', name: 'Plan', description: '' },
];

/** Says the words back. */
export async function* echo({ words, resume }: Played): AsyncGenerator<AgentEvent> {
  const sessionId = agentSessionIdSchema.parse(resume ?? 'agent-1');
  yield { type: 'session', sessionId };
  yield { type: 'text', text: `You said: ${words}` };
  yield { type: 'end', reason: 'done', sessionId };
}

export async function openSessions(home: string, repo: string): Promise<SessionsHall> {
  await readyToFind();
  await ensureHome(homePaths(home));
  const events: NewEvent[] = [];
  const background = createBackground(silentLog);
  const config = { ...defaultConfig, projects: [{ name: projectNameSchema.parse('tally'), path: repo }] };
  const parts = {
    // Long waits are short: nobody waits for an agent that is given up.
    clock: {
      ...systemClock,
      sleep: async (ms: number, signal?: AbortSignal) => await systemClock.sleep(ms < 1000 ? ms : 20, signal),
    },
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home: homePaths(home),
    config: () => config,
    scrub,
    spawn: background.spawn,
    events: {
      publish: (event: NewEvent) => (events.push(structuredClone(event)), event),
      cursor: () => ({ epoch: 'test', seq: events.length }),
    },
    sessionDesk: createSessionDesk(),
    gateway: { grant: () => ({ baseUrl: '', token: '', model: '' }), revoke: () => undefined },
    driverOf: (name: string) => (hall.drivers.push(name), playingDriver(() => hall)),
    defaultAgent: () => agentNameSchema.parse('played'),
    listAgents: async () => [],
    metaContextsOf: () => [],
    plugins: [],
  };
  // Of the hall only what sessions need.
  const ctx = parts as unknown as SessionsContext;
  const operations = bindSessions(ctx);
  const hall: SessionsHall = {
    ctx,
    events,
    asked: [],
    chosen: [],
    drivers: [],
    play: echo,
    refusal: undefined,
    unchosen: undefined,
    isDeaf: false,
    opened: 0,
    closed: 0,
    call: async <Answer>(name: string, input: object = {}) => {
      const operation = operations.find(({ description }) => description.name === `session.${name}`)!;
      return (await callOperation(operation, personCaller, input)) as Answer;
    },
    idle: async () => await background.idle(),
    stop: async () => {
      await background.stop(5000);
      await closeLogs(ctx);
    },
    state: async (id) => (await openSession(ctx, id)).state,
  };
  await recoverSessions(ctx);
  return hall;
}

function playingDriver(hall: () => SessionsHall): AgentDriver {
  return { name: 'played', stop: async () => undefined, open: (open) => playingSession(hall(), open) };
}

function playingSession(hall: SessionsHall, open: OpenOptions): AgentSession {
  hall.opened += 1;
  const begun = `agent-${hall.opened}`;
  let turn = new AbortController();
  let current = 'ask';
  const choices = () => [{ id: 'mode', name: 'Mode', kind: 'mode' as const, current, options: modes }];
  return {
    begin: async () => {
      if (hall.refusal !== undefined) throw hall.refusal;
      return { sessionId: agentSessionIdSchema.parse(begun), choices: choices() };
    },
    prompt: (prompt, { resume } = {}) => {
      turn = new AbortController();
      const parts = typeof prompt === 'string' ? [{ type: 'text' as const, text: prompt }] : prompt;
      const words = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
      const played: Played = { parts, words, resume: resume ?? null, open, interrupted: turn.signal };
      hall.asked.push(played);
      return hall.play(played);
    },
    choose: async (sessionId, choice, option) => {
      if (hall.unchosen !== undefined) throw hall.unchosen;
      hall.chosen.push(`${sessionId} ${choice} ${option}`);
      current = option;
      return choices();
    },
    prepare: () => undefined,
    interrupt: async () => {
      if (!hall.isDeaf) turn.abort();
    },
    close: async () => {
      hall.closed += 1;
      turn.abort();
    },
  };
}
