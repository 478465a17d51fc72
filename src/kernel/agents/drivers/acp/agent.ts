/** One process of an ACP agent: started in its sandbox, spoken with over its standard streams, ended with all that it started. */
import * as acp from '@agentclientprotocol/sdk';
import { stopProcessGroup } from '../../../processes/group.ts';
import { type ProcessEnd, startProcess, type StartedProcess } from '../../../processes/start.ts';
import { errorFactsOf, HallError } from '../../../pure/errors.ts';
import type { OpenOptions } from '../../contract.ts';
import type { Enclosure, Sandbox } from '../../sandbox/contract.ts';
import { removeAgentRecord, writeAgentRecord } from '../claude/records.ts';
import type { DoorContext } from './door.ts';
import type { AcpEntry } from './entry.ts';
import { type Failure, failure, failureOfEnd, failureOfRequest, updateHint } from './failures.ts';
import type { Place } from './places.ts';
import { initializeShape } from './shapes.ts';
import { agentStream } from './wire.ts';

export type AcpContext = DoorContext;

/** What an agent says that it can do. */
export interface AgentFacts {
  readonly canLoad: boolean;
  readonly canResume: boolean;
  readonly canClose: boolean;
  readonly takesImages: boolean;
  readonly takesHttpServers: boolean;
}

/** Who answers what the agent asks, and hears what it tells. */
export interface AgentListener {
  readonly onUpdate: (params: unknown, bytes: number) => void;
  readonly onPermission: (params: unknown, signal: AbortSignal) => Promise<acp.RequestPermissionResponse>;
  readonly onRead: (params: acp.ReadTextFileRequest, id: acp.JsonRpcId) => Promise<string>;
  /** The agent has taken the answer to that request. */
  readonly onAnswered: (id: unknown) => void;
  readonly onWrite: (params: acp.WriteTextFileRequest) => Promise<void>;
}

export interface AgentProcess {
  readonly started: StartedProcess;
  readonly connection: acp.ClientConnection;
  readonly enclosure: Enclosure;
  facts: AgentFacts;
  /** How long it may take to answer what is soon done. Milliseconds. */
  readonly answerMs: number;
  /** Resolves when the process is gone and its record with it. */
  readonly gone: Promise<ProcessEnd>;
  hasExited: boolean;
  /** What it did that made the hall end it. */
  fault: string | undefined;
  /** The end of what it wrote to standard error, and of what it wrote to standard output that is no message. */
  stderrTail: string;
}

export interface AgentRequest {
  readonly entry: AcpEntry;
  readonly open: OpenOptions;
  readonly place: Place;
  readonly doorUrl: string;
  readonly recordsDir: string;
  readonly sandbox: Sandbox | undefined;
  readonly handshakeMs: number;
  /** For the person who looks at the record. */
  readonly label: string;
}

export type AgentOutcome = { readonly process: AgentProcess } | { readonly failure: Failure };

/** How long a process may take to end when asked. Milliseconds. */
const endGraceMs = 2_000;
/** How long its last words may take after its end. Milliseconds. */
const lastWordsMs = 500;
/** How long one that has closed its streams may take to be gone. Milliseconds. */
const lateEndMs = 3_000;
const stderrKept = 2_000;

const nothing: AgentFacts = {
  canLoad: false,
  canResume: false,
  canClose: false,
  takesImages: false,
  takesHttpServers: false,
};

/** Starts an agent and speaks with it until it is ready for sessions. Never throws for what it does. */
export async function startAgent(
  ctx: AcpContext,
  request: AgentRequest,
  listener: AgentListener,
): Promise<AgentOutcome> {
  let process: AgentProcess;
  try {
    process = await spawnAgent(ctx, request, listener);
  } catch (error) {
    if (!(error instanceof HallError)) ctx.log.error({ err: error }, 'an agent could not be started');
    return { failure: { errorClass: 'crashed', ...errorFactsOf(error), retryAfterMs: null } };
  }
  const failed = await shakeHands(ctx, process, request);
  if (failed === undefined) return { process };
  await endAgent(ctx, process);
  return { failure: failed };
}

async function spawnAgent(ctx: AcpContext, request: AgentRequest, listener: AgentListener): Promise<AgentProcess> {
  const { open, place } = request;
  const enclosure = await enter(request);
  let started: StartedProcess;
  try {
    const command = enclosure.wrap({ file: place.file, args: place.args });
    started = startProcess(ctx, { ...command, env: place.env, cwd: open.cwd, stdio: 'pipe', detached: true });
  } catch (error) {
    await enclosure.leave();
    throw error;
  }
  const { child } = started;
  // A process that dies while it is written to is noticed by its exit; the broken pipe says nothing more.
  child.stdin?.on('error', () => undefined);
  const recorded = writeAgentRecord(ctx, request.recordsDir, started.identity, request.label);
  const stream = agentStream(child.stdout!, child.stdin!, {
    onUpdate: listener.onUpdate,
    onAnswered: listener.onAnswered,
    onGarbage: (line) => keepWords(process, `${line}\n`),
    onFault: (message) => breakOff(ctx, process, message),
  });
  const connection = answerer(listener).connect(stream);
  // Its end is seen by those who wait for an answer.
  connection.closed.catch(() => undefined);
  const process: AgentProcess = {
    started,
    connection,
    enclosure,
    facts: nothing,
    answerMs: request.handshakeMs,
    hasExited: false,
    fault: undefined,
    stderrTail: '',
    gone: started.exited.then(async (end) => {
      await Promise.race([connection.closed, ctx.clock.sleep(lastWordsMs)]);
      process.hasExited = true;
      connection.close();
      // Its own failure to be written changes nothing any more.
      await recorded.catch(() => undefined);
      await removeAgentRecord(request.recordsDir, started.identity);
      await enclosure.leave();
      return end;
    }),
  };
  child.stderr?.on('data', (data: Buffer) => keepWords(process, data.toString()));
  ctx.log.debug({ pid: started.pid, agent: request.entry.name }, 'agent process started');
  return process;
}

