/** Processes known by what stands in their environment: also those that left their group, and whose parent is gone. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ProcessIdentity, readProcessIdentity } from './identity.ts';

/**
 * The live processes, the asking one left out, that were started with `name=value` in their environment. Only those of
 * the same user can be seen. One that was started with another environment is not found, nor, on macOS, a program that
 * the system protects.
 * @param value at least 16 characters, so that it stands for nothing else
 */
export async function findProcessesByMark(name: string, value: string): Promise<ProcessIdentity[]> {
  if (value.length < 16) return [];
  const pids = process.platform === 'linux' ? await marksInProc(`${name}=${value}`) : await marksByPs(name, value);
  const found = await Promise.all(pids.map(async (pid) => await readProcessIdentity(pid)));
  return found.filter((identity) => identity !== undefined);
}

/** Whether that process carries the mark; undefined where its environment cannot be read. */
export async function hasMark(pid: number, name: string, value: string): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined;
  const environment = await readEnvironment(pid);
  return environment === undefined ? undefined : isMarked(environment, `${name}=${value}`);
}

async function marksInProc(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = pid === process.pid ? undefined : await readEnvironment(pid);
      return environment !== undefined && isMarked(environment, mark);
    }),
  );
  return pids.filter((_pid, at) => marked[at]);
}

/** Undefined: it is gone, it is not ours, or it has ended and waits for its parent. */
async function readEnvironment(pid: number): Promise<Buffer | undefined> {
  try {
    return await readFile(`/proc/${pid}/environ`);
  } catch {
    return undefined;
  }
}

function isMarked(environment: Buffer, mark: string): boolean {
  const whole = Buffer.from(`\0${mark}\0`);
  return Buffer.concat([Buffer.from('\0'), environment, Buffer.from('\0')]).includes(whole);
}

/** @throws what `ps` throws: then nothing is known */
export async function marksByPs(name: string, value: string): Promise<number[]> {
  const args = ['-A', '-E', '-ww', '-o', 'pid=', '-o', 'command='];
  const { stdout } = await promisify(execFile)('ps', args, { maxBuffer: 64 * 1024 * 1024 });
  return pidsOfPs(stdout, `${name}=${value}`).filter((pid) => pid !== process.pid);
}

/** @param text what `ps -o pid= -o command=` prints with environments */
export function pidsOfPs(text: string, mark: string): number[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s(.*)$/.exec(line);
    return match !== null && match[2]!.split(' ').includes(mark) ? [Number(match[1])] : [];
  });
}
