/** Makes everything ready for a program in a terminal: folders, files, its way to the model, its sandbox. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { LogContext } from '../../../log/log.ts';
import { findProgram } from '../../../processes/find-program.ts';
import { fail } from '../../../pure/errors.ts';
import { activityIdSchema, type ActivityRef } from '../../../pure/ids.ts';
import type { TerminalKind } from '../../../terminals/shapes.ts';
import { terminalMark } from '../../../terminals/tmux/leftovers.ts';
import { isBelow } from '../../sandbox/bubblewrap.ts';
import { realOf } from '../../sandbox/system.ts';
import type { ModelAccess } from '../../contract.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Command, Enclosure, Sandbox } from '../../sandbox/contract.ts';
import type {
  EntryPlace,
  EntrySettings,
  KeptAgent,
  Permissions,
  PreparedTerminal,
  RejoinedTerminal,
  TerminalAgentRequest,
  TerminalEntry,
} from './shapes.ts';
import type { ChosenEntry } from './entries.ts';
import { requireNoOrders } from './orders.ts';
import { fillFolders, type Folders, foldersOf, removeFolders } from './folders.ts';
import { hookVariable, mcpTokenVariable, mcpUrlVariable, signalsVariable } from './names.ts';
import { tellPath } from './tell-script.ts';

export interface TerminalAgentParts {
  readonly gateway: Pick<Gateway, 'grant' | 'revoke' | 'baseUrl'>;
  readonly sandbox: Sandbox;
  readonly maxRetries: () => number;
  /** The hall's own environment: PATH, and the variables that the person names for an entry. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** So long a program that is ready is told nothing while its tools are not there. Milliseconds. */
const toolsMs = 3_000;

/**
 * What is needed to start a terminal of this entry. Nothing of the person's credentials is in it, nor in any file, but
 * for variables that the person names.
 * @throws HallError `not_found` where its program is not there, `unavailable` where a sandbox is required and there is none
 */
