/**
 * Contexts and sessions over what is on disk, without a hall's doors: everything real but the agent, which answers what a
 * test has told it to, and writes down what it was asked. Programs that die at fault points use it, too.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionsOfContexts } from '../../src/features/contexts/context.ts';
import type { NextBlockClicked } from '../../src/features/contexts/contract.ts';
import { createSessionDesk, type SessionsContext } from '../../src/features/sessions/context.ts';
import type { BlockRef, SessionId, SessionList, SessionState } from '../../src/features/sessions/contract.ts';
import { agentNameSchema } from '../../src/features/sessions/contract/words.ts';
import { bearSession } from '../../src/features/sessions/reactions/birth.ts';
import { closeLogs } from '../../src/features/sessions/reactions/live.ts';
import { recoverSessions } from '../../src/features/sessions/reactions/recovery.ts';
import { joinContexts, type JoinedContexts, sessionsOfContexts } from '../../src/main/contexts.ts';
import type { AgentDriver, AgentEvent } from '../../src/kernel/agents/contract.ts';
import { type Background, createBackground } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { callOperation, personCaller } from '../../src/kernel/operations/operations.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig } from '../../src/kernel/projects/settings.ts';
import type { NewEvent } from '../../src/kernel/pure/events.ts';
import { agentSessionIdSchema, projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';

export const tally = projectNameSchema.parse('tally');
const scripted = agentNameSchema.parse('scripted');

export interface ContextsHall {
  readonly home: string;
  readonly repo: string;
  readonly sessions: SessionsContext;
  readonly joined: JoinedContexts;
  /** What was announced, in order. */
  readonly events: NewEvent[];
  /** What the agent answers to words; also settable by a test. */
  answer: (words: string) => string;
  /** Set: the agent cannot begin, and says this. */
  refusal: Error | undefined;
  /** Called when an agent is asked to begin. */
  onBegin: () => Promise<void>;
  readonly idle: () => Promise<void>;
  /** As a door would: the input is checked. */
  call(name: string, input: unknown): Promise<unknown>;
}

