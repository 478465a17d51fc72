/** Two real Claude Code CLIs talk in the hall's terminals, before the rehearsal. One of them begins; nobody calls a tool again. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConversationList, ConversationView } from '../../src/features/gatherings/contract.ts';
import type { TerminalList, TerminalView } from '../../src/features/terminals/contract.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';

const sample = join(packageRoot, 'examples/sample-project');
const files = Object.fromEntries(
  readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
);

async function startClaude({ client }: TestHall, name: string): Promise<TerminalView> {
  return (await client.call('terminal.start', { project: 'tally', name, command: ['claude'] })) as TerminalView;
}

// On a machine with nothing else to do it takes some ten seconds.
const timeoutMs = 120_000;

test(
  'two talk for six turns, without an echo, begun by one call of a tool [GTH-CONV-3, GTH-CONV-4, GTH-CONV-5, GTH-CONV-7, GTH-RELAY-18]',
  async () => {
    const { hall } = await startHallWithProject({ config: 'conversations: { turns: 3 }', files });
    const { client } = hall;
    onTestFinished(async () => {
      const { terminals } = (await client.call('terminal.list', {})) as TerminalList;
      for (const { id } of terminals) await client.call('terminal.end', { id });
      await hall.stop();
    });
    const [ada, mira] = await Promise.all([startClaude(hall, 'Ada'), startClaude(hall, 'Mira')]);
    expect([ada.entry, mira.entry]).toEqual(['claude', 'claude']);
    await client.call('terminal.send', {
      sessionId: 'Ada',
      message: 'Talk to Mira about how the entries of a day are parsed.',
    });

    let view: ConversationView | undefined;
    const look = async (): Promise<ConversationView | undefined> => {
      const { conversations } = (await client.call('conversation.list', {})) as ConversationList;
      const [first] = conversations;
      return first && ((await client.call('conversation.show', { id: first.id })) as ConversationView);
    };
    await waitUntil(async () => (view = await look())?.conversation.state === 'paused');
    const words = view!.messages.filter(({ kind }) => kind === 'opening' || kind === 'words');
    const sent = words.filter(({ fate }) => fate === 'sent');
    expect(view!.conversation.pause).toMatchObject({ why: 'budget' });
    expect(view!.used.every((turns) => turns >= 3)).toBe(true);
    expect(sent.filter(({ from }) => from === 1).length).toBeGreaterThanOrEqual(3);
    expect(sent.filter(({ from }) => from === 2).length).toBeGreaterThanOrEqual(3);
    const receipts = sent.slice(0, -2).flatMap((message) => message.receipts.map(({ receipt }) => receipt.state));
    expect(new Set(receipts)).toEqual(new Set(['delivered']));
    // Nobody says again what was said to him, nor himself.
    expect(new Set(words.map(({ text }) => text)).size).toBe(words.length);
    for (const { text } of words) expect(text).not.toMatch(/\((?:1|2)\):|pasted_content|❯|esc to interrupt/);
    expect(toolCallsOf(hall, ada)).toEqual(['mcp__guild-hall__send_message']);
    expect(toolCallsOf(hall, mira)).toEqual([]);
  },
  timeoutMs,
);

/** Of the hall's tools, as the program itself has kept it. */
function toolCallsOf({ home }: TestHall, { id }: TerminalView): string[] {
  const folder = join(home, 'state/terminals', id, 'config/projects');
  const calls = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.jsonl'))
    .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    .flatMap((line) => [...line.matchAll(/"type":"tool_use","id":"([^"]+)","name":"(mcp__[^"]+)"/g)]);
  return [...new Map(calls.map(([, call, name]) => [call!, name!])).values()];
}
