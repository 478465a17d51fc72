/** A home in which gatherings are held: a project, members that are small real programs, short times. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTortureHome, packageRoot, processesOf, type TortureHome } from '../parts/hall-process.ts';

export const projectName = 'tally';
/** The speakers that are programs; Hal harvests, the person is Mo. */
export const members = ['Ada', 'Grace', 'Lin', 'Hal'] as const;

export interface Place extends TortureHome {
  /** Where members write down what they took. */
  readonly heard: string;
  readonly integration: string;
}

const harvest = `## What emerged
Counting is not understanding.

## What is known now
Words are counted by spaces.

## Next thread
What is a word?

## Individual, tangible
- Write down what a word is

## Collective, intangible
- A tally that reads
`;

const script = {
  Ada: { says: 'Ada says', talks: true },
  // It passes by name now and then, and works a while before it says something.
  Grace: { turns: [{ work: 300, say: 'Grace thinks. I pass to Lin' }], says: 'Grace says', talks: true },
  // At first it is silent: its turn runs out.
  Lin: { turns: [null], says: 'Lin says' },
  Hal: { harvest: [{ work: 200, say: harvest }], talks: true },
};

export function makePlace(): Place {
  const base = makeTortureHome({ 'README.md': '# Tally\n' }, writeFileSync);
  const heard = join(base.root, 'heard');
  for (const folder of [heard, base.home]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(base.root, 'script.json'), JSON.stringify(script));
  const agent = join(packageRoot, 'test/fixtures/terminals/circle-agent.mjs');
  const command = JSON.stringify([process.execPath, agent, join(base.root, 'script.json'), heard]);
  writeFileSync(
    join(base.home, 'config.yaml'),
    `sandbox: { mode: off }
gatherings: { graceSeconds: 1, harvestSeconds: 5 }
terminals: { agents: { circle: { command: ${command}, like: claude } } }
`,
  );
  return { ...base, heard, integration: join(base.home, 'projects', projectName) };
}

/** What members took is forgotten: the next gathering begins with new ones. */
export function forgetHeard({ heard }: Place): void {
  for (const name of readdirSync(heard)) rmSync(join(heard, name));
}

/** What that member took, in order. */
export function heardBy({ heard }: Place, name: string): string[] {
  const path = join(heard, `${name}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as string);
}

/** Process id of a member that has learned its name. */
export function pidOf({ heard }: Place, name: string): number | undefined {
  const path = join(heard, `${name}.pid`);
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : undefined;
}

/** Of the hall's own tmux server; undefined where none answers. */
export function tmuxPid({ home }: Place): number | undefined {
  try {
    const socket = join(home, 'state', 'tmux', 'hall.sock');
    return Number(execFileSync('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], { stdio: 'pipe' }));
  } catch {
    return undefined;
  }
}

/** Ends what is left of a place whose run was broken off. */
export function endAll(place: Place): void {
  // Its environment names no home.
  const tmux = tmuxPid(place);
  if (tmux !== undefined) killQuietly(tmux);
  for (const pid of processesOf(place)) killQuietly(pid);
}

/** @returns false where it had ended by itself */
export function killQuietly(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
