/**
 * Which process is meant. A pid alone is given again to another process sooner or later; together with the moment it
 * was started it names one process for good, over restarts of the hall and of the machine.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

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

let bootIdOnce: string | undefined;

/** Start times count from the start of the machine, so they are told apart by which start that was. */
function bootId(): string {
  bootIdOnce ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return bootIdOnce;
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

/** The facts of `pid`, or undefined when there is no such process. */
export async function readProcessFacts(pid: number): Promise<ProcessFacts | undefined> {
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    if (isLinux) return parseProcStat(await readFile(`/proc/${pid}/stat`, 'utf8'), bootId());
    const { stdout } = await promisify(execFile)('ps', [...psColumns, '-p', String(pid)], { env: psEnv });
    return parsePsLine(pid, stdout);
  } catch {
    // The file is not there, or `ps` ended with 1: there is no such process.
    return undefined;
  }
}

/** The same without giving way to other work: right after a start the process cannot yet have been replaced. */
export function readProcessFactsNow(pid: number): ProcessFacts | undefined {
  try {
    if (isLinux) return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), bootId());
    return parsePsLine(pid, execFileSync('ps', [...psColumns, '-p', String(pid)], { env: psEnv, encoding: 'utf8' }));
  } catch {
    // As above.
    return undefined;
  }
}

/** The identity of the live process `pid`; undefined when it does not exist or has ended. */
export async function readProcessIdentity(pid: number): Promise<ProcessIdentity | undefined> {
  const facts = await readProcessFacts(pid);
  return facts === undefined || facts.isZombie ? undefined : { pid, startTime: facts.startTime };
}

/** True while exactly this process lives. One that has ended but was not yet taken note of counts as gone. */
export async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  const now = await readProcessIdentity(identity.pid);
  return now !== undefined && now.startTime === identity.startTime;
}

let ownOnce: ProcessIdentity | undefined;

/** The identity of the process that asks. */
export function ownIdentity(): ProcessIdentity {
  ownOnce ??= { pid: process.pid, startTime: readProcessFactsNow(process.pid)?.startTime ?? 'unknown' };
  return ownOnce;
}
