/** One process of the agent's program: started ahead, given one prompt, gone after its turn. */
import { type SpawnedProcess, startup, type WarmQuery } from '@anthropic-ai/claude-agent-sdk';
import type { BackgroundContext } from '../../../background/background.ts';
import type { ClockContext } from '../../../clock/clock.ts';
import type { LogContext } from '../../../log/log.ts';
import { stopProcessGroup } from '../../../processes/group.ts';
import type { ProcessIdentity } from '../../../processes/identity.ts';
import { startProcess, type StartedProcess } from '../../../processes/start.ts';
import { type ErrorFacts, errorFactsOf, HallError } from '../../../pure/errors.ts';
import { activityKey, type AgentSessionId } from '../../../pure/ids.ts';
import type { OpenOptions } from '../../contract.ts';
import type { Enclosure, Sandbox } from '../../sandbox/contract.ts';
import { decideCrash, type Failure } from './failures.ts';
import type { TurnEar } from './asking.ts';
import { isOnlyBegun } from './begun.ts';
import type { Chosen } from './modes.ts';
import { sdkOptionsOf } from './options.ts';
import { removeAgentRecord, writeAgentRecord } from './records.ts';

export type ProcessContext = ClockContext & LogContext & BackgroundContext;

export interface AgentProcess {
  /** The session that it has loaded; undefined for a new one. */
  readonly resume: AgentSessionId | undefined;
  readonly identity: ProcessIdentity;
  readonly warm: WarmQuery;
  /** Resolves when the process is gone and its record with it. */
  readonly gone: Promise<void>;
  hasExited: boolean;
  /** Whether its sandbox is what the settings ask for now. */
  readonly isCurrent: () => boolean;
  /** The end of what it wrote to standard error. */
  stderrTail: string;
  /** The turn that it serves listens by this. */
  readonly serve: (ear: TurnEar) => void;
}

export interface ProcessRequest {
  readonly open: OpenOptions;
  readonly recordsDir: string;
  readonly resume: AgentSessionId | undefined;
  readonly maxRetries: number;
  /** Left out: none, and no shell. */
  readonly sandbox: Sandbox | undefined;
  readonly chosenOf: (id: AgentSessionId) => Chosen;
}

export type StartOutcome = { readonly process: AgentProcess } | { readonly failure: Failure };

/** How long a process may take to end by itself once its input has ended. Milliseconds; about 40 is usual. */
const endGraceMs = 2_000;
const stderrKept = 2_000;

/** What is known of a process while the SDK still waits for it to be ready. */
interface Birth {
  started?: StartedProcess;
  recorded?: Promise<void>;
  refused?: ErrorFacts;
  stderrTail: string;
  ear: TurnEar;
  readonly enclosure: Enclosure;
}

/**
 * Starts a process and waits until it can take a prompt. Nothing that the model says can run before that.
 * @param signal gives up: the process is ended, and the outcome is a failure that nobody needs to see
 */
