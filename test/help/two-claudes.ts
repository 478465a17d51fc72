/** Two real Claude Code CLIs that talk with each other, before the rehearsal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationList, ConversationView, Message } from '../../src/features/gatherings/contract.ts';
import type { TerminalList, TerminalView } from '../../src/features/terminals/contract.ts';
import type { HallClient } from '../../src/interfaces/cli/client.ts';
import { packageRoot, waitUntil } from './programs.ts';

/** What they talk about. */
export function sampleFiles(): Record<string, string> {
  const sample = join(packageRoot, 'examples/sample-project');
  return Object.fromEntries(
    readdirSync(sample, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
  );
}

export interface TalkOfTwo {
  readonly ada: TerminalView;
  readonly mira: TerminalView;
  readonly view: ConversationView;
  /** What either said. */
  readonly words: readonly Message[];
}

/** One of them is asked to talk to the other; resolves when their conversation has used its turns. */
export async function haveTwoTalk(client: HallClient, project: string): Promise<TalkOfTwo> {
  const start = async (name: string): Promise<TerminalView> =>
    (await client.call('terminal.start', { project, name, command: ['claude'] })) as TerminalView;
  const [ada, mira] = await Promise.all([start('Ada'), start('Mira')]);
  await client.call('terminal.send', {
    sessionId: 'Ada',
    message: 'Talk to Mira about how the entries of a day are parsed.',
  });
  let view: ConversationView | undefined;
  await waitUntil(async () => {
    const { conversations } = (await client.call('conversation.list', {})) as ConversationList;
    const [first] = conversations;
    if (first) view = (await client.call('conversation.show', { id: first.id })) as ConversationView;
    return view?.conversation.state === 'paused';
  });
  const words = view!.messages.filter(({ kind }) => kind === 'opening' || kind === 'words');
  return { ada, mira, view: view!, words };
}

/** Words that nobody said: of the hall's own making, or of the program's screen. */
export const notSaid = /\((?:1|2)\):|pasted_content|❯|esc to interrupt/;

/** Of the hall's tools, as the program itself has kept it. */
export function toolCallsOf(home: string, { id }: TerminalView): string[] {
  const folder = join(home, 'state/terminals', id, 'config/projects');
  const calls = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.jsonl'))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    .flatMap((line) => [...line.matchAll(/"type":"tool_use","id":"([^"]+)","name":"(mcp__[^"]+)"/g)]);
  return [...new Map(calls.map(([, call, name]) => [call!, name!])).values()];
}

export async function endAllTerminals(client: HallClient): Promise<void> {
  const { terminals } = (await client.call('terminal.list', {})) as TerminalList;
  for (const { id } of terminals) await client.call('terminal.end', { id });
}