/** Everything that agents of this home were asked, in order, over all starts: `<agent session> <words>` each. */
export function askedOf(home: string): string[] {
  const file = join(home, 'asked.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

/**
 * Opens what lies in `home` as a start of the hall does: contexts first, then sessions.
 * @param atEnd is given what closes the files, for the end of the test
 */
export async function openContexts(
  home: string,
  repo: string,
  atEnd: (work: () => Promise<void>) => void = () => undefined,
): Promise<ContextsHall> {
  const events: NewEvent[] = [];
  const background: Background = createBackground(silentLog);
  mkdirSync(home, { recursive: true });
  const config = { ...defaultConfig, projects: [{ name: tally, path: repo }] };
  const parts = {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home: homePaths(home),
    config: () => config,
    scrub,
    spawn: background.spawn,
    events: {
      publish: (event: NewEvent) => (events.push(event), event),
      cursor: () => ({ epoch: 'test', seq: events.length }),
    },
  };
  // Of the hall only what sessions need.
  const sessions = {
    ...parts,
    sessionDesk: createSessionDesk(),
    gateway: { grant: () => ({ baseUrl: '', token: '', model: '' }), revoke: () => undefined },
    driverOf: () => scriptedDriver(home, () => hall),
    listAgents: async () => [],
    metaContextsOf: (project: string) => joined.metaContextsOf(project),
    plugins: [],
  } as unknown as SessionsContext;
  const wanted = sessionsOfContexts(sessions, {
    defaultAgent: () => scripted,
    markdownOf: async (id) => `# ${id}\n`,
  });
  const joined = joinContexts(parts as unknown as Parameters<typeof joinContexts>[0], wanted);
  const hall: ContextsHall = {
    home,
    repo,
    sessions,
    joined,
    events,
    answer: () => 'It is done.',
    refusal: undefined,
    onBegin: async () => undefined,
    idle: async () => await background.idle(),
    call: async (name, input) => {
      const operation = joined.feature.operations.find(({ description }) => description.name === name)!;
      return await callOperation(operation, personCaller, input);
    },
  };
  atEnd(async () => {
    await hall.idle();
    await closeLogs(sessions);
  });
  await joined.feature.recover?.();
  await recoverSessions(sessions);
  return hall;
}

let begun = 0;

/** Its sessions are only ids; it streams its answer and ends. */
function scriptedDriver(home: string, hall: () => ContextsHall): AgentDriver {
  return {
    name: 'scripted',
    stop: async () => undefined,
    open: () => ({
      begin: async () => {
        await hall().onBegin();
        const { refusal } = hall();
        if (refusal !== undefined) throw refusal;
        begun += 1;
        return { sessionId: agentSessionIdSchema.parse(`agent-${process.pid}-${begun}`), choices: [] };
      },
      prompt: (prompt, options) => answering(home, hall(), wordsOf(prompt), options?.resume ?? null),
      prepare: () => undefined,
      interrupt: async () => undefined,
      close: async () => undefined,
    }),
  };
}

type Prompt = Parameters<ReturnType<AgentDriver['open']>['prompt']>[0];

function wordsOf(prompt: Prompt): string {
  if (typeof prompt === 'string') return prompt;
  return prompt.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

async function* answering(
  home: string,
  hall: ContextsHall,
  words: string,
  session: string | null,
): AsyncGenerator<AgentEvent> {
  appendFileSync(join(home, 'asked.txt'), `${session} ${words.replaceAll('\n', '⏎')}\n`);
  const sessionId = agentSessionIdSchema.parse(session ?? `agent-${process.pid}-${words.length}`);
  yield { type: 'session', sessionId };
  yield { type: 'text', text: hall.answer(words) };
  yield { type: 'end', reason: 'done', sessionId };
}

/** A session that stands alone, with one answer in it. */
export async function sessionSaying(hall: ContextsHall, answer: string): Promise<SessionState> {
  const before = hall.answer;
  hall.answer = () => answer;
  const { id } = await bearSession(hall.sessions, {
    project: tally,
    agent: scripted,
    folder: hall.repo,
    title: 'First',
    from: null,
    prompt: { promptId: `prompt-${systemIds.random(8)}`, text: 'Begin', images: [] },
    metaContext: null,
  });
  await hall.idle();
  hall.answer = before;
  return await stateOf(hall, id);
}

export async function stateOf({ sessions }: ContextsHall, id: SessionId): Promise<SessionState> {
  const wanted: Pick<SessionsOfContexts, 'find'> = sessionsOfContexts(sessions, {
    defaultAgent: () => scripted,
    markdownOf: async () => '',
  });
  return (await wanted.find(id))!;
}

export function nextBlock(next: unknown): string {
  return `\`\`\`conclave:next\n${typeof next === 'string' ? next : JSON.stringify(next)}\n\`\`\``;
}

/** The block at a place of a session's last answer. */
export function blockOf({ id, messages }: SessionState, position = 0): BlockRef {
  return { sessionId: id, message: messages.findLast(({ role }) => role === 'agent')!.seq, position };
}

export async function click(hall: ContextsHall, input: object): Promise<NextBlockClicked> {
  return (await hall.call('next.click', { project: 'tally', ...input })) as NextBlockClicked;
}

/** The list that everybody was told last. */
export function listTold({ events }: ContextsHall): SessionList {
  return events.findLast(({ type }) => type === 'session.list')!.data as SessionList;
}

export interface RegistryFile {
  readonly contexts: readonly { id: string; name: string; sessionIds: string[] }[];
}

export function registryText(repo: string): string {
  return readFileSync(join(repo, '.conclave/state/meta-contexts.json'), 'utf8');
}

export function registryOnDisk(repo: string): RegistryFile {
  return JSON.parse(registryText(repo)) as RegistryFile;
}
