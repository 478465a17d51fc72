/**
 * The hall: joins the kernel's parts, the features and the HTTP door, in the order in which they need each other, and
 * closes them in the opposite order.
 */
import type { SignInsContext } from '../features/signins/context.ts';
import type { HallTerminals } from '../features/terminals/context.ts';
import { findHall } from '../interfaces/cli/client.ts';
import { createApp } from '../interfaces/http/app.ts';
import { createLimits, type LimitSettings } from '../interfaces/http/limits.ts';
import { serveApp, type Served } from '../interfaces/http/serve.ts';
import { openSocketDoor } from '../interfaces/http/socket/door.ts';
import type { SocketDoor } from '../interfaces/http/socket/keeper.ts';
import { createStreams, type Streams } from '../interfaces/http/streams.ts';
import { openTerminalDoor, withTerminals } from '../interfaces/http/terminal-socket/door.ts';
import type { ToolDoor } from '../interfaces/http/tool-door.ts';
import { createTickets } from '../interfaces/http/tickets.ts';
import { isSameToken } from '../interfaces/http/tokens.ts';
import type { Log } from '../kernel/log/log.ts';
import { createRegistry, personCaller } from '../kernel/operations/operations.ts';
import { acquireFileLock } from '../kernel/processes/filelock.ts';
import { ownIdentity } from '../kernel/processes/identity.ts';
import { systemIds } from '../kernel/clock/clock.ts';
import { deferred } from '../kernel/pure/deferred.ts';
import { ensureHome, type HomePaths } from '../kernel/projects/home.ts';
import { ensureToken } from '../kernel/projects/token.ts';
import { joinAgents } from './agents.ts';
import type { HallContext } from './context.ts';
import { routeAliases } from './descriptions.ts';
import type { HallFeature } from './feature.ts';
import { joinFeatures } from './features.ts';
import { hallLockPath, openKernel } from './kernel.ts';
import { joinMcp } from './mcp-door.ts';
import { openApi } from './openapi.ts';
import { admissionOfPass } from './passes.ts';
import { removeRecord, writeRecord } from './record.ts';
import { alreadyRunning } from './refusals.ts';
import { admissionOfBrowser, browserDoor, createSignIns } from './sign-ins.ts';
import { createStage, type Stage } from './stage.ts';
import { bindStatus } from './status-operations.ts';
import { terminalViews } from './terminal-views.ts';
import { hallTerminals } from './terminals.ts';
import { admissionOfTerminal, type TerminalOf } from './terminal-tokens.ts';

export interface HallOptions {
  readonly home: HomePaths;
  /** Undefined: the one in config.yaml. 0 takes a free one. */
  readonly port?: number;
  readonly log: Log;
  readonly version: string;
  /** Somebody asked the hall to stop through a door; whoever started it stops it. */
  readonly onStopAsked: () => void;
  /** Of the doors, where they are not the usual ones. */
  readonly limits?: Partial<LimitSettings>;
}

export interface HallAddress {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
}

export interface Hall {
  /** Resolves when the hall answers. After a throw nothing of it is left open. @throws HallError */
  start(): Promise<HallAddress>;
  /** Interrupts turns, ends agents, frees the port and the lock. Safe to call twice. */
  stop(): Promise<void>;
}

