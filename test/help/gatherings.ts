/** Gatherings in a real hall: members are small real programs in real tmux, which do what a script says. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Message } from '../../src/features/gatherings/contract.ts';
import type { GatheringStatus, GatheringView } from '../../src/features/gatherings/contract/gathering-views.ts';
import type { TerminalList, TerminalView } from '../../src/features/terminals/contract.ts';
import { startHallWithProject, type TestHall, type TestHallRequest } from './halls.ts';
import { packageRoot, waitUntil } from './programs.ts';
import { tempFolder } from './repositories.ts';

/** Words, silence, words after some work, or the end of the program. */
export type Answer = string | null | { readonly work: number; readonly say: string | null } | { readonly exit: number };

export interface Part {
  readonly turns?: readonly Answer[];
  readonly beats?: readonly Answer[];
  readonly last?: readonly Answer[];
  readonly harvest?: readonly Answer[];
  /** Begins what it says when `turns` has nothing more. */
  readonly says?: string;
  readonly talks?: boolean;
}

export interface TestCircle {
  readonly hall: TestHall;
  /** Of the integration checkout; absolute. */
  readonly integration: string;
  /** A running terminal of that name. */
  readonly start: (name: string) => Promise<TerminalView>;
  /** What that member took, in order. */
  readonly taken: (name: string) => string[];
  /** Resolves with its token of the hall's tools. */
  readonly tokenOf: (name: string) => Promise<string>;
  /** Ends its program as if it broke; resolves when it is gone. */
  readonly kill: (name: string) => Promise<void>;
  readonly terminals: (all?: boolean) => Promise<TerminalList['terminals']>;
  readonly begin: (input: Record<string, unknown>) => Promise<GatheringStatus>;
  readonly show: (id: string) => Promise<GatheringView>;
  /** Resolves when it is closed. */
  readonly untilClosed: (id: string) => Promise<GatheringView>;
  readonly untilHolds: (id: string, name: string) => Promise<GatheringView>;
}

/** @param parts by name */
export async function openCircle(
  parts: Readonly<Record<string, Part>>,
  request: TestHallRequest & {
    readonly settings?: string;
    readonly agents?: string;
    /** In config.yaml, else `{ mode: off }`. */
    readonly sandbox?: string;
    readonly files?: Readonly<Record<string, string>>;
  } = {},
): Promise<TestCircle> {
  const folder = await tempFolder();
  const script = join(folder, 'script.json');
  writeFileSync(script, JSON.stringify(parts));
  const agent = join(packageRoot, 'test/fixtures/terminals/circle-agent.mjs');
  const command = JSON.stringify([process.execPath, agent, script, folder]);
  const settings = request.settings ?? 'graceSeconds: 1, harvestSeconds: 5';
  const config = `sandbox: ${request.sandbox ?? '{ mode: off }'}
gatherings: { ${settings} }
terminals: { agents: { circle: { command: ${command}, like: claude }${request.agents ?? ''} } }`;
  const { hall, integration } = await startHallWithProject({ ...request, config });
  endTerminalsAfterwards(hall);
  const show = async (id: string): Promise<GatheringView> =>
    (await hall.client.call('gathering.show', { id })) as GatheringView;
  const until = async (id: string, isSo: (view: GatheringView) => boolean): Promise<GatheringView> => {
    let view = await show(id);
    await waitUntil(async () => isSo((view = await show(id))));
    return view;
  };
  return {
    hall,
    integration,
    start: async (name) =>
      (await hall.client.call('terminal.start', {
        project: 'tally',
        name,
        command: ['circle', name],
        sandbox: false,
        toAgents: true,
      })) as TerminalView,
    taken: (name) => linesOf(join(folder, `${name}.jsonl`)),
    tokenOf: async (name) => {
      const path = join(folder, `${name}.token`);
      await waitUntil(() => existsSync(path));
      return readFileSync(path, 'utf8');
    },
    kill: async (name) => {
      const pid = Number(readFileSync(join(folder, `${name}.pid`), 'utf8'));
      process.kill(pid, 'SIGKILL');
      await waitUntil(() => !isAlive(pid));
    },
    terminals: async (all = false) => ((await hall.client.call('terminal.list', { all })) as TerminalList).terminals,
    begin: async (input) =>
      (await hall.client.call('gathering.start', {
        rhythm: 'daily',
        openingQuestion: 'What is alive?',
        project: 'tally',
        ...input,
      })) as GatheringStatus,
    show,
    untilClosed: async (id) => until(id, ({ gathering }) => gathering.stage === 'closed'),
    untilHolds: async (id, name) =>
      until(id, ({ gathering: { seats, turn } }) => seats.find(({ number }) => number === turn?.holder)?.name === name),
  };
}

/** tmux outlives the hall where programs run in it. */
function endTerminalsAfterwards(hall: TestHall): void {
  onTestFinished(async () => {
    const { terminals } = (await hall.client.call('terminal.list', {})) as TerminalList;
    for (const { id } of terminals) await hall.client.call('terminal.end', { id });
    await hall.stop();
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function linesOf(path: string): string[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as string);
}

/** `<from>: <words>` of those that were said, in order. */
export function saidIn({ messages }: { readonly messages: readonly Message[] }): string[] {
  return messages
    .filter(({ kind, to }) => kind === 'words' && to.length > 0)
    .map(({ from, text }) => `${from}: ${text}`);
}

/** `The piece is now with <name>` of each turn, in order: the names. */
export function holdersIn({ messages }: { readonly messages: readonly Message[] }): string[] {
  return messages.flatMap(({ kind, text }) =>
    kind === 'piece' ? [/The piece is now with (.+) \(\d+\)$/m.exec(text)?.[1] ?? '?'] : [],
  );
}

export const harvestWords = `## What emerged
Counting is not understanding.

## What is known now
Words are counted by spaces.

## Next thread
What is a word?

## Individual, tangible
- Ada: write down what a word is
`;
