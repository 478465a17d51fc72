/**
 * Which process is meant. A pid alone is given again to another process sooner or later; together with the moment it
 * was started it names one process for good, over restarts of the hall and of the machine.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { z } from 'zod';
import { fail } from '../pure/errors.ts';

/** Kept in files, so that a process can be recognised later. `startTime` is opaque: compare it, never compute with it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

export const processIdentitySchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string().max(200),
});

/** What the system's process table says of one pid. */
export interface ProcessFacts extends ProcessIdentity {
  /** Process group; equal to `pid` for the leader of a group. */
  readonly group: number;
  /** Has ended and only waits for its parent to take note. */
  readonly isZombie: boolean;
}

const isLinux = process.platform === 'linux';
const psColumns = ['-o', 'pgid=', '-o', 'state=', '-o', 'lstart='];
// `lstart` is printed in the local language and time zone, either of which may differ between two readings.
const psEnv = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

const bootIdFile = '/proc/sys/kernel/random/boot_id';
let bootIdOnce: string | undefined;

/** Start times count from the start of the machine, so they are told apart by which start that was. */
function bootId(): string {
  try {
    bootIdOnce ??= readFileSync(bootIdFile, 'utf8').trim();
    return bootIdOnce;
  } catch (error) {
    // Not passed on as it is: that this file is missing does not say that a process is.
    throw fail('unavailable', `${bootIdFile} cannot be read.`, `See: cat ${bootIdFile}`, undefined, error);
  }
}

/** @param stat the text of `/proc/<pid>/stat`; the second field is a name that may hold blanks and brackets */
export function parseProcStat(stat: string, boot: string): ProcessFacts | undefined {
  const pid = Number.parseInt(stat, 10);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const ticks = fields[19];
  if (!Number.isInteger(pid) || state === undefined || group === undefined || ticks === undefined) return undefined;
  return { pid, startTime: `${ticks}@${boot}`, group: Number(group), isZombie: /^[ZXx]/.test(state) };
}

/** @param line what `ps -o pgid= -o state= -o lstart= -p <pid>` prints: `  812 Ss   Sat Nov 21 22:05:38 2026` */
export function parsePsLine(pid: number, line: string): ProcessFacts | undefined {
  const match = /^\s*(\d+)\s+(\S+)\s+(\S.*\S)\s*$/.exec(line);
  if (match === null) return undefined;
  return { pid, group: Number(match[1]), isZombie: match[2]!.startsWith('Z'), startTime: match[3]! };
}

/** What the system prints of one process; see `readTable`. Given only by tests. */
export type TableReader = (pid: number) => Promise<string>;

/**
 * The facts of `pid`, or undefined when there is no such process.
 * @throws unavailable when the process table cannot be read: then nothing is known, least of all that it has ended
 */
export async function readProcessFacts(pid: number, read: TableReader = readTable): Promise<ProcessFacts | undefined> {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    return parseTable(pid, await read(pid));
  } catch (error) {
    if (saysGone(error)) return undefined;
    throw tableUnreadable(pid, error);
  }
}

/** The same without giving way to other work: right after a start the process cannot yet have been replaced. */
export function readProcessFactsNow(pid: number): ProcessFacts | undefined {
  try {
    const text = isLinux
      ? readFileSync(`/proc/${pid}/stat`, 'utf8')
      : execFileSync('ps', [...psColumns, '-p', String(pid)], { env: psEnv, encoding: 'utf8' });
    return parseTable(pid, text);
  } catch (error) {
    if (saysGone(error)) return undefined;
    throw tableUnreadable(pid, error);
  }
}

async function readTable(pid: number): Promise<string> {
  // Never waits for a disk; asking for it in the background costs ten times as much.
  if (isLinux) return readFileSync(`/proc/${pid}/stat`, 'utf8');
  return (await promisify(execFile)('ps', [...psColumns, '-p', String(pid)], { env: psEnv })).stdout;
}

function parseTable(pid: number, text: string): ProcessFacts | undefined {
  return isLinux ? parseProcStat(text, bootId()) : parsePsLine(pid, text);
}

/** True when a failed look at the table says that there is no such process; any other failure says nothing of it. */
function saysGone(error: unknown): boolean {
  const { code, syscall, status } = error as { code?: unknown; syscall?: unknown; status?: unknown };
  // The entry is not there, or vanished while it was read. The same word for a missing `ps` comes of starting it.
  if (code === 'ESRCH' || (code === 'ENOENT' && syscall === 'open')) return hasTable();
  // `ps` ended with 1.
  return !isLinux && (code === 1 || status === 1);
}

/** Without a `/proc` every process would seem to be gone. */
function hasTable(): boolean {
  return !isLinux || existsSync('/proc/self/stat');
}

function tableUnreadable(pid: number, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return fail(
    'unavailable',
    `Whether process ${pid} runs cannot be told: the process table cannot be read (${reason}).`,
    isLinux ? 'See whether /proc is there: ls /proc/self' : 'See whether ps works: ps -p 1',
    { pid },
    cause,
  );
}

/** The identity of the live process `pid`; undefined when it does not exist or has ended. @throws as above */
export async function readProcessIdentity(pid: number, read?: TableReader): Promise<ProcessIdentity | undefined> {
  const facts = await readProcessFacts(pid, read);
  return facts === undefined || facts.isZombie ? undefined : { pid, startTime: facts.startTime };
}

/**
 * True while exactly this process lives. One that has ended but was not yet taken note of counts as gone.
 * @throws unavailable when it cannot be told
 */
export async function isSameProcess(identity: ProcessIdentity, read?: TableReader): Promise<boolean> {
  const now = await readProcessIdentity(identity.pid, read);
  return now !== undefined && now.startTime === identity.startTime;
}

let ownOnce: ProcessIdentity | undefined;

/** The identity of the process that asks. */
export function ownIdentity(): ProcessIdentity {
  ownOnce ??= { pid: process.pid, startTime: readProcessFactsNow(process.pid)?.startTime ?? 'unknown' };
  return ownOnce;
}