export function buildHall(options: HallOptions): Hall {
  const stage = createStage();
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= stage.closeAll(options.log));
  return {
    start: async () => {
      try {
        return await startHall(options, stage);
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}

async function startHall(options: HallOptions, stage: Stage): Promise<HallAddress> {
  const { home, log } = options;
  await ensureHome(home);
  await takeLock(home, stage);
  const kernel = await openKernel(home, log, stage);
  const door = await openDoor(options.port ?? kernel.config().port, stage);
  const ctx = await joinAgents(kernel, stage);
  const streams = createStreams(options.limits);
  const signIns = createSignIns(ctx, { address: door.served.url, endConnections: (id) => streams.closeOf(id) });
  const terminals = hallTerminals(ctx);
  const features = joinFeatures(ctx, signIns, terminals);
  const problems = await recoverAll(ctx, features, stage);
  // Closed first: features then wait for what they have under way, and agents are still there for it.
  stage.opened('work', async () => kernel.askToEnd());
  await openFace(options, { ctx, signIns, terminals, features, problems, door, streams });
  const address = { pid: process.pid, url: door.served.url, port: door.served.port };
  await writeRecord(home, {
    version: 1,
    identity: ownIdentity(),
    url: address.url,
    hallVersion: options.version,
    startedAt: ctx.clock.nowIso(),
  });
  stage.opened('record', () => removeRecord(home));
  log.info({ ...address, version: options.version, model: ctx.gateway.describeModel().name }, 'the hall answers');
  for (const feature of features) feature.settle?.();
  return address;
}

/** One hall a home: two would write the same files. A lock that a killed hall left is taken over. */
async function takeLock(home: HomePaths, stage: Stage): Promise<void> {
  const lock = await acquireFileLock({ ids: systemIds }, hallLockPath(home));
  if ('heldBy' in lock) throw alreadyRunning(home, lock.heldBy.pid, (await findHall(home.root))?.url);
  stage.opened('lock', () => lock.release());
}

interface Door {
  readonly served: Served;
  /** From now on requests are answered; those that came before wait for it. */
  readonly answerWith: (faces: Faces) => void;
}

interface Faces {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly sockets: SocketDoor;
  readonly tools: ToolDoor & { close(): Promise<void> };
}

/** The port is taken first: when it is not to be had, nothing else has been begun. */
async function openDoor(port: number, stage: Stage): Promise<Door> {
  const { promise: faces, resolve } = deferred<Faces>();
  let sockets: SocketDoor | undefined;
  let tools: Faces['tools'] | undefined;
  const served = await serveApp(async (request) => await (await faces).fetch(request), {
    port,
    // Nobody has a ticket of a hall that is still starting.
    upgrade: (request, socket, head) => (sockets ? sockets.upgrade(request, socket, head) : void socket.destroy()),
  });
  stage.opened('http', async () => {
    await sockets?.close();
    await tools?.close();
    await served.close();
  });
  const answerWith: Door['answerWith'] = (given) => {
    ({ sockets, tools } = given);
    resolve(given);
  };
  return { served, answerWith };
}

/** Every feature goes on where a killed hall left off. One that cannot is named, and the others go on. */
async function recoverAll(ctx: HallContext, features: readonly HallFeature[], stage: Stage): Promise<string[]> {
  const problems: string[] = [];
  for (const feature of features) {
    stage.opened(feature.name, async () => await feature.stop?.());
    try {
      await feature.recover?.();
    } catch (error) {
      ctx.log.error({ err: error, feature: feature.name }, 'a feature could not take up what was left');
      problems.push(`${feature.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return problems;
}

interface Face {
  readonly ctx: HallContext;
  readonly signIns: SignInsContext;
  readonly terminals: HallTerminals;
  readonly features: readonly HallFeature[];
  readonly problems: readonly string[];
  readonly door: Door;
  readonly streams: Streams;
}

async function openFace(options: HallOptions, face: Face): Promise<void> {
  const { ctx, signIns, terminals, features, problems, door, streams } = face;
  const token = await ensureToken(ctx, options.home);
  const own = bindStatus(ctx, { features, problems, url: door.served.url, ...options });
  const limits = createLimits(ctx, options.limits);
  const shared = {
    registry: createRegistry([...own, ...features.flatMap(({ operations }) => operations)]),
    port: () => door.served.port,
    limits,
    streams,
    tickets: createTickets(ctx),
  };
  const tools = joinMcp(ctx, { registry: shared.registry, version: options.version, terminals });
  const terminalOf: TerminalOf = (given) => features.map((feature) => feature.terminalOf?.(given)).find(Boolean);
  const app = createApp(ctx, {
    ...shared,
    tools,
    aliases: routeAliases,
    admissionOf: (given, place) =>
      isSameToken(given, token)
        ? { caller: personCaller }
        : (admissionOfPass(features, token, given) ??
          admissionOfTerminal(terminalOf, given) ??
          admissionOfBrowser(signIns, given, place)),
    browser: browserDoor(signIns),
    openApi: () => openApi(door.served.port),
  });
  const sockets = withTerminals(
    openSocketDoor(ctx, { ...shared, version: options.version, startedAt: ctx.clock.nowIso() }),
    openTerminalDoor(ctx, { ...shared, views: terminalViews(terminals) }),
  );
  door.answerWith({ fetch: (request) => app.fetch(request), sockets, tools });
}