export async function prepareTerminalAgent(
  ctx: LogContext,
  parts: TerminalAgentParts,
  { entry, settings }: ChosenEntry,
  request: TerminalAgentRequest,
): Promise<PreparedTerminal> {
  const command = await commandOf(parts, { entry, settings }, request);
  const folders = foldersOf(request.folder);
  const activity = activityOf(request);
  const { id, modelName, cwd, cols, rows } = request;
  const model = entry.takesGateway ? parts.gateway.grant(activity, { worker: entry.name, modelName }) : undefined;
  let enclosure: Enclosure | undefined;
  const leave = async (): Promise<void> => leaveOnce(ctx, parts, { activity, folders, enclosure });
  try {
    await fillFolders(folders, []);
    enclosure = await enterFor(parts, entry, request, folders);
    const variables = chosenVariables(parts, settings);
    const start = entry.start(await placeOf(parts, { request, folders, model, enclosure, variables }));
    await fillFolders(folders, start.files);
    const isPrivate = enclosure.kind !== 'none' || entry.isAgent;
    return {
      request: {
        ...kindOf(entry, id, folders),
        ...enclosure.wrap({ file: command.file, args: [...command.args, ...start.args] }),
        cwd,
        env: { ...variables, ...baseOf(request, folders, isPrivate), ...start.env },
        cols,
        rows,
        holdMs: entry.takesTools === true && request.mcp !== undefined ? toolsMs : undefined,
      },
      kept: {
        entry: entry.name,
        modelToken: model?.token,
        modelName,
        ports: enclosure.network === 'model-only' ? portsOf(parts, request) : [],
      },
      sandbox: { kind: enclosure.kind, reason: reasonOf(parts, entry, request, enclosure) },
      leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Takes a terminal up that an earlier hall prepared: its token counts again, the ways out of its sandbox are open again. */
export async function rejoinTerminalAgent(
  ctx: LogContext,
  parts: TerminalAgentParts,
  entry: TerminalEntry,
  request: Pick<TerminalAgentRequest, 'id' | 'project' | 'folder'> & { readonly kept: KeptAgent },
): Promise<RejoinedTerminal> {
  const { id, folder, kept } = request;
  const folders = foldersOf(folder);
  const activity = activityOf(request);
  if (kept.modelToken !== undefined) {
    const { modelName, modelToken: token } = kept;
    parts.gateway.grant(activity, { worker: entry.name, modelName, token });
  }
  const { ports } = kept;
  const closeWays = ports.length === 0 ? undefined : await parts.sandbox.reopen({ folder: folders.ways, ports });
  const enclosure = { leave: async (): Promise<void> => closeWays?.() };
  return {
    kind: kindOf(entry, id, folders),
    leave: async () => leaveOnce(ctx, parts, { activity, folders, enclosure }),
  };
}

interface ToLeave {
  readonly activity: ActivityRef;
  readonly folders: Folders;
  readonly enclosure: Pick<Enclosure, 'leave'> | undefined;
}

/** All of it can be done twice. */
async function leaveOnce(ctx: LogContext, parts: TerminalAgentParts, left: ToLeave): Promise<void> {
  parts.gateway.revoke(left.activity);
  await left.enclosure?.leave();
  await removeFolders(ctx, left.folders);
}

function activityOf({ project, id }: Pick<TerminalAgentRequest, 'project' | 'id'>): ActivityRef {
  return { project, kind: 'terminal', id: activityIdSchema.parse(id) };
}

async function commandOf(
  parts: TerminalAgentParts,
  { entry, settings }: ChosenEntry,
  { command: typed, cwd }: TerminalAgentRequest,
): Promise<Command> {
  const [file = entry.program(), ...args] = typed ?? settings.command ?? [];
  const found = file === undefined ? undefined : await findProgram(file, { cwd, path: parts.environment['PATH'] });
  if (found !== undefined) return { file: found, args };
  if (typed !== undefined) {
    throw fail(
      'not_found',
      `There is no program "${file}" on this machine, or it may not be run.`,
      `Install it, or give its whole path; then see: command -v ${file}`,
    );
  }
  throw fail(
    'not_found',
    `The program of "${entry.name}" (${entry.title}) is not on this machine: ${file ?? entry.name}`,
    `Install it, or name it in config.yaml: terminals: { agents: { ${entry.name}: { command: [/the/whole/path] } } }`,
  );
}

async function enterFor(
  parts: TerminalAgentParts,
  entry: TerminalEntry,
  request: TerminalAgentRequest,
  folders: Folders,
): Promise<Enclosure> {
  const { project, cwd, write, unsandboxed, isAttended } = request;
  if (isAttended && (!entry.isAgent || unsandboxed === true)) return noEnclosure;
  const enclosure = await parts.sandbox.enter({
    project,
    cwd,
    access: { root: cwd, write },
    // That of rests by itself, though it lies in another: so no link can be put in its place, where the hall writes.
    writable: [folders.config, folders.tmp, folders.rest, folders.signals],
    gatewayUrl: parts.gateway.baseUrl,
    ways: { folder: folders.ways, ports: portsOf(parts, request) },
  });
  if (enclosure.kind === 'none') await requireNoOrders(entry, cwd);
  if (enclosure.kind !== 'none' || isAttended) return enclosure;
  const { reason, hint } = parts.sandbox.state();
  throw fail('unavailable', `Agents start no terminal without a sandbox, and there is none: ${reason}`, hint);
}

const noEnclosure: Enclosure = {
  kind: 'none',
  network: 'full',
  wrap: (command) => command,
  isCurrent: () => true,
  leave: async () => undefined,
};

function portsOf(parts: TerminalAgentParts, { mcp }: TerminalAgentRequest): number[] {
  const urls = [parts.gateway.baseUrl, mcp?.url];
  return [...new Set(urls.flatMap((url) => (url === undefined ? [] : [Number(new URL(url).port)])))];
}

function reasonOf(
  parts: TerminalAgentParts,
  entry: TerminalEntry,
  { unsandboxed, cwd, write }: TerminalAgentRequest,
  { kind }: Enclosure,
): string {
  if (kind !== 'none') return holdsHome(cwd) ? openHome(write) : '';
  if (unsandboxed === true) return 'It was started without one.';
  return entry.isAgent ? parts.sandbox.state().reason : 'Only agents run in one.';
}

function holdsHome(cwd: string): boolean {
  return [homedir(), realOf(homedir())].some((home) => home === cwd || isBelow(cwd, home));
}

function openHome(write: boolean): string {
  const rest = write ? 'your keys, your settings, what your shell runs when it starts' : 'your keys, your settings';
  return `It works in your home folder, and may ${write ? 'read and write' : 'read'} all that is there: ${rest}.`;
}

interface PlaceParts {
  readonly request: TerminalAgentRequest;
  readonly folders: Folders;
  readonly model: ModelAccess | undefined;
  readonly enclosure: Enclosure;
  readonly variables: Readonly<Record<string, string>>;
}

async function placeOf(parts: TerminalAgentParts, given: PlaceParts): Promise<EntryPlace> {
  const { request, folders, model, enclosure, variables } = given;
  return {
    // The program knows its folder by where it really leads.
    cwd: await realpath(request.cwd),
    configDir: folders.config,
    tmpDir: folders.tmp,
    model,
    mcpUrl: request.mcp?.url,
    variables: Object.keys(variables),
    permissions: permissionsOf(request, enclosure),
    maxRetries: parts.maxRetries(),
  };
}

function permissionsOf({ isAttended }: TerminalAgentRequest, { kind }: Enclosure): Permissions {
  if (kind !== 'none') return 'free';
  return isAttended ? 'ask' : 'none';
}

/** An agent's home is its private folder, so that nothing of the person's own is read or written by chance. */
function baseOf(
  { mark, mcp }: TerminalAgentRequest,
  { config, tmp, signals }: Folders,
  isPrivate: boolean,
): Record<string, string> {
  const home = {
    HOME: config,
    XDG_CONFIG_HOME: join(config, 'xdg', 'config'),
    XDG_CACHE_HOME: join(config, 'xdg', 'cache'),
    XDG_DATA_HOME: join(config, 'xdg', 'data'),
    XDG_STATE_HOME: join(config, 'xdg', 'state'),
    TMPDIR: tmp,
  };
  return {
    ...(isPrivate ? home : {}),
    [terminalMark]: mark,
    [signalsVariable]: signals,
    [hookVariable]: join(config, tellPath),
    ...(mcp === undefined ? {} : { [mcpUrlVariable]: mcp.url, [mcpTokenVariable]: mcp.token }),
  };
}

function chosenVariables(parts: TerminalAgentParts, { variables = [] }: EntrySettings): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap((name) => {
      const value = parts.environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function kindOf(
  { manner, readSignal }: TerminalEntry,
  id: TerminalKind['id'],
  { rest: restFolder }: Folders,
): TerminalKind {
  return { id, manner, readSignal, restFolder };
}
