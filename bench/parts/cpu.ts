/** Processor time by what a process is for. Linux; elsewhere nothing is known. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Seconds of processor time since the start of each process. */
export interface CpuSeconds {
  readonly hall: number;
  readonly agents: number;
  readonly browser: number;
}

const ticksPerSecond = 100;

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly seconds: number;
}

/** @param hall pid of the hall; the agents are below it, the browser below this process */
export function readCpu(hall: number): CpuSeconds {
  const all = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  const processes = all.flatMap((pid) => factsOf(pid) ?? []);
  const sum = (some: readonly ProcessFacts[]): number => some.reduce((total, { seconds }) => total + seconds, 0);
  return {
    hall: sum(processes.filter(({ pid }) => pid === hall)),
    agents: sum(below(processes, hall)),
    browser: sum(below(processes, process.pid).filter(({ name }) => name.startsWith('chrom'))),
  };
}

export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return {
    hall: after.hall - before.hall,
    agents: after.agents - before.agents,
    browser: after.browser - before.browser,
  };
}

function below(processes: readonly ProcessFacts[], root: number): ProcessFacts[] {
  const children = processes.filter(({ parent }) => parent === root);
  return children.flatMap((child) => [child, ...below(processes, child.pid)]);
}

function factsOf(pid: string): ProcessFacts | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = /\((.*)\)/s.exec(text)?.[1] ?? '';
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      name,
      seconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    };
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
