/** A home in which contexts are clicked through: a project, and an agent that writes down what it is asked. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTortureHome, packageRoot, processesOf, type TortureHome } from '../parts/hall-process.ts';

export const projectName = 'tally';

export interface Place extends TortureHome {
  /** Where the agent writes down what it was asked; empty for an agent that does not. */
  readonly heard: string;
}

/** @param agent `acp`: the small one of this folder; `claude`: the real one, answered by the rehearsal */
export function makePlace(agent: string): Place {
  const base = makeTortureHome({ 'README.md': '# Tally\n' }, writeFileSync);
  const heard = agent === 'acp' ? join(base.root, 'heard') : '';
  mkdirSync(base.home, { recursive: true, mode: 0o700 });
  const args = JSON.stringify([join(packageRoot, 'test/fixtures/pressed-agent.mjs'), heard]);
  const own = `sessions: { default: small, agents: { small: { command: ${JSON.stringify(process.execPath)}, args: ${args} } } }\n`;
  writeFileSync(join(base.home, 'config.yaml'), `sandbox: { mode: off }\n${agent === 'acp' ? own : ''}`);
  return { ...base, heard };
}

/** What the agent was asked, in order. */
export function heardIn({ heard }: Place): { readonly sessionId: string; readonly words: string }[] {
  const file = join(heard, 'heard.jsonl');
  if (heard === '' || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as { sessionId: string; words: string });
}

export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Every session's log, by its id; a last line that was cut off is left out. */
export function logsIn({ home }: Place): ReadonlyMap<string, readonly LoggedEvent[]> {
  const folder = join(home, 'state/sessions');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  return new Map(
    names.map((name) => {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
      return [name.slice(0, -'.jsonl'.length), lines.map((line) => JSON.parse(line) as LoggedEvent)];
    }),
  );
}

export interface FileContext {
  readonly id: string;
  readonly name: string;
  readonly sessionIds: readonly string[];
}

export function registryIn({ repo }: Place): readonly FileContext[] {
  const file = join(repo, '.conclave/state/meta-contexts.json');
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { contexts: FileContext[] }).contexts;
}

/** Clicks that are told to be under way. */
export function journalsIn({ home }: Place): string[] {
  const folder = join(home, 'state/clicks');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Programs of this home that no living hall of it has started. */
export function strays(place: Place, hall: number | undefined): number[] {
  const parents = new Map(processesOf(place).map((pid) => [pid, parentOf(pid)]));
  const isOwn = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === hall) return true;
    return false;
  };
  return [...parents.keys()].filter((pid) => !isOwn(pid) && parentOf(pid) !== undefined);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It ended while we looked.
    return undefined;
  }
}
