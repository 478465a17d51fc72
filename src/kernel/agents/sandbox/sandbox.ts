/** Makes places for agents' programs: by what the person wants, what the machine has, what the activity may touch. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ClockContext, IdContext } from '../../clock/clock.ts';
import type { GitContext } from '../../git/run.ts';
import type { LogContext } from '../../log/log.ts';
import { readProcessFacts } from '../../processes/identity.ts';
import { fail } from '../../pure/errors.ts';
import { type Bridge, bridgedCommand, longestSocketPath, openBridge, socketName, waysInside } from './bridge.ts';
import { bubblewrapArguments } from './bubblewrap.ts';
import type {
  Command,
  Enclosure,
  Mount,
  Sandbox,
  SandboxMode,
  SandboxNetwork,
  SandboxRequest,
  Ways,
} from './contract.ts';
import { gitMounts, namesIn } from './git-view.ts';
import { decideState, noSandbox, type Probe, probeMachine } from './probe.ts';
import { seatbeltCommand } from './seatbelt.ts';
import { programMounts, realOf, systemMounts } from './system.ts';

export type SandboxContext = ClockContext & IdContext & LogContext;

export interface SandboxOptions {
  /** Read at every start, so that a change of the configuration takes effect. */
  readonly settings: () => SandboxSettings;
  /** Absolute; folders of the hall alone, one for each process of the hall, and removed with it. */
  readonly folder: string;
  /** Absolute; never shown, but for what an activity is given of them: the person's home and the hall's. */
  readonly hidden: readonly string[];
  /** The person's repository of a project; undefined where there is none. */
  readonly repositoryOf: (project: string) => string | undefined;
  /** `PATH` for the probe; given only by tests. */
  readonly path?: string;
}

export interface SandboxSettings {
  readonly mode: SandboxMode;
  readonly network: SandboxNetwork;
  /** Absolute; what agents may read besides: tools that lie in the person's home, mostly. */
  readonly readable: readonly string[];
}

interface SandboxParts {
  readonly ctx: SandboxContext;
  readonly options: SandboxOptions;
  /** Of this process of the hall. */
  readonly folder: string;
  /** By the path of their socket. */
  readonly bridges: Map<string, Promise<Bridge>>;
  probe: Promise<Probe> | undefined;
  found: Probe;
  entered: number;
}

/** Before `check`. */
const unknown = noSandbox('The machine has not been looked at yet.', 'guild-hall doctor');