export async function startAgentProcess(
  ctx: ProcessContext,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<StartOutcome> {
  const enclosure = await makePlace(ctx, request);
  if ('failure' in enclosure) return enclosure;
  const birth: Birth = { stderrTail: '', ear: deaf, enclosure };
  const hint = request.sandbox?.state().hint ?? 'guild-hall doctor';
  const options = sdkOptionsOf(ctx, {
    ...request,
    isOnlyBegun: request.resume !== undefined && (await isOnlyBegun(request.open.configDir, request.resume)),
    sandbox: { kind: enclosure.kind, network: enclosure.network, hint },
    ear: () => birth.ear,
    spawn: (asked) => spawnChild(ctx, request, birth, { file: asked.command, args: asked.args, env: asked.env }),
  });
  const giveUp = (): void => {
    const { started } = birth;
    if (started) ctx.spawn('end an agent that is not needed', async () => endGroup(ctx, started));
  };
  signal.addEventListener('abort', giveUp);
  try {
    const warm = await startup({ options });
    await birth.recorded;
    return { process: describeProcess(request, birth, birth.started!, warm) };
  } catch (error) {
    return { failure: await failStart(ctx, request, birth, error) };
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

/** A sandbox that cannot be made is a failure of the turn, in the words of whoever could not make it. */
async function makePlace(
  ctx: ProcessContext,
  { open, sandbox }: ProcessRequest,
): Promise<Enclosure | { readonly failure: Failure }> {
  if (sandbox === undefined) return withoutSandbox;
  try {
    return await sandbox.enter({
      project: open.activity.project,
      cwd: open.cwd,
      access: open.access,
      readable: open.plugins ?? [],
      writable: [open.configDir, open.tmpDir],
      ...(open.network === undefined ? {} : { network: open.network }),
      gatewayUrl: open.model.baseUrl,
    });
  } catch (error) {
    if (!(error instanceof HallError)) ctx.log.error({ err: error }, 'the sandbox of an agent could not be made');
    return { failure: { errorClass: 'crashed', ...errorFactsOf(error), retryAfterMs: null } };
  }
}

/** Before any turn is served nothing is called. */
const deaf: TurnEar = {
  onDenied: () => undefined,
  onAsked: async () => undefined,
  sessionId: () => null,
  over: AbortSignal.abort(),
};

const withoutSandbox: Enclosure = {
  kind: 'none',
  network: 'full',
  wrap: (command) => command,
  isCurrent: () => true,
  leave: async () => undefined,
};

function spawnChild(
  ctx: ProcessContext,
  { open, recordsDir }: ProcessRequest,
  birth: Birth,
  command: { file: string; args: string[]; env: Readonly<Record<string, string | undefined>> },
): SpawnedProcess {
  try {
    const wrapped = birth.enclosure.wrap(command);
    const started = startProcess(ctx, { ...wrapped, env: command.env, cwd: open.cwd, stdio: 'pipe', detached: true });
    birth.started = started;
    const { child } = started;
    child.stderr?.on(
      'data',
      (data: Buffer) => (birth.stderrTail = (birth.stderrTail + data.toString()).slice(-stderrKept)),
    );
    // A process that dies while it is written to is noticed by its exit; the broken pipe says nothing more.
    child.stdin?.on('error', () => undefined);
    birth.recorded = writeAgentRecord(ctx, recordsDir, started.identity, activityKey(open.activity));
    ctx.log.debug({ pid: started.pid, activity: activityKey(open.activity) }, 'agent process started');
    return child as SpawnedProcess;
  } catch (error) {
    if (error instanceof HallError) birth.refused = error.facts;
    throw error;
  }
}

function describeProcess(
  { resume, recordsDir }: ProcessRequest,
  birth: Birth,
  started: StartedProcess,
  warm: WarmQuery,
): AgentProcess {
  const process: AgentProcess = {
    resume,
    identity: started.identity,
    warm,
    hasExited: false,
    isCurrent: birth.enclosure.isCurrent,
    gone: started.exited.then(async () => {
      process.hasExited = true;
      await removeAgentRecord(recordsDir, started.identity);
      await birth.enclosure.leave();
    }),
    get stderrTail() {
      return birth.stderrTail;
    },
    serve: (ear) => {
      birth.ear = ear;
    },
  };
  return process;
}

async function failStart(
  ctx: ProcessContext,
  { recordsDir }: ProcessRequest,
  birth: Birth,
  error: unknown,
): Promise<Failure> {
  const { started, refused } = birth;
  if (started) {
    await endGroup(ctx, started);
    // Its own failure to be written changes nothing any more.
    await birth.recorded?.catch(() => undefined);
    await removeAgentRecord(recordsDir, started.identity);
  }
  await birth.enclosure.leave();
  if (refused) return { errorClass: 'crashed', message: refused.message, hint: refused.hint, retryAfterMs: null };
  return decideCrash(error instanceof Error ? error.message : String(error), birth.stderrTail);
}

async function endGroup(ctx: ProcessContext, started: StartedProcess): Promise<void> {
  await stopProcessGroup(ctx, started.identity, { graceMs: endGraceMs });
  await started.exited;
}

/** Ends a process whose input has been closed, or closes it: waits for it, then asks, then forces. */
export async function endAgentProcess(ctx: ProcessContext, process: AgentProcess, graceMs = endGraceMs): Promise<void> {
  const waiting = new AbortController();
  const late = ctx.clock.sleep(graceMs, waiting.signal).then(
    () => stopProcessGroup(ctx, process.identity, { graceMs: endGraceMs }),
    () => undefined, // it ended in time
  );
  await process.gone;
  waiting.abort();
  await late;
}

/** Ends a process that never got a prompt. */
export async function discardAgentProcess(ctx: ProcessContext, process: AgentProcess): Promise<void> {
  process.warm.close();
  await endAgentProcess(ctx, process);
}

/** Ends a process at once, with everything that it started. */
export async function killAgentProcess(ctx: ProcessContext, process: AgentProcess): Promise<void> {
  await stopProcessGroup(ctx, process.identity, { graceMs: 0 });
}
