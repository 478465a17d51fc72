/** Conversations over real terminals: tmux, small real programs, files in a folder of their own. */
import { join } from 'node:path';
import type { GatheringsContext, TerminalFacts, TerminalsOf } from '../../src/features/gatherings/context.ts';
import { bindConversations, startConversation } from '../../src/features/gatherings/operations.ts';
import { createGatherings } from '../../src/features/gatherings/reactions/ceremony/live.ts';
import { createConversations } from '../../src/features/gatherings/reactions/live.ts';
import { openConversations, takeUpConversations } from '../../src/features/gatherings/reactions/recovery.ts';
import type { ConversationStarted, ConversationView, Message } from '../../src/features/gatherings/contract.ts';
import { type Background, createBackground } from '../../src/kernel/background/background.ts';
import { type Clock, systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { openEventStream } from '../../src/kernel/events/events.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { createLog, silentLog } from '../../src/kernel/log/log.ts';
import { callOperation, type Caller, createRegistry, personCaller } from '../../src/kernel/operations/operations.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig, type HallConfig } from '../../src/kernel/projects/settings.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { activityIdSchema, projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';
import type { Manner, TerminalId } from '../../src/kernel/terminals/contract.ts';
import {
  deliver,
  forgetUnsaid,
  joinTerminal,
  listenToTerminals,
  statusOf,
  withdraw,
} from '../../src/kernel/terminals/terminals.ts';
import { packageRoot, waitUntil } from './programs.ts';
import {
  agentAt,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
  type StartedAgent,
  type TestTerminals,
} from './terminals.ts';

export const talkProject = projectNameSchema.parse('shop');

export interface Talker extends StartedAgent {
  readonly name: string;
}

export interface TestConversations {
  readonly terminals: TestTerminals;
  readonly ctx: GatheringsContext;
  readonly talkers: Map<TerminalId, Talker>;
  readonly events: HallEvent[];
  /** Changes the settings. */
  readonly set: (change: Partial<HallConfig>) => void;
  readonly call: <T>(name: string, input?: unknown, caller?: Caller) => Promise<T>;
  readonly start: (caller: Talker, target: Talker, message: string) => Promise<ConversationStarted>;
  readonly show: (id: string) => Promise<ConversationView>;
  readonly background: Background;
}

export interface Wanted {
  readonly clock?: Clock;
  readonly config?: Partial<HallConfig>;
  /** Of an earlier one, whose hall was left. */
  readonly before?: { readonly folder: string; readonly talkers: ReadonlyMap<TerminalId, Talker> };
}

/** Those that are not ended, by their folder. */
const opened = new Map<string, TestConversations>();

/** Also of tests that failed before their end. Call it after all. */
export async function endAllTestConversations(): Promise<void> {
  for (const test of opened.values()) await endTestConversations(test);
}

/** Conversations are taken up; terminals of an earlier hall are joined. */
export async function openTestConversations(wanted: Wanted = {}): Promise<TestConversations> {
  const terminals = await openTestTerminals(wanted.before?.folder);
  const talkers = new Map(wanted.before?.talkers);
  const log = process.env['SHOW_LOG'] === undefined ? silentLog : createLog({ level: 'debug' });
  const background = createBackground(log);
  const parts = { clock: wanted.clock ?? systemClock, ids: systemIds, log };
  const stream = await openEventStream({ ...parts, clock: systemClock }, join(terminals.folder, 'events'));
  let config: HallConfig = { ...defaultConfig, ...wanted.config };
  const ctx: GatheringsContext = {
    ...parts,
    locks: createLocks(),
    spawn: background.spawn,
    events: stream,
    home: homePaths(terminals.folder),
    config: () => config,
    scrub,
    terminalsOf: terminalsOf(terminals, talkers),
    conversations: createConversations(),
    gatherings: createGatherings(),
    shippedRhythms: join(packageRoot, 'rhythms'),
    seats: noSeats,
    findHistory: async () => [],
    isRehearsal: () => false,
    pulseFacts: async () => ({ running: 0, waiting: 0, conflicts: 0, questions: 0 }),
  };
  const events: HallEvent[] = [];
  background.spawn('events', async () => {
    for await (const event of stream.subscribe()) events.push(event);
  });
  await openConversations(ctx);
  for (const { kind } of wanted.before?.talkers.values() ?? []) await joinTerminal(terminals.terminals, kind);
  await takeUpConversations(ctx);
  const registry = createRegistry(bindConversations(ctx));
  const call: TestConversations['call'] = async <T>(name: string, input: unknown = {}, caller: Caller = personCaller) =>
    (await callOperation(registry.find(name)!, caller, input)) as T;
  const test: TestConversations = {
    terminals,
    ctx,
    talkers,
    events,
    set: (change) => (config = { ...config, ...change }),
    call,
    start: async (caller, target, message) => startConversation(ctx, { caller: caller.id, target: target.id, message }),
    show: async (id) => call('conversation.show', { id }),
    background,
  };
  opened.set(terminals.folder, test);
  return test;
}

/** Conversations start no terminals. */
const noSeats: GatheringsContext['seats'] = {
  entries: () => [],
  invite: () => undefined,
  spawn: async () => Promise.reject(new Error('no terminal is started here')),
  end: async () => {},
};

function terminalsOf({ terminals }: TestTerminals, talkers: ReadonlyMap<TerminalId, Talker>): TerminalsOf {
  const factsOf = ({ id, name, kind }: Talker): TerminalFacts => {
    const status = terminals.live.has(id) ? statusOf(terminals, id).status : 'ended';
    const isShell = name === 'shell';
    const { restFolder } = kind;
    return { id, name, project: talkProject, status, isAlive: status !== 'ended', isShell, restFolder };
  };
  return {
    list: () => [...talkers.values()].map(factsOf),
    find: (id) => {
      const talker = talkers.get(id);
      return talker === undefined ? undefined : factsOf(talker);
    },
    deliver: async (id, message) => deliver(terminals, id, message),
    withdraw: async (id, messageId) => withdraw(terminals, id, messageId),
    forgetUnsaid: async (id) => forgetUnsaid(terminals, id),
    listen: (listener) => listenToTerminals(terminals, listener),
  };
}

export interface TalkerWanted {
  readonly manner?: Manner;
  /** What it answers, one after the other; then `Taken <length>.` */
  readonly says?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that takes pastes and tells what it says, unless another manner is wanted. */
export async function startTalker(
  { terminals, talkers }: TestConversations,
  name: string,
  { manner = signallingManner, says = [], env = {} }: TalkerWanted = {},
): Promise<Talker> {
  const agent = await startAgent(terminals, manner, { RAW: '1', SAYS: JSON.stringify(says), ...env });
  const talker = { ...agent, name };
  talkers.set(agent.id, talker);
  await waitUntil(() => statusOf(terminals.terminals, agent.id).status === 'idle');
  return talker;
}

export function callerOf({ id }: Talker): Caller {
  return {
    kind: 'agent',
    activity: { project: talkProject, kind: 'terminal', id: activityIdSchema.parse(String(id)) },
  };
}

/** The hall goes; tmux and the programs live on. */
export async function leaveTestConversations({ ctx, terminals, background }: TestConversations): Promise<void> {
  ctx.conversations.stopListening?.();
  background.ask();
  await leaveTestTerminals(terminals);
  await ctx.events.close();
  await background.stop(2_000);
}

export async function endTestConversations(test: TestConversations): Promise<void> {
  opened.delete(test.terminals.folder);
  await leaveTestConversations(test);
  await endTestTerminals(test.terminals);
}

/** Of an earlier hall. */
export function talkersAt(
  folder: string,
  names: readonly (readonly [id: TerminalId, name: string])[],
  manner: Manner = signallingManner,
): Map<TerminalId, Talker> {
  return new Map(names.map(([id, name]) => [id, { ...agentAt(folder, id, manner), name }]));
}

/** The same programs, with the hall that comes after. */
export async function nextHall(
  { terminals: { folder }, talkers }: TestConversations,
  wanted: Omit<Wanted, 'before'> = {},
): Promise<TestConversations> {
  const names = [...talkers.values()].map(({ id, name }) => [id, name] as const);
  return openTestConversations({ ...wanted, before: { folder, talkers: talkersAt(folder, names) } });
}

/** `<who> <fate>: <words>` each. */
export function said({ messages }: { readonly messages: readonly Message[] }): string[] {
  return messages.map(({ from, fate, text }) => `${from}${fate === 'sent' ? '' : ` ${fate}`}: ${text}`);
}
