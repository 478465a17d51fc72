/** What the conformance suite works with: the scripted model, the rig of a driver, reading of a turn's events. */
import type { ActivityId, AgentSessionId, ProjectName } from '../pure/ids.ts';
import type { AgentDriver, AgentEvent, AgentSession, OpenOptions } from './contract.ts';

export type ScriptedBlock =
  | { readonly type: 'text' | 'thinking'; readonly chunks: readonly string[] }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown };

export type ScriptedAnswer =
  | {
      readonly blocks: readonly ScriptedBlock[];
      readonly usage?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
      /** After the last block: `truncate` ends the connection, `garbage` writes nonsense, `stall` says nothing more. */
      readonly then?: 'truncate' | 'garbage' | 'stall';
    }
  | { readonly status: number; readonly message?: string; readonly retryAfterSeconds?: number };

/** A call that the model was asked to make. */
export interface ScriptedRequest {
  /** The whole conversation as it was sent, as text. */
  readonly conversation: string;
  /** Resolves when the agent has the whole answer or has hung up. */
  readonly closed: Promise<void>;
}

/** The model, scripted by key; every session of the tests has a key of its own. */
export interface ScriptedModel {
  readonly baseUrl: string;
  /** Adds answers for the requests made with `key`, in order. */
  answer(key: string, ...answers: ScriptedAnswer[]): void;
  /** What a request gets when no scripted answer is left. */
  otherwise(key: string, answer: ScriptedAnswer): void;
  requests(key: string): readonly ScriptedRequest[];
}

export interface ConformanceRig {
  readonly driver: AgentDriver;
  readonly model: ScriptedModel;
  /** The name that the model uses for a tool of the hall. */
  toolName(name: string): string;
  /** How the model calls the agent's own tool that writes a file, which wants a permission. `path` is absolute. */
  writeCall(path: string, text: string): { readonly name: string; readonly input: unknown };
  /** A new folder of its own, for a session's working directory, state and temporary files. */
  makeFolder(): Promise<string>;
  /** Pids of all processes of the driver that live now. */
  livePids(): Promise<number[]>;
  /** Name of a model whose price the agent knows. */
  readonly pricedModel: string;
  close(): Promise<void>;
}

/** What the groups of tests share. */
export interface Bench extends ConformanceRig {
  /** A session with a key and folders of its own. */
  open(overrides?: Partial<OpenOptions>): Promise<Opened>;
}

export interface Opened {
  readonly session: AgentSession;
  readonly options: OpenOptions;
  readonly key: string;
}

/** A bench over a rig. */
export function benchOf(rig: ConformanceRig): Bench {
  let opened = 0;
  const open = async (overrides: Partial<OpenOptions> = {}): Promise<Opened> => {
    opened += 1;
    const key = overrides.model?.token ?? `key-${opened}`;
    const folder = await rig.makeFolder();
    const options: OpenOptions = {
      activity: { project: 'sample' as ProjectName, kind: 'trial', id: `trial-${opened}` as ActivityId },
      cwd: folder,
      systemPrompt: 'You take part in a test.',
      tools: [],
      builtInTools: [],
      access: { root: folder, write: false },
      limits: { maxTurns: 10, maxBudgetUsd: null, silenceMs: 20_000 },
      model: { baseUrl: rig.model.baseUrl, token: key, model: rig.pricedModel },
      configDir: await rig.makeFolder(),
      tmpDir: await rig.makeFolder(),
      ...overrides,
    };
    return { session: rig.driver.open(options), options, key };
  };
  return { ...rig, open };
}

export function say(...chunks: string[]): ScriptedAnswer {
  return { blocks: [{ type: 'text', chunks }] };
}

export function callTool(name: string, input: unknown): ScriptedAnswer {
  return { blocks: [{ type: 'tool_use', name, input }] };
}

/** All events of a turn. What holds for every turn is checked here: one last event, one result for each call. */
export async function collect(turn: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of turn) events.push(event);
  checkShape(events);
  return events;
}

function checkShape(events: readonly AgentEvent[]): void {
  const kinds = events.map((event) => event.type);
  const ends = kinds.filter((kind) => kind === 'end' || kind === 'error').length;
  const last = kinds.at(-1);
  if (ends !== 1 || (last !== 'end' && last !== 'error'))
    throw new TypeError(`not exactly one end, and last: ${kinds.join(' ')}`);
  const calls = ofType(events, 'tool_call').map((call) => call.callId);
  const results = ofType(events, 'tool_result').map((result) => result.callId);
  if (calls.toSorted().join() !== results.toSorted().join())
    throw new TypeError(`calls ${calls.join()} but results ${results.join()}`);
}

export function ofType<Type extends AgentEvent['type']>(
  events: readonly AgentEvent[],
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

export function textOf(events: readonly AgentEvent[]): string {
  return ofType(events, 'text')
    .map((event) => event.text)
    .join('');
}

/** The last event; fails the test when there is none. */
export function lastOf(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'end' | 'error' }> {
  const last = events.at(-1);
  if (last?.type !== 'end' && last?.type !== 'error') throw new TypeError('the turn has no last event');
  return last;
}

/** The session that the turn was of, for the next one's `resume`. */
export function sessionOf(events: readonly AgentEvent[]): AgentSessionId {
  const { sessionId } = lastOf(events);
  if (sessionId === null) throw new TypeError('the turn names no session');
  return sessionId;
}

/** Reads until an event of `type` has come, and gives what was read. The turn goes on. */
export async function readUntil(turn: AsyncIterator<AgentEvent>, type: AgentEvent['type']): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let step = await turn.next(); step.done !== true; step = await turn.next()) {
    events.push(step.value);
    if (step.value.type === type) return events;
  }
  throw new TypeError(`no ${type} came: ${events.map((event) => event.type).join(' ')}`);
}

/** What is left of a turn after `readUntil`. */
export async function readRest(turn: AsyncIterator<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for (let step = await turn.next(); step.done !== true; step = await turn.next()) events.push(step.value);
  return events;
}
