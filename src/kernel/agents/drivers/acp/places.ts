/** Where an agent's program lives: its folders, the files that the hall puts there, its environment, what of the machine it sees. */
import { existsSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { writeAtomically } from '../../../artifacts/write.ts';
import { findProgram } from '../../../processes/find-program.ts';
import { fail } from '../../../pure/errors.ts';
import type { ModelAccess, OpenOptions } from '../../contract.ts';
import { realOf } from '../../sandbox/system.ts';
import type { AcpEntry, AcpSettings, AcpStart } from './entry.ts';

/** All that a program is started with. */
export interface Place {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly writable: readonly string[];
  /** Folders of programs and scripts that it needs. */
  readonly readable: readonly string[];
}

export interface PlaceRequest {
  readonly entry: AcpEntry;
  readonly settings: AcpSettings;
  readonly maxRetries: number;
  /** Of this agent, absolute; each project has a folder in it. */
  readonly folder: string;
  readonly open: OpenOptions;
  readonly model: ModelAccess;
}

/** @throws HallError `unavailable` when its program is not there */
export async function makePlace(request: PlaceRequest): Promise<Place> {
  const { entry, settings, maxRetries, folder, open, model } = request;
  const own = join(folder, open.activity.project);
  const [configDir, tmpDir] = [join(own, 'config'), join(own, 'tmp')];
  for (const path of [folder, own, configDir, tmpDir]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  }
  const variables = variablesOf(settings, process.env);
  const start = entry.start({
    cwd: open.cwd,
    configDir,
    tmpDir,
    model,
    isAttended: open.ask !== undefined,
    maxRetries,
    variables: Object.keys(variables),
  });
  await fillConfig(configDir, start);
  const [name, ...given] = settings.command ?? entry.command;
  const file = await findProgram(name, { cwd: open.cwd, path: process.env['PATH'] });
  if (file === undefined) throw notThere(entry, name);
  const args = [...given, ...(start.args ?? [])];
  const env = { ...environmentOf(configDir, tmpDir, process.env), ...start.env, ...variables, ...settings.env };
  const readable = [...readableOf([file, ...args, ...Object.values(start.env)]), ...(open.plugins ?? [])];
  return { file, args, env, writable: [configDir, tmpDir], readable };
}

function notThere({ title, install }: AcpEntry, name: string): Error {
  return fail(
    'unavailable',
    `${title} cannot be started: there is no program "${name}" on this machine, or it may not be run.`,
    `Install it, or name another command in config.yaml: ${install}`,
    { program: name },
  );
}

async function fillConfig(configDir: string, { files }: AcpStart): Promise<void> {
  for (const { path, text } of files) {
    const file = join(configDir, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomically(file, text, { mode: 0o600 });
  }
}

/** Of the hall's own environment only these; keys, tokens and proxies of the person stay out. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM', 'GUILD_HALL_ATTEMPT'] as const;

export function environmentOf(configDir: string, tmpDir: string, hall: NodeJS.ProcessEnv): Record<string, string> {
  const kept = passedOn.flatMap((name) => (hall[name] === undefined ? [] : [[name, hall[name]] as const]));
  return {
    ...Object.fromEntries(kept),
    HOME: configDir,
    XDG_CONFIG_HOME: join(configDir, 'xdg', 'config'),
    XDG_CACHE_HOME: join(configDir, 'xdg', 'cache'),
    XDG_DATA_HOME: join(configDir, 'xdg', 'data'),
    XDG_STATE_HOME: join(configDir, 'xdg', 'state'),
    TMPDIR: tmpDir,
    NO_PROXY: '127.0.0.1,localhost,::1',
  };
}

function variablesOf({ variables }: AcpSettings, hall: NodeJS.ProcessEnv): Record<string, string> {
  const names = (variables ?? []).filter((name) => hall[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, hall[name]!]));
}

/** Of a package the whole of its `node_modules`, since programs of npm need what lies beside them; of a script its folder. */
function readableOf(words: readonly string[]): string[] {
  const paths = words.filter((word) => isAbsolute(word) && /\/[^/]+\.[cm]?[jt]s$|\/node_modules\//.test(realOf(word)));
  return [...new Set(paths.map((path) => shownFor(realOf(path))).filter((path) => existsSync(path)))];
}

function shownFor(real: string): string {
  const at = real.indexOf('/node_modules/');
  return at === -1 ? dirname(real) : real.slice(0, at + '/node_modules'.length);
}