function keepWords(process: AgentProcess, words: string): void {
  process.stderrTail = (process.stderrTail + words).slice(-stderrKept);
}

async function enter({ sandbox, open, place, doorUrl }: AgentRequest): Promise<Enclosure> {
  if (sandbox === undefined) return withoutSandbox;
  return await sandbox.enter({
    project: open.activity.project,
    cwd: open.cwd,
    access: open.access,
    writable: place.writable,
    readable: place.readable,
    ...(open.network === undefined ? {} : { network: open.network }),
    gatewayUrl: doorUrl,
  });
}

const withoutSandbox: Enclosure = {
  kind: 'none',
  network: 'full',
  wrap: (command) => command,
  isCurrent: () => true,
  leave: async () => undefined,
};

function answerer(listener: AgentListener): acp.ClientApp {
  const raw = (params: unknown): unknown => params;
  return acp
    .client({ name: 'guild-hall' })
    .onRequest(acp.methods.client.session.requestPermission, raw, async ({ params, signal }) =>
      listener.onPermission(params, signal),
    )
    .onRequest(acp.methods.client.fs.readTextFile, async ({ params, requestId }) => ({
      content: await listener.onRead(params, requestId),
    }))
    .onRequest(acp.methods.client.fs.writeTextFile, async ({ params }) => {
      await listener.onWrite(params);
      return {};
    });
}

async function shakeHands(ctx: AcpContext, process: AgentProcess, request: AgentRequest): Promise<Failure | undefined> {
  const { entry, open, handshakeMs } = request;
  try {
    const asked = process.connection.agent.request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'guild-hall', title: 'Guild Hall', version: '1' },
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: open.access.write } },
    });
    const answer = await answerInTime(ctx, handshakeMs, asked);
    return answer === 'late' ? tooLate(process, request) : readFacts(process, entry, answer);
  } catch (error) {
    if (error instanceof acp.RequestError) {
      return failureOfRequest(entry, { model: open.model.model, limits: open.limits }, error);
    }
    return await failureAtEnd(ctx, process);
  }
}

/** What was asked, or that it is late; its answer may still come then. */
export async function answerInTime<Answer>(
  ctx: AcpContext,
  limitMs: number,
  asked: Promise<Answer>,
): Promise<Answer | 'late'> {
  const inTime = new AbortController();
  const late = ctx.clock.sleep(limitMs, inTime.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    inTime.abort();
  }
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

function tooLate({ stderrTail }: AgentProcess, { entry, handshakeMs }: AgentRequest): Failure {
  const said = stderrTail.trim() === '' ? '' : ` It said: ${stderrTail.trim().slice(-300)}`;
  const message = `${entry.title} did not answer the hall's first request within ${seconds(handshakeMs)}.${said}`;
  return failure('protocol', message, `See whether it speaks the Agent Client Protocol: ${entry.install}`);
}

function readFacts(process: AgentProcess, entry: AcpEntry, answer: unknown): Failure | undefined {
  const read = initializeShape.safeParse(answer);
  const version = read.data?.protocolVersion;
  if (!read.success || version !== acp.PROTOCOL_VERSION) {
    const spoken = version === undefined ? 'no version' : `version ${JSON.stringify(version)?.slice(0, 40)}`;
    const message = `${entry.title} speaks ${spoken} of the Agent Client Protocol; the hall speaks version ${acp.PROTOCOL_VERSION}.`;
    return failure('protocol', message, updateHint(entry));
  }
  const can = read.data.agentCapabilities;
  const sessions = can?.sessionCapabilities;
  process.facts = {
    canLoad: can?.loadSession === true,
    canResume: isThere(sessions?.resume),
    canClose: isThere(sessions?.close),
    takesImages: can?.promptCapabilities?.image === true,
    takesHttpServers: can?.mcpCapabilities?.http === true,
  };
  return undefined;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What to say of a process that has ended, or is about to. */
export async function failureAtEnd(ctx: AcpContext, process: AgentProcess): Promise<Failure> {
  // Its connection may close a moment before it is gone; one that lives on without is ended by the caller.
  const end = await Promise.race([process.gone, ctx.clock.sleep(lateEndMs)]);
  return failureOfEnd(wordsOfEnd(end), process.stderrTail, process.fault);
}

function wordsOfEnd(end: ProcessEnd | void): string {
  if (end === undefined) return 'it closed its standard output';
  return end.signal === null ? `exit code ${end.exitCode}` : `ended by ${end.signal}`;
}

/** Ends a process because of what it did; those who wait for it hear why. */
export function breakOff(ctx: AcpContext, process: AgentProcess, fault: string): void {
  if (process.hasExited) return;
  process.fault ??= fault;
  ctx.log.warn({ pid: process.started.pid, fault }, 'an agent does not keep to the protocol');
  ctx.spawn('end an agent that does not keep to the protocol', async () => killAgent(ctx, process));
}

export async function endAgent(ctx: AcpContext, process: AgentProcess): Promise<void> {
  process.started.child.stdin?.end();
  await stopProcessGroup(ctx, process.started.identity, { graceMs: endGraceMs });
  await process.gone;
}

/** Ends it at once, with everything that it started. */
export async function killAgent(ctx: AcpContext, process: AgentProcess): Promise<void> {
  await stopProcessGroup(ctx, process.started.identity, { graceMs: 0 });
  await process.gone;
}
