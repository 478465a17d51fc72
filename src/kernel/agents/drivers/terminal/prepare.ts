/** Makes everything ready for a program in a terminal: folders, files, its way to the model, its sandbox. */
import { chmod, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../../artifacts/write.ts';
import type { LogContext } from '../../../log/log.ts';
import { findProgram } from '../../../processes/find-program.ts';
import { fail } from '../../../pure/errors.ts';
import { type ActivityId, activityIdSchema, type ActivityRef } from '../../../pure/ids.ts';
import type { TerminalKind } from '../../../terminals/shapes.ts';
import type { ModelAccess } from '../../contract.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { Enclosure, Sandbox } from '../../sandbox/contract.ts';
import type {
  EntryPlace,
  EntrySettings,
  EntryStart,
  KeptAgent,
  Permissions,
  PreparedTerminal,
  RejoinedTerminal,
  TerminalAgentRequest,
  TerminalEntry,
} from './contract.ts';
import { hookVariable, markVariable, mcpTokenVariable, mcpUrlVariable, signalsVariable } from './names.ts';
import { tellPath, tellScript } from './tell-script.ts';

export interface TerminalAgentParts {
  readonly gateway: Pick<Gateway, 'grant' | 'revoke' | 'baseUrl'>;
  readonly sandbox: Sandbox;
  readonly maxRetries: () => number;
  /** The hall's own environment: PATH, and the variables that the person names for an entry. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An entry with what the person says of it. */
export interface ChosenEntry {
  readonly entry: TerminalEntry;
  readonly settings: EntrySettings;
}

interface Folders {
  readonly config: string;
  readonly tmp: string;
  readonly signals: string;
  readonly ways: string;
  readonly rest: string;
}

function foldersOf(folder: string): Folders {
  const tmp = join(folder, 'tmp');
  const rest = join(tmp, 'rest');
  return { config: join(folder, 'config'), tmp, rest, signals: join(folder, 'signals'), ways: join(folder, 'ways') };
}

/**
 * What is needed to start a terminal of this entry. Nothing of the person's credentials is in it, nor in any file.
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
  for (const path of [request.folder, folders.config, folders.tmp, folders.signals, folders.rest]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  }
  const activity = activityOf(request);
  const model = entry.takesGateway ? grantFor(parts, activity, entry, request.modelName) : undefined;
  const enclosure = await enterFor(parts, entry, request, folders).catch(async (error: unknown) => {
    parts.gateway.revoke(activity);
    throw error;
  });
  const leave = leaveWith(ctx, parts, { activity, folders, enclosure });
  try {
    const place = await placeOf(parts, { entry, request, folders, model, enclosure });
    const start = entry.start(place);
    await writeFiles(folders.config, start);
    const wrapped = enclosure.wrap({ file: command.file, args: [...command.args, ...start.args] });
    return {
      request: {
        ...kindOf(entry, request.id, folders),
        ...wrapped,
        cwd: request.cwd,
        env: { ...chosenVariables(parts, settings), ...baseOf(entry, request, folders), ...start.env },
        cols: request.cols,
        rows: request.rows,
      },
      kept: {
        entry: entry.name,
        ...(model === undefined ? {} : { modelToken: model.token }),
        ...(request.modelName === undefined ? {} : { modelName: request.modelName }),
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
  const { kept } = request;
  const folders = foldersOf(request.folder);
  const activity = activityOf(request);
  if (kept.modelToken !== undefined) {
    const { modelName, modelToken: token } = kept;
    parts.gateway.grant(activity, { worker: entry.name, modelName, token });
  }
  const ways = kept.ports.length === 0 ? undefined : { folder: folders.ways, ports: kept.ports };
  const closeWays = ways === undefined ? undefined : await parts.sandbox.reopen(ways);
  const enclosure = { leave: async (): Promise<void> => closeWays?.() };
  return { kind: kindOf(entry, request.id, folders), leave: leaveWith(ctx, parts, { activity, folders, enclosure }) };
}

interface ToLeave {
  readonly activity: ActivityRef;
  readonly folders: Folders;
  readonly enclosure: Pick<Enclosure, 'leave'>;
}

function leaveWith(ctx: LogContext, parts: TerminalAgentParts, { activity, folders, enclosure }: ToLeave) {
  let left: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    parts.gateway.revoke(activity);
    await enclosure.leave();
    for (const path of [folders.config, folders.tmp, folders.ways]) {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        // Something that it started still writes there; the terminal's folder goes later, with all that is in it.
        ctx.log.warn({ err: error, path }, 'a folder of an ended terminal could not be removed');
      });
    }
  };
  return async (): Promise<void> => (left ??= leave());
}

function activityOf({ project, id }: Pick<TerminalAgentRequest, 'project' | 'id'>): ActivityRef {
  const activity: ActivityId = activityIdSchema.parse(id);
  return { project, kind: 'terminal', id: activity };
}

function grantFor(
  parts: TerminalAgentParts,
  activity: ActivityRef,
  entry: TerminalEntry,
  modelName: string | undefined,
): ModelAccess {
  return parts.gateway.grant(activity, { worker: entry.name, modelName });
}

async function commandOf(
  parts: TerminalAgentParts,
  { entry, settings }: ChosenEntry,
  { command: typed, cwd }: TerminalAgentRequest,
): Promise<{ readonly file: string; readonly args: readonly string[] }> {
  const words = typed ?? settings.command;
  const file = words?.[0] ?? entry.program();
  const path = parts.environment['PATH'];
  const found = file === undefined ? undefined : await findProgram(file, { cwd, path });
  if (found !== undefined) return { file: found, args: words?.slice(1) ?? [] };
  throw fail(
    'not_found',
    `The program of "${entry.name}" (${entry.title}) is not on this machine${file === undefined ? '' : `: ${file}`}.`,
    `Install it, or name it in config.yaml: terminals: { agents: { ${entry.name}: { command: [/the/whole/path] } } }`,
  );
}

/** Where a person wants no sandbox, or the entry is none that needs one, the program runs as the person would run it. */
async function enterFor(
  parts: TerminalAgentParts,
  entry: TerminalEntry,
  request: TerminalAgentRequest,
  folders: Folders,
): Promise<Enclosure> {
  const { project, cwd, write } = request;
  if (!entry.isAgent || request.unsandboxed === true) return noEnclosure;
  return parts.sandbox.enter({
    project,
    cwd,
    access: { root: cwd, write },
    writable: [folders.config, folders.tmp, folders.signals],
    gatewayUrl: parts.gateway.baseUrl,
    ways: { folder: folders.ways, ports: portsOf(parts, request) },
  });
}

const noEnclosure: Enclosure = {
  kind: 'none',
  network: 'full',
  wrap: (command) => command,
  isCurrent: () => true,
  leave: async () => undefined,
};

function portsOf(parts: TerminalAgentParts, { mcp }: Pick<TerminalAgentRequest, 'mcp'>): number[] {
  return [parts.gateway.baseUrl, mcp?.url].flatMap((url) => (url === undefined ? [] : [Number(new URL(url).port)]));
}

function reasonOf(
  parts: TerminalAgentParts,
  entry: TerminalEntry,
  { unsandboxed }: TerminalAgentRequest,
  { kind }: Enclosure,
): string {
  if (kind !== 'none') return '';
  if (!entry.isAgent) return 'It is no agent: it runs with your rights.';
  if (unsandboxed === true) return 'You asked for none.';
  return parts.sandbox.state().reason;
}

interface PlaceParts {
  readonly entry: TerminalEntry;
  readonly request: TerminalAgentRequest;
  readonly folders: Folders;
  readonly model: ModelAccess | undefined;
  readonly enclosure: Enclosure;
}

async function placeOf(
  parts: TerminalAgentParts,
  { request, folders, model, enclosure }: PlaceParts,
): Promise<EntryPlace> {
  return {
    // The program knows its folder by where it really leads.
    cwd: await realpath(request.cwd),
    configDir: folders.config,
    tmpDir: folders.tmp,
    model,
    hasMcp: request.mcp !== undefined,
    permissions: permissionsOf(request, enclosure),
    maxRetries: parts.maxRetries(),
  };
}

function permissionsOf({ isAttended }: TerminalAgentRequest, { kind }: Enclosure): Permissions {
  if (kind !== 'none') return 'free';
  return isAttended ? 'ask' : 'none';
}

async function writeFiles(folder: string, { files }: EntryStart): Promise<void> {
  for (const { path, text } of [...files, { path: tellPath, text: tellScript }]) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomically(file, text, { mode: 0o600 });
  }
}

/** An agent's home is its private folder, so that nothing of the person's own is read or written by chance. */
function baseOf(
  { isAgent }: TerminalEntry,
  { mark, mcp }: TerminalAgentRequest,
  folders: Folders,
): Record<string, string> {
  const { config, tmp, signals } = folders;
  const home = {
    HOME: config,
    XDG_CONFIG_HOME: join(config, 'xdg', 'config'),
    XDG_CACHE_HOME: join(config, 'xdg', 'cache'),
    XDG_DATA_HOME: join(config, 'xdg', 'data'),
    XDG_STATE_HOME: join(config, 'xdg', 'state'),
    TMPDIR: tmp,
  };
  return {
    ...(isAgent ? home : {}),
    [markVariable]: mark,
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

function kindOf(entry: TerminalEntry, id: TerminalKind['id'], folders: Folders): TerminalKind {
  return { id, manner: entry.manner, readSignal: entry.readSignal, restFolder: folders.rest };
}