export function createSandbox(ctx: SandboxContext, options: SandboxOptions): Sandbox {
  const folder = join(options.folder, `${process.pid}-${ctx.ids.secret().slice(0, 8)}`);
  const parts: SandboxParts = {
    ctx,
    options,
    folder,
    bridges: new Map(),
    probe: undefined,
    found: unknown,
    entered: 0,
  };
  return {
    state: () => decideState(options.settings().mode, parts.found),
    check: async () => {
      parts.probe = undefined;
      return decideState(options.settings().mode, await look(parts));
    },
    enter: async (request) => await enter(parts, request),
    reopen: async (ways) => {
      await openWays(parts, ways);
      return async () => closeWays(parts, ways);
    },
    close: async () => {
      for (const bridge of parts.bridges.values()) await (await bridge).close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Looked at once; also when several programs start at the same time. */
async function look(parts: SandboxParts): Promise<Probe> {
  parts.probe ??= probeMachine(parts.ctx, parts.options.path);
  parts.found = await parts.probe;
  return parts.found;
}

async function enter(parts: SandboxParts, request: SandboxRequest): Promise<Enclosure> {
  const settings = parts.options.settings();
  const probe = await look(parts);
  const { kind, reason, hint } = decideState(settings.mode, probe);
  const network = request.network ?? settings.network;
  const isCurrent = (): boolean =>
    isDeepStrictEqual(parts.options.settings(), settings) && parts.found.kind === probe.kind;
  if (kind === 'none') {
    if (settings.mode === 'required')
      throw fail('unavailable', `No agent is started without a sandbox: ${reason}`, hint);
    return { kind, network: 'full', wrap: (command) => command, isCurrent, leave: async () => undefined };
  }
  parts.entered += 1;
  const folder = join(parts.folder, String(parts.entered));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mounts = await mountsOf(parts, request, folder);
  const ports = request.ways?.ports ?? [Number(new URL(request.gatewayUrl).port)];
  const isBridged = kind === 'bubblewrap' && network === 'model-only';
  const ways = request.ways ?? { folder: parts.folder, ports };
  const leave = async (): Promise<void> => {
    // Those of this hall itself serve all its programs.
    if (request.ways !== undefined) await closeWays(parts, ways);
    await rm(folder, { recursive: true, force: true });
  };
  if (kind === 'seatbelt') {
    const onlyPorts = network === 'model-only' ? ports : undefined;
    const wrap = (command: Command): Command =>
      seatbeltCommand({ mounts: [...mounts, ...programsOf(parts, command)].map(atRealPath), onlyPorts }, command);
    return { kind, network, wrap, isCurrent, leave };
  }
  if (isBridged) await openWays(parts, ways);
  const wrap = (command: Command): Command => ({
    file: 'bwrap',
    args: bubblewrapArguments(
      {
        mounts: [
          ...systemMounts(),
          ...mounts,
          ...programsOf(parts, command),
          ...(isBridged ? wayMounts(request.ways, ways) : []),
        ],
        cwd: request.cwd,
        ownNetwork: isBridged,
        canDisableUserNamespaces: probe.canDisableUserNamespaces,
      },
      isBridged ? bridgedCommand(process.execPath, ports, command) : command,
    ),
  });
  return { kind, network, wrap, isCurrent, leave };
}

/** The whole folder where it is this program's alone: sockets that the next hall puts there are then seen inside. */
function wayMounts(own: Ways | undefined, { folder, ports }: Ways): Mount[] {
  if (own !== undefined) return [{ how: 'read', path: waysInside, source: folder }];
  return ports.map((port) => ({
    how: 'read',
    path: join(waysInside, socketName(port)),
    source: join(folder, socketName(port)),
  }));
}

/** macOS compares with where a path really leads: its temporary folders are reached by links. */
function atRealPath(mount: Mount): Mount {
  return { ...mount, path: realOf(mount.path) };
}

/** The agent's own program, and Node, with which the project's own programs are run. */
function programsOf({ options }: SandboxParts, { file }: Command): Mount[] {
  return [file, process.execPath].flatMap((program) => programMounts(program, options.hidden));
}

/** In this order the later counts where two say something of one path. */
async function mountsOf(parts: SandboxParts, request: SandboxRequest, folder: string): Promise<Mount[]> {
  const { options, ctx } = parts;
  const { access, project, writable } = request;
  const repository = project === null ? undefined : options.repositoryOf(project);
  return [
    ...options.hidden.filter((path) => path !== '/').map((path): Mount => ({ how: 'hide', path })),
    ...options.settings().readable.map((path): Mount => ({ how: 'read', path, optional: true })),
    ...(request.readable ?? []).map((path): Mount => ({ how: 'read', path })),
    { how: access.write ? 'write' : 'read', path: access.root },
    ...(access.hidden ?? []).map((path): Mount => ({ how: 'hide', path })),
    ...(repository === undefined ? [] : await gitMounts(ctx satisfies GitContext, repository, access.root, folder)),
    ...writable.map((path): Mount => ({ how: 'write', path })),
  ];
}

async function openWays(parts: SandboxParts, { folder, ports }: Ways): Promise<void> {
  for (const port of ports) {
    const path = join(folder, socketName(port));
    const known = parts.bridges.get(path);
    if (known === undefined) {
      const opening = openAt(parts, path, port);
      parts.bridges.set(path, opening);
      opening.catch(() => parts.bridges.delete(path));
      await opening;
    } else await known;
  }
}

async function closeWays(parts: SandboxParts, { folder, ports }: Ways): Promise<void> {
  for (const port of ports) {
    const path = join(folder, socketName(port));
    const known = parts.bridges.get(path);
    parts.bridges.delete(path);
    await (await known)?.close();
  }
}

async function openAt({ ctx }: SandboxParts, path: string, port: number): Promise<Bridge> {
  if (Buffer.byteLength(path) > longestSocketPath) {
    throw fail(
      'unavailable',
      `The way to the model cannot be opened: ${path} is too long for a socket's name; at most ${longestSocketPath} bytes.`,
      'Set GUILD_HALL_HOME to a folder with a shorter path, or `sandbox: { network: full }` in config.yaml.',
      { path },
    );
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  return openBridge(ctx, path, port);
}

/** Removes what halls that were killed have left. Nothing that runs needs it: what was shown stays shown. */
export async function removeLeftoverEnclosures(folder: string): Promise<void> {
  for (const name of await namesIn(folder)) {
    const owner = await readProcessFacts(Number.parseInt(name, 10));
    if (owner === undefined) await rm(join(folder, name), { recursive: true, force: true });
  }
}
